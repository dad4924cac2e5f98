"""How soon a browser with an empty cache paints the page: first_paint.py SERVER LOADS."""

import json
import re
import statistics
import subprocess
import sys
import urllib.request

FLAGS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,943"]
PAINT = """
    const done = arguments[0];
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') done(startTime);
    }).observe({ type: 'paint', buffered: true });"""


def start(command, pattern):
    """A program and the port that it says."""
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in program.stdout:
        if found := re.search(pattern, line):
            return program, found.group(1)
    raise SystemExit(f"{command[0]} ended before it said its port")


def ask(driver, method, path, body=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{driver}{path}",
        data=None if body is None else json.dumps(body).encode(),
        method=method,
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["value"]


def first_paint(driver, page):
    """In milliseconds, in a browser of its own."""
    options = {"goog:chromeOptions": {"args": FLAGS}}
    session = ask(driver, "POST", "/session", {"capabilities": {"alwaysMatch": options}})["sessionId"]
    try:
        ask(driver, "POST", f"/session/{session}/url", {"url": f"http://127.0.0.1:{page}/"})
        return ask(driver, "POST", f"/session/{session}/execute/async", {"script": PAINT, "args": []})
    finally:
        ask(driver, "DELETE", f"/session/{session}")


def main():
    server, page = start([sys.argv[1], "--port", "0", "--in-memory"], r"listening on ws://[^ ]*:(\d+)")
    driver, port = start(["chromedriver", "--port=0"], r"successfully on port (\d+)")
    try:
        times = sorted(round(first_paint(port, page)) for _ in range(int(sys.argv[2])))
    finally:
        driver.terminate()
        server.terminate()
    print(f"first contentful paint of {len(times)} loads: median {statistics.median(times):.0f} ms, "
          f"fastest {times[0]} ms, slowest {times[-1]} ms")


main()
