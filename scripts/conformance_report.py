"""Reads the index of an Autobahn run and prints a page about it. Exits with 1 if a case failed.

    conformance_report.py INDEX SUITE COMMIT
"""

import json
import sys
from collections import Counter

# What the suite lets pass.
GOOD = {"OK", "NON-STRICT", "INFORMATIONAL"}
SECTIONS = {
    1: "framing",
    2: "pings and pongs",
    3: "reserved bits",
    4: "opcodes",
    5: "fragmentation",
    6: "UTF-8",
    7: "closing",
    9: "limits, up to 16 MiB",
    10: "fragments of odd sizes",
}


def number(case: str) -> list[int]:
    return [int(part) for part in case.split(".")]


def is_good(result: dict) -> bool:
    return result["behavior"] in GOOD and result["behaviorClose"] in GOOD


def row(cells: list) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def main(index: str, suite: str, commit: str) -> int:
    with open(index, encoding="utf-8") as file:
        (results,) = json.load(file).values()
    cases = sorted(results, key=number)
    bad = [case for case in cases if not is_good(results[case])]
    total = Counter(results[case]["behavior"] for case in cases)
    kinds = sorted(total, key=lambda kind: -total[kind])

    print("# WebSocket conformance\n")
    print(f"Written by `scripts/conformance.sh` at commit {commit}, with {suite}.\n")
    print("The suite connects to a route that echoes every message, with the same limits, handshake, frame")
    print("reader and close handling as the players' WebSocket. Only builds with the feature `conformance`")
    print("have it. Its messages may have 16 MiB; players' may have 16 KiB, and a longer one closes the")
    print("connection with 1009. Compression (cases 12 and 13) is not offered.\n")
    print(f"**{len(cases)} cases, {len(bad)} failed.** Closing counts as part of a case.\n")
    print(row(["cases", "about", *kinds]))
    print(row(["---"] * (2 + len(kinds))))
    for section in sorted({number(case)[0] for case in cases}):
        mine = Counter(results[c]["behavior"] for c in cases if number(c)[0] == section)
        about = SECTIONS.get(section, "")
        print(row([f"{section}.*", about, *(mine[kind] for kind in kinds)]))
    print(row(["all", "", *(total[kind] for kind in kinds)]))
    for kind in kinds:
        if kind != "OK":
            named = ", ".join(case for case in cases if results[case]["behavior"] == kind)
            print(f"\n{kind}: {named}.")
    if bad:
        ends = (f"{c} ({results[c]['behavior']}, close {results[c]['behaviorClose']})" for c in bad)
        print(f"\nFAILED: {', '.join(ends)}.")
    return 1 if bad or not cases else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
