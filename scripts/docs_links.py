"""Checks the links of a document to files of the repository and to headings in them, and that the book has all pages."""

import re
from functools import cache

LINK = re.compile(r"\]\(([^)\s]+)\)")
ADDRESS = re.compile(r"[a-z]+:")


def broken(path, lines):
    """Yields each line with a link that leads nowhere, and what is wrong with it."""
    for line, text in outside_blocks(lines):
        for target in LINK.findall(text):
            if ADDRESS.match(target):
                continue
            name, _, heading = target.partition("#")
            file = path.parent / name if name else path
            if not file.exists():
                yield line, f"there is no {target}"
            elif heading and heading not in headings(file):
                yield line, f"{file} has no heading #{heading}"


def missing_pages(path, lines):
    """Yields each page beside a table of contents that it does not list. The book would leave it out."""
    if path.name != "SUMMARY.md":
        return
    listed = {target for line in lines for target in LINK.findall(line)} | {path.name}
    for page in sorted(path.parent.rglob("*.md")):
        if str(page.relative_to(path.parent)) not in listed:
            yield 1, f"{page} is not listed"


@cache
def headings(path):
    """The anchors of a document's headings, as GitHub and mdBook make them."""
    found = []
    for _, text in outside_blocks(path.read_text(encoding="utf-8").splitlines()):
        if heading := re.match(r"#+ (.+)", text):
            anchor = re.sub(r"[^\w\- ]", "", heading[1].lower()).strip().replace(" ", "-")
            same = sum(re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", other) is not None for other in found)
            found.append(f"{anchor}-{same}" if same else anchor)
    return found


def outside_blocks(lines):
    """The lines outside of fenced blocks, each with its number."""
    is_outside = True
    for line, text in enumerate(lines, 1):
        if text.startswith("```"):
            is_outside = not is_outside
        elif is_outside:
            yield line, text
