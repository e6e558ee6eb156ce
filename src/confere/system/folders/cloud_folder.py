"""Tells whether a folder is one that a program keeps equal to a cloud's, which damages an open SQLite file."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Final

from confere.system.files import presence

# Names of folders as the programs make them, in any case; what follows a dash is a company's or a person's name.
_NAMES: Final = re.compile(
    r"(OneDrive|Dropbox|Google ?Drive|GoogleDrive-.+|My Drive|iCloud ?Drive|com~apple~CloudDocs|Mobile Documents"
    r"|CloudStorage|Nextcloud|ownCloud|Box Sync|pCloud ?Drive|MEGA(sync)?|SynologyDrive|Yandex\.?Disk|Proton ?Drive"
    r"|Tresorit|Seafile|kDrive|Syncthing)( ?[-(].+)?",
    re.IGNORECASE,
)
_MARKS: Final = (".dropbox", ".dropbox.cache", ".owncloudsync.log", ".nextcloudsync.log", ".stfolder")
"""What such programs leave in the folder that they keep."""
_VARIABLES: Final = ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")  # set by Windows


def cloud_of(path: Path, environ: Mapping[str, str] | None = None) -> str | None:
    """The name of the synced folder in which `path` lies, as it is on the disk; None where none is known."""
    variables = os.environ if environ is None else environ
    for variable in _VARIABLES:
        kept = variables.get(variable)
        if kept and path.is_relative_to(kept):
            return PurePath(kept).name
    for folder in (path, *path.parents):
        if any(presence.is_there(folder / mark) for mark in _MARKS):
            return folder.name
    return cloud_name(path)


def cloud_name(path: PurePath) -> str | None:
    """The first part of a path that is named as such programs name their folders."""
    return next((part for part in path.parts if _NAMES.fullmatch(part)), None)
