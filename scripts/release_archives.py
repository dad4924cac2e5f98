"""Archives that depend on nothing but names, modes and contents of their files, and one time for all.

The files are a dictionary: the path of each, and its mode and content. A path that ends with `/` is a directory.
"""

import gzip
import io
import tarfile
import zipfile
from datetime import UTC, datetime


def write_tar_gz(path, tree, time):
    path.write_bytes(gzip.compress(tar(tree, time), mtime=0))


def tar(tree, time, owners=None):
    """The files as a tar archive, owned by root except for the paths in `owners`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, (mode, content) in sorted(tree.items()):
            entry = tarfile.TarInfo(name)
            entry.mtime = time
            entry.mode = mode
            entry.uid = entry.gid = (owners or {}).get(name, 0)
            if name.endswith("/"):
                entry.type = tarfile.DIRTYPE
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def write_zip(path, tree, time):
    date = datetime.fromtimestamp(time, UTC).timetuple()[:6]
    with zipfile.ZipFile(path, "w") as archive:
        for name, (mode, content) in sorted(tree.items()):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = mode << 16
            archive.writestr(entry, content)
