"""The log file holds what was said, without tokens, whoever says it and however often."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from confere.system.logs import close_log, open_log, register_secret

TOKEN = "s3cr3t-t0ken/with+signs"

Open = Callable[..., Path]


@pytest.fixture
def levels() -> Iterator[None]:
    names = ["", "confere", "httpx", "httpcore", "urllib3", "keyring", "asyncio", "alembic", "sqlalchemy", "uvicorn"]
    before = {name: logging.getLogger(name).level for name in names}
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def log(tmp_path: Path, levels: None) -> Iterator[Callable[..., Callable[[], str]]]:
    """Open the log; what it gives reads all that was written so far."""
    handlers = []

    def open_it(**variables: str) -> Callable[[], str]:
        handlers.append(open_log(tmp_path, variables))
        return lambda: "".join(path.read_text(encoding="utf-8") for path in sorted(tmp_path.glob("*.log")))

    yield open_it
    for handler in handlers:
        close_log(handler)


def test_it_says_when_who_and_what(log: Callable[..., Callable[[], str]]) -> None:
    written = log()
    logging.getLogger("confere.hub").info("page %d of %s", 3, "ação")
    (line,) = written().splitlines()
    assert line.endswith("confere.hub: page 3 of ação")
    assert f" INFO {os.getpid()} MainThread " in line
    assert line[:4].isdigit()
    assert "Z " in line


def test_no_file_until_something_is_said(log: Callable[..., Callable[[], str]], tmp_path: Path) -> None:
    log()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.logs_problems
def test_tokens_do_not_reach_it_by_any_way(log: Callable[..., Callable[[], str]]) -> None:
    register_secret(TOKEN)
    written = log(CONFERE_LOG_LEVEL="DEBUG")
    logger = logging.getLogger("confere.test")
    logger.debug("in the text " + TOKEN)
    logger.info("as argument %s %r", TOKEN, [TOKEN])
    logger.info("as mapping %(token)s", {"token": TOKEN})
    logger.warning("as header %s", {"serviceToken": "not-registered-1"})
    logger.info("extra", extra={"token": TOKEN})
    try:
        try:
            raise ValueError(TOKEN)
        except ValueError as error:
            raise RuntimeError(f"Authorization: Bearer {TOKEN} not-registered-2") from error
    except RuntimeError:
        logger.exception("as exception", stack_info=True)
    logging.getLogger("somebody.else").warning("from a library %s", TOKEN)
    text = written()
    assert text.count("[hidden]") >= 8
    assert "in the text" in text
    assert "RuntimeError" in text
    assert "from a library" in text
    assert TOKEN not in text
    assert "not-registered-1" not in text


@pytest.mark.logs_problems
@pytest.mark.parametrize(
    ("level", "expected"),
    [("", "iwe"), ("DEBUG", "diwe"), ("warning", "we"), ("ERROR", "e"), ("LOUD", "iwe")],
)
def test_the_level_comes_from_the_environment(log: Callable[..., Callable[[], str]], level: str, expected: str) -> None:
    written = log(CONFERE_LOG_LEVEL=level)
    logger = logging.getLogger("confere.test")
    logger.debug("=d")
    logger.info("=i")
    logger.warning("=w")
    logger.error("=e")
    logging.getLogger("httpx").info("GET https://hub/?cpf=1")
    lines = written().splitlines()
    assert "".join(line.split("=")[1] for line in lines if ": =" in line) == expected
    assert any("LOUD" in line for line in lines) is (level == "LOUD")
    assert not any("cpf" in line for line in lines)


def test_processes_do_not_write_in_each_others_file(tmp_path: Path) -> None:
    code = (
        "import logging, sys\n"
        "from pathlib import Path\n"
        "from confere.system.logs import close_log, open_log\n"
        "handler = open_log(Path(sys.argv[1]), {})\n"
        "for number in range(200):\n"
        "    logging.getLogger('confere').info('%s line %d', sys.argv[2], number)\n"
        "close_log(handler)\n"
    )
    children = [subprocess.Popen([sys.executable, "-W", "error", "-c", code, str(tmp_path), name]) for name in "ab"]
    assert [child.wait(60) for child in children] == [0, 0]
    texts = sorted(path.read_text().splitlines() for path in tmp_path.glob("*.log"))
    assert [len(lines) for lines in texts] == [200, 200]
    assert sorted({line.split("confere: ")[1][0] for line in lines} for lines in texts) in (
        [{"a"}, {"b"}],
        [{"b"}, {"a"}],
    )


def test_a_file_does_not_grow_without_end(
    log: Callable[..., Callable[[], str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("confere.system.logs._BYTES", 2000)
    log()
    for number in range(200):
        logging.getLogger("confere").info("line %d", number)
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) <= 2000


def test_the_oldest_files_go(log: Callable[..., Callable[[], str]], tmp_path: Path) -> None:
    old = [tmp_path / f"confere-2025010{day}T000000-{pid}.log" for day in range(1, 10) for pid in (7, 8, 9)]
    for path in old:
        path.write_text("old")
    (tmp_path / "mine.txt").write_text("not a log")
    log()
    logging.getLogger("confere").info("new")
    assert len(list(tmp_path.glob("*.log"))) == 20
    assert not old[0].exists()
    assert old[-1].exists()
    assert (tmp_path / "mine.txt").exists()


def test_a_log_that_cannot_be_written_stays_silent(
    tmp_path: Path, levels: None, capsys: pytest.CaptureFixture[str]
) -> None:
    handler = open_log(tmp_path / "never made", {})
    logging.getLogger("confere").info("lost")
    close_log(handler)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
    assert not (tmp_path / "never made").exists()


def test_the_file_is_closed_to_others(log: Callable[..., Callable[[], str]], tmp_path: Path) -> None:
    log()
    logging.getLogger("confere").info("x")
    (path,) = tmp_path.iterdir()
    mode = path.stat().st_mode & 0o777
    assert mode == (0o600 if os.name == "posix" else mode)
