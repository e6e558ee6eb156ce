"""A frozen Confere leaves the programs that it starts the system's libraries."""

from __future__ import annotations

import os
import runpy
import sys

import pytest

from tests.conftest import ROOT

FORGET = runpy.run_path(str(ROOT / "packaging" / "entry.py"), run_name="entry")["forget_own_libraries"]


@pytest.fixture(autouse=True)
def _as_started_by_pyinstaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/confere/_internal")
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)


def test_what_the_user_had_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/opt/oracle/lib")
    FORGET()
    assert os.environ["LD_LIBRARY_PATH"] == "/opt/oracle/lib"
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ


def test_a_user_who_had_none_has_none() -> None:
    FORGET()
    assert "LD_LIBRARY_PATH" not in os.environ


def test_other_systems_keep_what_is_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    FORGET()
    assert os.environ["LD_LIBRARY_PATH"] == "/opt/confere/_internal"
