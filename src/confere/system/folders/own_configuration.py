"""The folder of what belongs to this installation and to no data folder: which one was chosen, where tokens go."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def configuration_folder() -> Path:
    """The system's place for configuration; nothing is made.

    Windows and macOS have one place for configuration and data, which is the usual data folder: the configuration lies
    beside it there, since that folder may be moved, removed or come from somebody else.
    """
    folder = Path(platformdirs.user_config_dir("Confere", appauthor=False))
    return folder.with_name("Confere Settings") if folder == usual_folder() else folder


def usual_folder() -> Path:
    """The system's place for user data, which is the data folder where nobody chose another."""
    return Path(platformdirs.user_data_dir("Confere", appauthor=False))
