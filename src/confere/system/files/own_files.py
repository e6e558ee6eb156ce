"""Opening Confere's own files as strangers' are opened: no link followed, regular files only, bounded.

Whoever can write to the data folder could lay a link, a pipe or a giant in the place of a file of ours: what is
written would then change a file elsewhere, and what is read might never end.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from confere.errors import EnvironmentFault, Message, message
from confere.system.files import regular_files

_REPARSE_POINT: Final = 0x400  # FILE_ATTRIBUTE_REPARSE_POINT
_NAME_SURROGATE: Final = 0x20000000  # set in the tags of links and mount points, not in those of files kept in a cloud
_FLAGS: Final = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class OwnFileRefused(EnvironmentFault):
    """What has the name of a file or folder of ours is another thing; it was neither read nor written."""


def read_own(path: Path, most: int) -> bytes:
    """The content of a file of ours. Raises `OSError` as `open` does, `OwnFileRefused` for what is none of ours.

    `most` is the size in bytes beyond which nothing that Confere wrote can be.
    """
    descriptor = open_own(path, os.O_RDONLY)
    with os.fdopen(descriptor, "rb") as file:
        refuse_size(path, os.fstat(descriptor).st_size, most)
        data = file.read(most + 1)  # it may grow meanwhile
        refuse_size(path, len(data), most)
    return data


def open_own(path: Path, flags: int, mode: int = 0o600) -> int:
    """A descriptor of a file of ours, opened with `flags`. Raises `OSError`, `OwnFileRefused`. Never waits.

    A file that is to be written may have no second name elsewhere. `O_TRUNC` holds only once that is known.
    """
    _refuse_seen(path)  # not opened at all: some devices act on that, and Windows follows links
    descriptor = os.open(path, flags & ~os.O_TRUNC | _FLAGS, mode)
    try:
        seen = os.fstat(descriptor)  # another may have taken its place meanwhile
        refuse(path, seen)
        if flags & (os.O_WRONLY | os.O_RDWR):
            refuse_second_name(path, seen)
        if flags & os.O_TRUNC:
            os.ftruncate(descriptor, 0)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def write_own(path: Path, data: bytes) -> None:
    """Write a file of ours in place, closed to other users. Raises `OSError`, `OwnFileRefused`."""
    with os.fdopen(open_own(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as file:
        file.write(data)


def is_own_folder(path: Path) -> bool:
    """Whether a folder is at `path` itself, no link to one; where nobody may look there is none."""
    try:
        return problem_of(path, os.lstat(path), is_folder=True) is None
    except OSError:
        return False


def is_own_file(path: Path) -> bool:
    """Whether a regular file is at `path` itself, no link to one; where nobody may look there is none."""
    try:
        return problem_of(path, os.lstat(path)) is None
    except OSError:
        return False


def refuse(path: Path, seen: os.stat_result, *, is_folder: bool = False) -> None:
    """Raise `OwnFileRefused` where what was `seen` at `path` (by `lstat`) is no regular file, or no folder."""
    problem = problem_of(path, seen, is_folder=is_folder)
    if problem is None:
        return
    if is_link(seen):
        raise OwnFileRefused(
            problem,
            message(
                "Put the file or folder itself in its place, or move the link away. To keep the data on another disk,"
                " choose the whole folder with `confere home DIR`."
            ),
        )
    raise OwnFileRefused(problem, message("Move it out of the data folder and try again."))


def refuse_size(path: Path, size: int, most: int) -> None:
    """Raise `OwnFileRefused` for a file of more than `most` bytes."""
    if size > most:
        raise OwnFileRefused(
            message(
                "{path} is larger than anything that Confere writes there ({size} bytes), so it was not read.",
                path=str(path),
                size=size,
            ),
            message("Move it out of the data folder and try again."),
        )


def refuse_second_name(path: Path, seen: os.stat_result) -> None:
    """Raise `OwnFileRefused` for a file that has another name elsewhere: writing would change that one too."""
    if seen.st_nlink > 1:
        raise OwnFileRefused(
            message(
                "{path} has a second name elsewhere (a hard link): writing to it would change that file too.",
                path=str(path),
            ),
            message("Copy the file, and give the copy its name; then try again."),
        )


def problem_of(path: Path, seen: os.stat_result, *, is_folder: bool = False) -> Message | None:
    """What is at `path` where it is no regular file, or with `is_folder` no folder; else None."""
    if is_link(seen):
        return message(
            "{path} is a link. Confere follows none in its data folder; what it leads to was not touched.",
            path=str(path),
        )
    if is_folder:
        if stat.S_ISDIR(seen.st_mode):
            return None
        return message("{path} is a file, not a folder.", path=str(path))
    return regular_files.problem_of(path, seen.st_mode)


def is_link(seen: os.stat_result) -> bool:
    """Whether what `lstat` saw leads elsewhere: a symbolic link, or on Windows a junction too."""
    if stat.S_ISLNK(seen.st_mode):
        return True
    attributes, tag = getattr(seen, "st_file_attributes", 0), getattr(seen, "st_reparse_tag", 0)
    return bool(attributes & _REPARSE_POINT and tag & _NAME_SURROGATE)


def _refuse_seen(path: Path) -> None:
    try:
        seen = path.lstat()
    except FileNotFoundError:
        return
    refuse(path, seen)
