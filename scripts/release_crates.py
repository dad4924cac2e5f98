"""What the programs consist of: a bill of materials (CycloneDX) and the licences of all crates."""

import json
import subprocess
import uuid
from datetime import UTC, datetime
from pathlib import Path

TARGETS = ("x86_64-unknown-linux-musl", "x86_64-pc-windows-gnu")
LICENCE_FILES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


class Crates:
    """The packages that the programs are linked from, for all systems."""

    def __init__(self, programs):
        self.packages, self.needed = {}, {}
        for target in TARGETS:
            self.add(programs, metadata(target))

    def add(self, programs, found):
        packages = {package["id"]: package for package in found["packages"]}
        nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
        queue = [name for name in found["workspace_members"] if packages[name]["name"] in programs]
        seen = set()
        while queue:
            name = queue.pop()
            if name in seen:
                continue
            seen.add(name)
            self.packages[name] = packages[name]
            linked = [dependency["pkg"] for dependency in nodes[name]["deps"] if is_linked(dependency)]
            self.needed.setdefault(name, set()).update(linked)
            queue += linked

    def sorted(self):
        return sorted(self.packages.values(), key=lambda package: (package["name"], package["version"]))

    def bill_of_materials(self, version, commit, time):
        """The bill of materials as JSON text."""
        checkers = {"type": "application", "bom-ref": "checkers", "name": "checkers", "version": version}
        edges = {reference(self.packages[name]): needed for name, needed in self.needed.items()}
        bill = {
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, commit)}",
            "version": 1,
            "metadata": {
                "timestamp": datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "component": checkers,
            },
            "components": [component(package) for package in self.sorted()],
            "dependencies": [
                {"ref": name, "dependsOn": sorted(reference(self.packages[other]) for other in needed)}
                for name, needed in sorted(edges.items())
            ],
        }
        return json.dumps(bill, indent=1, sort_keys=True) + "\n"

    def licences(self):
        """The licence of each foreign crate, and each text once with the crates that it belongs to."""
        texts, lines = {}, []
        for package in self.sorted():
            if package["source"] is None:
                continue
            label = f"{package['name']} {package['version']}"
            lines.append(f"{label}: {package['license']}")
            for file in sorted(Path(package["manifest_path"]).parent.iterdir()):
                if file.name.upper().startswith(LICENCE_FILES) and file.is_file():
                    text = file.read_text(encoding="utf-8", errors="replace").strip().replace("\r\n", "\n")
                    texts.setdefault(text, []).append(label)
        parts = ["The programs contain the following crates.", "\n".join(lines)]
        parts += [f"{'=' * 80}\n{', '.join(owners)}\n\n{text}" for text, owners in texts.items()]
        return "\n\n".join(parts) + "\n"


def metadata(target):
    command = ["cargo", "metadata", "--locked", "--format-version=1", f"--filter-platform={target}"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def is_linked(dependency):
    """Whether a dependency is part of the program, not only of its build or its tests."""
    return any(kind["kind"] is None for kind in dependency["dep_kinds"])


def component(package):
    described = {
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
    }
    if package["source"] is not None:
        described["purl"] = f"pkg:cargo/{package['name']}@{package['version']}"
    return described


def reference(package):
    return f"{package['name']}@{package['version']}"
