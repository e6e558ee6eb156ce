"""Whatever stdout is (a pipe that closes, a full disk, an old code page, a narrow terminal), nothing crashes."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.context import Workspace
from confere.app.documents.browse import DocumentQuery, find
from confere.cli import output, tables
from confere.cli.output import Mode, Output
from confere.errors import EnvironmentFault
from confere.system.messages import RenderedError
from tests.breadth import some_of
from tests.cli.running import ENVIRONMENT, Call

CONFERE = [sys.executable, "-W", "error", "-m", "confere"]


@pytest.mark.parametrize("options", [("--json",), ()])
def test_a_reader_that_goes_away_is_no_error(archived: Path, options: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*CONFERE, "list", "--all", "--home", str(archived), *options],
            stdout=write,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    finally:
        os.close(write)
    assert done.returncode == 0
    assert "Error" not in done.stderr
    assert "confere:" not in done.stderr


class Full(io.StringIO):
    """A file on a disk without room."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("options", [("--json",), ()])
def test_a_full_disk_behind_stdout_is_told(
    call: Call, archived: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    monkeypatch.setattr(output, "_to_nowhere", lambda stream: monkeypatch.setattr(sys, "stdout", io.StringIO()))
    monkeypatch.setattr(sys, "stdout", Full())
    done = call("list", "--home", archived, *options)
    assert done.code == 3
    assert "cannot be written" in done.err


EVERYTHING = """
import sys
from confere.cli.main import run
from confere.cli.output import Output, prepare_streams
prepare_streams()
out = Output()
out.text("\uff2e \u2192 ção\\n")
out.print("\uff2e \u2192 ção")
out.aside("\uff2e \u2192 ção")
home = sys.argv[1]
codes = [run([*line, "--home", home]) for line in (["list", "--all"], ["--help"], ["show", "1"])]
sys.stdout.write("@@@")
sys.exit(sum(codes) + run(["list", "--all", "--json", "--home", home]))
"""


@pytest.mark.parametrize("encoding", some_of(["cp1252", "utf-8", "ascii:strict"], 2))
def test_every_encoding_takes_every_name(archived: Path, encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", EVERYTHING, str(archived)],
        env={**ENVIRONMENT, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    people, _, program = done.stdout.partition(b"@@@")
    assert json.loads(program)["total"] > 20
    text = people.decode(encoding.partition(":")[0])
    assert ("\uff2e \u2192 ção" in text) == (encoding == "utf-8")
    assert "35180834128745000152550010000476861118934859" in text


def test_streams_become_utf8_unless_the_user_named_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def encodings(**variables: str) -> tuple[str, str]:
        monkeypatch.delenv("PYTHONIOENCODING", raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        for name in ("stdout", "stderr"):
            monkeypatch.setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding="cp1252"))
        output.prepare_streams()
        assert sys.stdout.errors == "replace"
        return sys.stdout.encoding, sys.stderr.encoding

    assert encodings() == ("utf-8", "utf-8")
    assert encodings(PYTHONIOENCODING="cp1252") == ("cp1252", "cp1252")
    monkeypatch.setattr(sys, "stdout", None)
    output.prepare_streams()
    sys.stdout.write("nobody reads this")
    sys.stdout.close()


def test_json_for_a_pipe_is_one_ascii_line_and_for_eyes_is_indented() -> None:
    shape = {"name": "Ipê", "n": 1}
    assert output.as_json(shape).isascii()
    assert "\n" not in output.as_json(shape)
    assert "Ipê" in output.as_json(shape, readable=True)
    assert json.loads(output.as_json(shape)) == json.loads(output.as_json(shape, readable=True)) == shape


def test_errors_hide_tokens_and_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    error = RenderedError("Title", "what\x1b[2Jhappened", "do this", "serviceToken: s3cr3t")
    Output(Mode.PEOPLE).error(error, 3)
    said = capsys.readouterr()
    assert said.out == ""
    assert "\x1b" not in said.err
    assert "s3cr3t" not in said.err
    Output(Mode.JSON).error(error, 3)
    told = json.loads(capsys.readouterr().out)
    assert told["error"]["hub_words"] == "serviceToken: [hidden]"
    Output(Mode.LINES).error(error, 3)
    line = json.loads(capsys.readouterr().out)
    assert (line["type"], line["exit_code"], line["error"]["title"]) == ("error", 3, "Title")


def test_other_failures_of_stdout_are_ours_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_to_nowhere", lambda stream: None)
    Output().failed(OSError(errno.EPIPE, "gone"))
    with pytest.raises(EnvironmentFault, match="cannot be written"):
        Output().failed(OSError(errno.EIO, "broken"))


@pytest.mark.parametrize("width", [20, 44, 60, 80, 120, 150, 200, output.ENDLESS_WIDTH])
def test_an_access_key_is_never_cut(archived: Path, width: int, capsys: pytest.CaptureFixture[str]) -> None:
    found = find(Workspace.at(archived), DocumentQuery(), None)
    out = Output()
    out.console.width = width
    out.print(tables.documents(found.documents, width))
    text = capsys.readouterr().out
    keys = [row.access_key for row in found.documents if row.access_key]
    assert len(keys) > 20
    for key in keys:
        assert text.count(key) >= 1
    if 80 <= width < output.ENDLESS_WIDTH:
        assert max(map(len, text.splitlines())) <= width
    if width == output.ENDLESS_WIDTH:
        assert "…" not in text


def test_nothing_of_nothing_is_printed(call: Call, archived: Path) -> None:
    done = call("list", "--number", "987654321", "--home", archived)
    assert (done.code, done.out) == (0, "")
    assert done.err == "0 of 0 documents; those in effect are worth R$ 0,00.\n"


@pytest.mark.parametrize("after", [0, 1, 3])
def test_an_object_is_whole_whatever_happens_in_its_middle(capsys: pytest.CaptureFixture[str], after: int) -> None:
    out = Output(Mode.JSON)

    def entries() -> Iterator[dict[str, int]]:
        for number in range(after):
            yield {"number": number}
        raise RuntimeError

    with pytest.raises(RuntimeError):
        out.stream("documents", entries(), dict)
    out.error(RenderedError("It failed", "The bytes are damaged.", "Repair them.", ""), 3)
    told = json.loads(capsys.readouterr().out)
    assert told["documents"] == [{"number": number} for number in range(after)]
    assert told["error"]["what"] == "The bytes are damaged."
    out.error(RenderedError("It failed", "Again.", "", ""), 3)
    assert json.loads(capsys.readouterr().out)["error"]["what"] == "Again."


def test_so_is_one_of_many(capsys: pytest.CaptureFixture[str]) -> None:
    Output(Mode.JSON).stream("documents", ({"number": number} for number in range(3)), lambda: {"counts": 3})
    assert json.loads(capsys.readouterr().out) == {"documents": [{"number": n} for n in range(3)], "counts": 3}


def test_the_last_line_says_why_the_exit_code_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    Output().ends_with_1("one.zip: something lacks.", *map(str, range(6)))
    Output().ends_with_1()
    Output(Mode.JSON).ends_with_1("nothing for programs")
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "The exit code is 1 because of: one.zip: something lacks; 0; 1; 2; 3; …\n")
