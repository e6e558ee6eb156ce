"""The entry point of the window says in one sentence that there is none yet, also where there is no stderr."""

from __future__ import annotations

import sys

import pytest

from confere.desktop.main import main


def test_it_says_so_and_cannot(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "no window" in said.err


def test_a_windowed_program_has_no_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3
