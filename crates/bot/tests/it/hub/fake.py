"""An engine for the Hub protocol that does as its first argument says.

It knows no rules: its moves, after the first argument, are played one after the other.
"""

import os
import signal
import sys
import time


def say(line):
    print(line, flush=True)


def never():
    time.sleep(3600)


behaviour, moves = sys.argv[1], sys.argv[2:]
print("engine speaking", file=sys.stderr, flush=True)

for text in sys.stdin:
    command = text.split()[0] if text.split() else ""
    if command == "hub":
        if behaviour == "mute":
            never()
        if behaviour == "babble":
            say("some = \"banner")
        say('id name=Fake version=1 author="No body" country=none')
        variants = "normal killer" if behaviour == "other-variant" else "normal russian"
        say(f'param name=variant value=normal type=enum values="{variants}"')
        say("param name=book value=true type=bool")
        say("wait")
    elif command == "set-param":
        print(text.strip(), file=sys.stderr, flush=True)
    elif command == "init":
        if behaviour == "slow":
            time.sleep(0.5)
        if behaviour == "failing":
            say('error message="no weights"')
        say("ready")
    elif command in ("pos", "level", "new-game"):
        print(text.strip(), file=sys.stderr, flush=True)
    elif command == "go":
        if behaviour == "hang":
            never()
        if behaviour == "crash":
            print("out of luck", file=sys.stderr, flush=True)
            sys.exit(3)
        if behaviour == "flood":
            sys.stdout.write("info pv=" + "x" * 300_000)
            say("")
        if behaviour == "chatter":
            while True:
                say("thinking = about = it")
        if behaviour == "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        if behaviour == "babble":
            say("\x00\xff what = is \"this")
            say("info depth=deep score=good nodes= pv=\"99-1\"")
        if behaviour == "speechless":
            say("done")
        if behaviour == "endless":
            for answer in sys.stdin:
                if answer.strip() == "stop":
                    break
        say('info depth=9 mean-depth=8.5 score=0.25 nodes=1000 time=0.1 nps=0.01 pv="%s 9-13"'
            % moves[0])
        say(f"done move={moves.pop(0)} ponder=9-13")
    elif command == "quit":
        sys.exit(0)
