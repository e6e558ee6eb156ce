"""A window that did not end by itself is known at the next start, and its report names nobody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from confere.app.maintenance.crash_report import WindowRun, impersonal
from confere.system.paths import Home
from tests.conftest import ROOT

PERSONAL = (
    "35261012345678000195550010000065391123456789",
    "12.345.678/0001-95",
    "12345678000195",
    "529.982.247-25",
    "patricia@example.com",
    "Patricia Souza",
    "/home/patricia",
    "C:\\Users\\Patricia",
    "hub.example.com",
    "s3cr3t-token",
)
LOG = """2026-11-25 10:00:00,000Z INFO 4242 MainThread confere.sync: Synced {keys}
2026-11-25 10:00:01,000Z ERROR 4242 MainThread confere.window: Unexpected: Traceback (most recent call last):
  File "/home/patricia/confere/desktop/main.py", line 20, in open_window
    raise KeyError(name)
KeyError: 'Patricia Souza'
of Patricia Souza, on a second line
ArchiveMissing: nothing of Patricia is there
2026-11-25 10:00:02,000Z WARNING 4242 MainThread confere.hub: GET https://hub.example.com/v2/orders?buyer=x 500
2026-11-25 10:00:03,000Z WARNING 4242 MainThread confere.files: "C:\\Users\\Patricia Souza\\notas.zip" of {keys}
2026-11-25 10:00:04,000Z WARNING 4242 MainThread confere.files: /home/patricia/Área de trabalho/x.xml cannot be read
2026-11-25 10:00:05,000Z WARNING 4242 MainThread confere.hub: Service-Token: s3cr3t-token
2026-11-25 10:00:06,000Z WARNING 4242 MainThread confere.hub: no answer to patricia@example.com, 529.982.247-25
"""


def test_a_window_that_was_closed_leaves_nothing(tmp_path: Path) -> None:
    run = WindowRun(Home(tmp_path))
    assert run.begin() is None
    run.end()
    assert list((tmp_path / "logs").iterdir()) == []
    assert run.begin() is None
    run.end()


def test_what_a_killed_window_leaves_names_nobody(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "window.running").write_text(json.dumps({"pid": 4242, "began": "2026-11-25T10:00:00Z"}))
    (logs / "window.fault").write_text(
        "Fatal Python error: Segmentation fault\n"
        '  File "/home/patricia/confere/desktop/theme/theme.py", line 68 in _apply\n'
    )
    (logs / "confere-20261125T100000-4242.log").write_text(LOG.format(keys=" ".join(PERSONAL[:4])), encoding="utf-8")
    (logs / "confere-20261125T100000-4243.log").write_text(LOG.replace("4242", "4243").replace("buyer", "another"))
    run = WindowRun(Home(tmp_path))
    found = run.begin()
    run.end()
    assert found is not None
    assert found.began == "2026-11-25T10:00:00Z"
    for name in PERSONAL:
        assert name not in found.report, name
    assert "patricia" not in found.report.lower()
    assert "Synced" not in found.report
    for needed in ("Segmentation fault", "theme.py", "line 68 in _apply", "main.py", "KeyError", "confere: ", "500"):
        assert needed in found.report, needed


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"pid": "x"}'])
def test_what_was_cut_off_while_it_was_written_is_a_crash_too(tmp_path: Path, kept: str) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "window.running").write_text(kept)
    run = WindowRun(Home(tmp_path))
    assert run.begin() is not None
    run.end()


def test_a_signal_leaves_where_it_stood(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys\n"
        "from confere.app.maintenance.crash_report import WindowRun\n"
        "from confere.system.paths import Home\n"
        "WindowRun(Home(pathlib.Path(sys.argv[1]))).begin()\n"
        "os.abort()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, env=dict(os.environ), capture_output=True, check=False
    )
    assert ended.returncode != 0
    run = WindowRun(Home(tmp_path))
    found = run.begin()
    run.end()
    assert found is not None
    assert "Fatal Python error" in found.report
    assert str(tmp_path) not in found.report


def test_a_folder_that_takes_nothing_hinders_no_start(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    run = WindowRun(Home(tmp_path))
    assert run.begin() is None
    run.end()


_KEY = f"352610S33KVDAL000147{'550010000012341123456780':0<24}"


@pytest.mark.parametrize(
    "number",
    [
        "S33KVDAL000147",
        "s33kvdal000147",
        "12.ABC.345/01DE-35",
        "12ABC345/01DE-35",
        "12.345.678/0001-95",
        "12345678000195",
        "123.456.789-09",
        _KEY,
        " ".join(_KEY[place : place + 4] for place in range(0, 44, 4)),
        f"350000012S33KVDAL0001{'4' * 29}",
    ],
)
@pytest.mark.parametrize("text", ["{}", "NF-e {}: no protocol", "export_{}_2026.zip", "company={};", "({})"])
def test_numbers_with_letters_are_masked_whole(number: str, text: str) -> None:
    assert impersonal(text.format(number)) == text.format("[number]")


def test_a_key_is_masked_in_an_id_and_in_a_name() -> None:
    assert impersonal(f"NFe{_KEY} {_KEY}-nfe.xml") == "NFe[number] [number]-nfe.xml"


def test_words_of_ours_stay() -> None:
    text = 'File "list_model.py", line 206, in headerData'
    assert impersonal(text) == text


@pytest.mark.parametrize("part", ["a", "1.", "/a b", "x@"])
def test_of_a_very_long_line_only_the_beginning_is_looked_at(part: str) -> None:
    """A hub's answer in the log would keep the next window from opening for hours."""
    text = impersonal(f"begins {part * 500_000}\nends")
    assert text.startswith("begins") and text.endswith("\nends") and len(text) < 3000


@pytest.mark.parametrize("before", [1900, 1985, 1990, 1994, 2000])
@pytest.mark.parametrize(
    "named",
    ["patricia@example.com", "'Patricia Souza'", '"Patricia Souza"', '{"name":"Patricia Souza"}', "/patricia/x"],
)
def test_where_a_long_line_is_cut_nobody_is_named(named: str, before: int) -> None:
    text = impersonal(f"it's {'a ' * (before // 2)}{named} {'b' * 3000}")
    assert "atric" not in text and "Souza" not in text
