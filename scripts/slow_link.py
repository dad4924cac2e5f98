"""A link between two network namespaces with delay and loss, packet by packet.

    slow_link.py NAMESPACE DELAY_MS LOSS_PERCENT

Makes a device `far0` here (10.213.77.1) and one in NAMESPACE (10.213.77.2), prints `ready`, and carries
packets between them until it is ended: each later by DELAY_MS, and LOSS_PERCENT of them never. It stands in
for `tc netem`, which many kernels of containers and small machines lack. Needs root.
"""

import ctypes
import fcntl
import heapq
import itertools
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN_WITHOUT_HEADER = 0x1001
CLONE_NEWNET = 0x40000000


def open_device(address, peer):
    """A device of this process's present network, and its packets."""
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", b"far0", IFF_TUN_WITHOUT_HEADER))
    for command in (
        ["ip", "address", "add", address, "peer", peer, "dev", "far0"],
        ["ip", "link", "set", "far0", "up"],
        ["ip", "link", "set", "lo", "up"],
    ):
        subprocess.run(command, check=True)
    os.set_blocking(device, False)
    return device


def enter(path):
    """Goes into a network namespace."""
    with open(path, "rb") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "cannot enter the namespace")


def carry(one, other, delay, loss):
    """Hands packets over, each after its time."""
    chance = random.Random(1)
    peer = {one: other, other: one}
    waiting, number = [], itertools.count()
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, to, packet = heapq.heappop(waiting)
            try:
                os.write(to, packet)
            except BlockingIOError:
                pass  # A full queue loses packets, as a router's does.
        wait = waiting[0][0] - now if waiting else None
        for device in select.select([one, other], [], [], wait)[0]:
            packet = os.read(device, 65536)
            if chance.random() >= loss:
                heapq.heappush(waiting, (time.monotonic() + delay, next(number), peer[device], packet))


def main():
    namespace, delay, loss = sys.argv[1], float(sys.argv[2]) / 1000, float(sys.argv[3]) / 100
    near = open_device("10.213.77.1", "10.213.77.2")
    enter(f"/run/netns/{namespace}")
    far = open_device("10.213.77.2", "10.213.77.1")
    print("ready", flush=True)
    carry(near, far, delay, loss)


main()
