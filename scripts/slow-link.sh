#!/usr/bin/env bash
# Plays a whole game of two browsers with the server far away: 200 ms there and back, and one packet in
# a hundred lost on each way. Prints how soon moves were drawn and how much clocks jumped.
#
#     scripts/slow-link.sh [DELAY [LOSS]]
#
# DELAY is that of one way in milliseconds (100 unless it is given), LOSS the loss on one way in percent (1).
# Needs root, Python, iproute2, and a system that lets it make network namespaces and tunnels; where it
# does not, says so and ends with 77.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

delay=${1:-100}
loss=${2:-1}
namespace="checkers-far-$$"
link=

skip() {
    echo "skipped: $1" >&2
    exit 77
}

clean_up() {
    [[ -z $link ]] || kill "$link" 2>/dev/null || true
    ip netns delete "$namespace" 2>/dev/null || true
}

command -v ip >/dev/null || skip "no ip: apt-get install iproute2"
[[ -c /dev/net/tun ]] || skip "there are no tunnels here (/dev/net/tun)"
trap clean_up EXIT
ip netns add "$namespace" 2>/dev/null || skip "network namespaces are not permitted here"
coproc LINK { exec python3 scripts/slow_link.py "$namespace" "$delay" "$loss"; }
link=$LINK_PID
read -r -t 10 said <&"${LINK[0]}" || skip "the link could not be made"
[[ $said == ready ]] || skip "the link could not be made"

scripts/prepare-node.sh
CHECKERS_BROWSER=1 CHECKERS_FAR_NAMESPACE=$namespace CHECKERS_FAR_ADDRESS=10.213.77.2 \
    ${CHECKERS_RUN:-cargo test -p checkers-server --locked --test it --} browser::far:: --nocapture
