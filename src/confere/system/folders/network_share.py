"""Tells whether a folder lies on a network share, where SQLite's locks cannot be trusted. Best effort."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

_NETWORK_TYPES = frozenset(
    {
        *("9p", "afpfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "drvfs", "glusterfs", "gpfs", "lustre"),
        *("ncpfs", "nfs", "nfs3", "nfs4", "smb", "smb2", "smb3", "smbfs", "sshfs", "webdav", "vboxsf"),
        *("davfs2", "gvfsd-fuse", "rclone", "s3fs", "vmhgfs-fuse"),
    }
)
_DRIVE_REMOTE = 4  # GetDriveTypeW
_OCTAL = re.compile(r"\\([0-7]{3})")
_MAC_LINE = re.compile(r"^.+? on (?P<point>/.*) \((?P<type>[^,)]+)[,)]")

Mount = tuple[str, str]  # mount point, file system type


def on_network_share(path: Path) -> bool:
    """True when `path` is known to be on a network share; False when it is not, or nobody can tell."""
    if os.name == "nt":
        return is_unc(str(path)) or _is_remote_drive(path)
    return is_network_type(file_system_of(path))


def file_system_of(path: Path) -> str | None:
    """The type of the file system that `path` is on, as the system calls it; None where nobody can tell."""
    if os.name == "nt":
        return None
    if sys.platform == "darwin":
        mounts = mac_mounts(_output_of_mount())
    else:
        mounts = linux_mounts(_text_of(Path("/proc/mounts")))
    return type_at(os.path.realpath(path), mounts)


def is_unc(path: str) -> bool:
    r"""True for `\\server\share\…` and its long form `\\?\UNC\…`, not for `\\?\C:\…` or `\\.\pipe\…`."""
    slashed = path.replace("/", "\\")
    if slashed.upper().startswith("\\\\?\\UNC\\"):
        return True
    return slashed.startswith("\\\\") and not slashed.startswith(("\\\\?\\", "\\\\.\\"))


def is_network_type(file_system: str | None) -> bool:
    """True for the names that systems give to network file systems, with or without `fuse.` in front."""
    return file_system is not None and file_system.lower().removeprefix("fuse.") in _NETWORK_TYPES


def type_at(path: str, mounts: Iterable[Mount]) -> str | None:
    """File system type of the deepest mount that holds `path` (absolute, resolved); the last one mounted wins."""
    wanted = PurePosixPath(path)
    best: tuple[int, str] | None = None
    for point, file_system in mounts:
        place = PurePosixPath(point)
        if wanted.is_relative_to(place) and (best is None or len(place.parts) >= best[0]):
            best = (len(place.parts), file_system)
    return best[1] if best else None


def linux_mounts(text: str) -> list[Mount]:
    """Read /proc/mounts; spaces in a mount point are written there as octal escapes."""
    fields = (line.split(" ") for line in text.splitlines())
    return [(_OCTAL.sub(_from_octal, row[1]), row[2]) for row in fields if len(row) > 2]


def mac_mounts(text: str) -> list[Mount]:
    """Read the output of macOS's `mount`: `//ana@server/share on /Volumes/share (smbfs, nodev)`."""
    matches = (_MAC_LINE.match(line) for line in text.splitlines())
    return [(match["point"], match["type"].strip()) for match in matches if match]


def _from_octal(match: re.Match[str]) -> str:
    return chr(int(match[1], 8))


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def _output_of_mount() -> str:
    import subprocess

    try:
        run = subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout


def _is_remote_drive(path: Path) -> bool:
    remote = False
    if sys.platform == "win32":
        import ctypes

        kind = ctypes.WinDLL("kernel32").GetDriveTypeW(path.drive + "\\")
        remote = bool(path.drive) and kind == _DRIVE_REMOTE
    return remote
