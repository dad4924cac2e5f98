"""The container image of the server: an OCI layout, which is also in the form of `docker save`, in one tar archive.

OCI images have no health check. Docker's field of the configuration has one; other programs ignore it.
"""

import gzip
import hashlib
import json
from datetime import UTC, datetime

import release_archives

USER = 10001
PORT = "43210/tcp"
SECOND = 1_000_000_000
# Of the archive, and of the unpacked files.
LARGEST_IMAGE = 30_000_000


def write_image(path, server, documents, version, commit, time):
    """Writes the image with the static program `server` and the files of `documents` in /usr/share/doc."""
    layer = root(server, documents, time)
    if len(layer) > LARGEST_IMAGE:
        raise ValueError(f"the image has {len(layer)} bytes, more than {LARGEST_IMAGE}")
    packed = gzip.compress(layer, mtime=0)
    blobs = {}
    layer_entry = add_blob(blobs, packed, "application/vnd.oci.image.layer.v1.tar+gzip")
    config = json_bytes(configuration(digest(layer), version, commit, time))
    config_entry = add_blob(blobs, config, "application/vnd.oci.image.config.v1+json")
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config_entry,
        "layers": [layer_entry],
    }
    manifest_entry = add_blob(blobs, json_bytes(manifest), manifest["mediaType"])
    manifest_entry["annotations"] = {"org.opencontainers.image.ref.name": version}
    index = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [manifest_entry],
    }
    saved = {
        "Config": blob_path(config_entry["digest"]),
        "RepoTags": [f"checkers-server:{version}"],
        "Layers": [blob_path(layer_entry["digest"])],
    }
    files = blobs | {
        "oci-layout": json_bytes({"imageLayoutVersion": "1.0.0"}),
        "index.json": json_bytes(index),
        "manifest.json": json_bytes([saved]),
    }
    path.write_bytes(release_archives.tar({name: (0o644, content) for name, content in files.items()}, time))


def root(server, documents, time):
    """The files of the image as a tar archive."""
    account = f"checkers:x:{USER}:"
    tree = {
        "data/": (0o700, b""),
        "etc/": (0o755, b""),
        "etc/group": (0o644, f"root:x:0:\n{account}\n".encode()),
        "etc/passwd": (0o644, f"root:x:0:0::/:/\n{account}{USER}::/data:/\n".encode()),
        "tmp/": (0o1777, b""),
        "usr/": (0o755, b""),
        "usr/bin/": (0o755, b""),
        "usr/bin/checkers-server": (0o755, server),
    }
    for name, content in documents.items():
        tree[f"usr/share/doc/checkers-server/{name}"] = (0o644, content)
    return release_archives.tar(tree, time, owners={"data/": USER})


def configuration(layer, version, commit, time):
    created = datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "created": created,
        "architecture": "amd64",
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {PORT: {}},
            "Env": ["PATH=/usr/bin", "CHECKERS_DATA=/data"],
            "Entrypoint": ["/usr/bin/checkers-server"],
            "Volumes": {"/data": {}},
            "WorkingDir": "/data",
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "checkers-server",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.revision": commit,
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/checkers-server", "healthcheck"],
                "Interval": 30 * SECOND,
                "Timeout": 6 * SECOND,
                "StartPeriod": 10 * SECOND,
                "Retries": 3,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [layer]},
        "history": [{"created": created, "created_by": "scripts/release.sh"}],
    }


def add_blob(blobs, content, media_type):
    """Adds the blob to `blobs` and returns its descriptor."""
    name = digest(content)
    blobs[blob_path(name)] = content
    return {"mediaType": media_type, "digest": name, "size": len(content)}


def blob_path(name):
    return "blobs/" + name.replace(":", "/")


def digest(content):
    return "sha256:" + hashlib.sha256(content).hexdigest()


def json_bytes(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
