"""Packs the files of a release.

    release_files.py --programs DIR --pages DIR --commit HASH --time SECONDS [--version VERSION] OUT

DIR of `--programs` has the static programs for Linux, and those for Windows that compiled. DIR of `--pages` has their
man pages and completions. All files get the time of the commit, and depend on nothing else but their contents.
"""

import argparse
import email.utils
import gzip
import hashlib
import os
import re
import struct
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import release_archives
import release_image
from release_crates import Crates

PROGRAMS = ("checkers-server", "checkers-bot", "checkers-bot-test", "checkers-lab")
DEBIAN = Path("scripts/debian")
CRATE_LICENCES = "LICENSES-OF-CRATES.txt"
ELF_INTERPRETER = 3
ELF_X86_64 = 62


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--pages", type=Path, required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--time", type=int, required=True)
    parser.add_argument("--version")
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    try:
        Release(options).write()
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")


class Release:
    def __init__(self, options):
        manifest = tomllib.loads(Path("Cargo.toml").read_text(encoding="utf-8"))
        self.version = options.version or manifest["workspace"]["package"]["version"]
        self.commit, self.time, self.out = options.commit, options.time, options.out
        self.pages = options.pages
        self.programs = {name: static_program(options.programs / name) for name in PROGRAMS}
        windows = (options.programs / f"{name}.exe" for name in PROGRAMS)
        self.windows = {path.name: path.read_bytes() for path in windows if path.exists()}
        self.crates = Crates(PROGRAMS)
        names = ("README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE")
        self.documents = {name: Path(name).read_bytes() for name in names}
        self.documents[CRATE_LICENCES] = self.crates.licences().encode()

    def write(self):
        self.out.mkdir(parents=True, exist_ok=True)
        name = f"checkers-{self.version}"
        release_archives.write_tar_gz(self.out / f"{name}-x86_64-linux.tar.gz", self.archive(name), self.time)
        if self.windows:
            tree = self.windows | self.documents
            tree = {f"{name}/{file}": (0o644, content) for file, content in tree.items()}
            release_archives.write_zip(self.out / f"{name}-x86_64-windows.zip", tree, self.time)
        release_image.write_image(
            self.out / f"checkers-server-{self.version}-image.tar",
            self.programs["checkers-server"],
            {file: content for file, content in self.documents.items() if file.startswith("LICENSE")},
            self.version,
            self.commit,
            self.time,
        )
        self.write_package()
        bill = self.crates.bill_of_materials(self.version, self.commit, self.time)
        (self.out / f"{name}.cdx.json").write_text(bill, encoding="utf-8")
        (self.out / "release-notes.md").write_text(release_notes(self.version), encoding="utf-8")
        self.write_checksums()

    def archive(self, folder):
        tree = {name: (0o755, content) for name, content in self.programs.items()}
        tree |= {name: (0o644, content) for name, content in self.documents.items()}
        for path in self.pages.rglob("*"):
            if path.is_file():
                tree[str(path.relative_to(self.pages))] = (0o644, path.read_bytes())
        return {f"{folder}/{name}": entry for name, entry in tree.items()}

    def write_package(self):
        tree = {f"usr/bin/{name}": (0o755, content) for name, content in self.programs.items()}
        tree |= {name: (0o644, content) for name, content in self.package_files().items()}
        size = sum(len(content) for _, content in tree.values()) // 1024
        control = (DEBIAN / "control").read_text(encoding="utf-8")
        control = control.replace("@VERSION@", self.version).replace("@SIZE@", str(size))
        tree["DEBIAN/control"] = (0o644, control.encode())
        settings = sorted(f"/{name}\n" for name in tree if name.startswith("etc/"))
        tree["DEBIAN/conffiles"] = (0o644, "".join(settings).encode())
        for name in ("postinst", "prerm", "postrm"):
            tree[f"DEBIAN/{name}"] = (0o755, (DEBIAN / name).read_bytes())
        with tempfile.TemporaryDirectory() as root:
            write_tree(Path(root), tree)
            command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", root]
            package = self.out / f"checkers-server_{self.version}_amd64.deb"
            environment = os.environ | {"SOURCE_DATE_EPOCH": str(self.time)}
            subprocess.run([*command, package], check=True, stdout=subprocess.DEVNULL, env=environment)

    def package_files(self):
        """The files of the Debian package beside the programs."""
        documents = "usr/share/doc/checkers-server"
        files = {
            "etc/checkers/server.toml": Path("docs/examples/checkers-server.toml").read_bytes(),
            "lib/systemd/system/checkers-server.service": packaged_unit(),
            f"{documents}/copyright": self.copyright(),
            f"{documents}/changelog.gz": gzip.compress(self.debian_changelog(), mtime=0),
            f"{documents}/{CRATE_LICENCES}.gz": gzip.compress(self.documents[CRATE_LICENCES], mtime=0),
            f"{documents}/CHANGELOG.md.gz": gzip.compress(self.documents["CHANGELOG.md"], mtime=0),
            f"{documents}/running-a-server.md": Path("docs/running-a-server.md").read_bytes(),
        }
        for page in (self.pages / "man").glob("*.1"):
            files[f"usr/share/man/man1/{page.name}.gz"] = gzip.compress(page.read_bytes(), mtime=0)
        for name in PROGRAMS:
            completions = {
                f"{name}.bash": f"usr/share/bash-completion/completions/{name}",
                f"_{name}": f"usr/share/zsh/vendor-completions/_{name}",
                f"{name}.fish": f"usr/share/fish/vendor_completions.d/{name}.fish",
            }
            for file, place in completions.items():
                files[place] = (self.pages / "completions" / file).read_bytes()
        return files

    def copyright(self):
        ours = self.documents["LICENSE-MIT"].decode()
        apache = "or under the Apache License 2.0: /usr/share/common-licenses/Apache-2.0"
        return f"{ours}\n{apache}\n\nThe licences of what the programs contain: {CRATE_LICENCES}.gz\n".encode()

    def debian_changelog(self):
        control = (DEBIAN / "control").read_text(encoding="utf-8")
        maintainer = re.search(r"^Maintainer: (.+)$", control, flags=re.MULTILINE)[1]
        date = email.utils.formatdate(self.time)
        head = f"checkers-server ({self.version}) unstable; urgency=medium"
        return f"{head}\n\n  * CHANGELOG.md.gz lists the changes.\n\n -- {maintainer}  {date}\n".encode()

    def write_checksums(self):
        files = sorted(path for path in self.out.iterdir() if path.name != "SHA256SUMS")
        lines = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
        (self.out / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def static_program(path):
    """The content of a program for Linux on x86-64 that needs no shared library."""
    content = path.read_bytes()
    if content[:4] != b"\x7fELF" or struct.unpack_from("<H", content, 18)[0] != ELF_X86_64:
        raise ValueError(f"{path} is not a program for Linux on x86-64")
    start, size, count = (
        struct.unpack_from("<Q", content, 32)[0],
        *struct.unpack_from("<HH", content, 54),
    )
    kinds = [struct.unpack_from("<I", content, start + number * size)[0] for number in range(count)]
    if ELF_INTERPRETER in kinds:
        raise ValueError(f"{path} is not static: build it for x86_64-unknown-linux-musl")
    return content


def packaged_unit():
    """The example unit, for the paths and the user of the package."""
    unit = Path("docs/examples/checkers-server.service").read_text(encoding="utf-8")
    changes = {
        "/usr/local/share/doc/checkers/": "/usr/share/doc/checkers-server/",
        "/usr/local/bin/": "/usr/bin/",
        "DynamicUser=yes": "User=checkers\nGroup=checkers",
    }
    for old, new in changes.items():
        if old not in unit:
            raise ValueError(f"the example unit lacks {old}")
        unit = unit.replace(old, new)
    return unit[unit.index("[Unit]") :].encode()


def release_notes(version):
    """The changes of the version, or those after the last one, from CHANGELOG.md."""
    text = Path("CHANGELOG.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\S+).*\n((?:(?!## ).*\n?)*)", text, flags=re.MULTILINE))
    changes = sections.get(version) or sections.get("Unreleased")
    if changes is None:
        raise ValueError(f"CHANGELOG.md has no section for {version}")
    return f"# Checkers {version}\n\n{changes.strip()}\n"


def write_tree(root, tree):
    root.chmod(0o755)
    for name, (mode, content) in tree.items():
        path = root / name
        for folder in reversed(path.relative_to(root).parents[:-1]):
            (root / folder).mkdir(mode=0o755, exist_ok=True)
            (root / folder).chmod(0o755)
        path.write_bytes(content)
        path.chmod(mode)


if __name__ == "__main__":
    main()
