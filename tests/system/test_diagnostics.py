"""The description of the machine names versions, and neither a user nor a path."""

from __future__ import annotations

import getpass
import platform
from importlib import metadata
from pathlib import Path

import pytest

from confere.system.diagnostics import describe, version


def test_it_names_what_runs() -> None:
    facts = describe()
    assert facts["confere"] == version() == metadata.version("confere")
    assert facts["python"].startswith(platform.python_version())
    assert facts["language"] == "en"
    assert facts["lxml"] == metadata.version("lxml")
    assert list(facts)[:3] == ["confere", "python", "system"]


def test_it_names_no_one() -> None:
    text = " ".join(describe().values())
    assert str(Path.home()) not in text
    assert f" {getpass.getuser()} " not in f" {text} "
    assert platform.node() not in text or len(platform.node()) < 4


def test_a_library_that_is_missing_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", nothing)
    assert describe()["confere"] == "unknown"
    assert "lxml" not in describe()
