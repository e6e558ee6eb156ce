"""A configuration that belongs to the tests: no account of theirs is written into the developer's own."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

import pytest

from confere.system.secrets.token_bindings import TokenBindings

VARIABLES: Final = ("XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA")
"""Where each system is told to look for configuration."""
_MARK: Final = "CONFERE_TESTS_CONFIGURATION"


def use_temporary() -> None:
    """Use a folder that is gone with this process, for it and all that it starts; one for all processes of a test run,
    since data folders that they share hold accounts, whose tokens stand there."""
    if _MARK in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="confere-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in (*VARIABLES, _MARK):
        os.environ[name] = folder


def use_copy(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Use a configuration in `folder` with what is bound now: what the test binds is gone with it."""
    bound = TokenBindings().file
    for name in VARIABLES:
        monkeypatch.setenv(name, str(folder))
    if bound.is_file():
        copy = TokenBindings().file
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(bound, copy)
