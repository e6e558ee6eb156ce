"""Why the system, the database or the network refused is told in the user's language, without a word of theirs."""

from __future__ import annotations

import csv
import errno
import re
import socket
import sqlite3
import ssl
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from confere.app.authenticity import certificate_files
from confere.archive import database_words
from confere.archive.engine import known_fault
from confere.errors import ConfereError, Message
from confere.fiscal.reading import xml
from confere.hub.http import network_errors
from confere.intake.order_files import csv_tables
from confere.system import messages
from confere.system.files import atomic_file, system_words

# No Portuguese word is written so. What a library says in English has several of them.
_ENGLISH = re.compile(
    r"\b(the|of|is|it|not|such|file|directory|denied|device|failed|connection|refused|certificate|database|locked"
    r"|disk|error|malformed|timed|out|known|and|to|with|space|left|name|long|read|write|open|line|invalid)\b",
    re.IGNORECASE,
)


@pytest.fixture(autouse=True)
def portuguese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages._Choice, "code", "pt_BR")


def told(error: BaseException | Message, *ours: str) -> str:
    """The sentence in Portuguese; what is in it of the test's own, such as a path, is left out."""
    if isinstance(error, ConfereError):
        text = messages.render(error.what)
    else:
        text = messages.render(error if isinstance(error, Message) else system_words.why(error))
    for own in ours:
        text = text.replace(own, "")
    assert _ENGLISH.findall(text) == [], text
    return text


@pytest.mark.parametrize("name", sorted(set(errno.errorcode.values())))
def test_every_error_of_the_system(name: str) -> None:
    number = getattr(errno, name)
    text = told(OSError(number, "No such file or directory"), name)
    assert text


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOENT, "não existe"),
        (errno.EACCES, "o sistema não permite o acesso"),
        (errno.ENOSPC, "o disco está cheio"),
        (errno.EISDIR, "é uma pasta"),
        (errno.ENAMETOOLONG, "o nome é longo demais"),
        (errno.EROFS, "o disco está protegido contra gravação"),
    ],
)
def test_the_errors_that_people_meet(number: int, words: str) -> None:
    assert told(OSError(number, "in English")) == words


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    wanted: dict[str, Callable[[], object]] = {
        "não existe": lambda: atomic_file.write_text(tmp_path / "nowhere" / "a.txt", ""),
        "o nome é longo demais": lambda: certificate_files.read(tmp_path / ("a" * 300)),
    }
    for words, act in wanted.items():
        with pytest.raises(ConfereError) as refused:
            act()
        assert words in told(refused.value, str(tmp_path))
    full = atomic_file.storage_fault(OSError(errno.ENOSPC, "No space left on device"), tmp_path)
    assert "Não há mais espaço no disco" in told(full, str(tmp_path))


def _sqlite_error(act: Callable[[], object]) -> sqlite3.Error:
    with pytest.raises(sqlite3.Error) as failed:
        act()
    return failed.value


def test_a_database_that_is_locked_damaged_or_none(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    with closing(sqlite3.connect(path, timeout=0)) as one, closing(sqlite3.connect(path, timeout=0)) as other:
        one.execute("CREATE TABLE t (a)")
        one.commit()
        one.execute("BEGIN EXCLUSIVE")
        locked = _sqlite_error(lambda: other.execute("SELECT * FROM t"))
    path.write_bytes(b"no database at all" * 200)
    with closing(sqlite3.connect(path)) as broken:
        none = _sqlite_error(lambda: broken.execute("SELECT * FROM t"))
    for error, words in ((locked, "outro programa"), (none, "o arquivo não é um banco de dados")):
        assert words in told(database_words.why(error))
        fault = known_fault(error, path)
        assert fault is not None
        assert told(fault, str(path))


def _refused(host: str, port: int) -> tuple[str, httpx.TransportError]:
    where = f"{host}:{port}"
    with pytest.raises(httpx.TransportError) as failed, httpx.Client(trust_env=False, timeout=0.2) as client:
        client.get(f"https://{where}")
    return where, failed.value


def test_a_hub_that_is_not_reached() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        port = silent.getsockname()[1]
        silent_at, timed_out = _refused("127.0.0.1", port)
    closed_at, closed = _refused("127.0.0.1", port)
    unknown = httpx.ConnectError("[Errno -2] Name or service not known")
    unknown.__cause__ = socket.gaierror(-2, "Name or service not known")
    for error, host, words in (
        (timed_out, silent_at, "a tempo"),
        (closed, closed_at, "recusada"),
        (unknown, "hub.example", "A rede não conhece"),
    ):
        fault, _ = network_errors.unreachable(error, host)
        assert words in told(fault, host)


@pytest.mark.parametrize("code", [10, 18, 20, 62, 99])
def test_a_certificate_that_is_not_trusted(code: int) -> None:
    cause = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed")
    cause.verify_code, cause.verify_message = code, "self-signed certificate"
    error = httpx.ConnectError("certificate verify failed")
    error.__cause__ = cause
    assert "certificado" in told(network_errors.unreachable(error, "hub.example")[0], "hub.example")


def test_a_service_without_encryption() -> None:
    cause = ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number")
    cause.reason = "WRONG_VERSION_NUMBER"
    error = httpx.ConnectError("wrong version number")
    error.__cause__ = cause
    assert "sem criptografia" in told(network_errors.unreachable(error, "hub.example")[0], "hub.example")


@pytest.mark.parametrize(
    "data",
    [b"hello", b"<a></b>", b"<a/><b/>", b"<a>&</a>", b"<a>&foo;</a>", b"<a x='1' x='2'/>", b"<p:a/>", b"<a b=c/>"],
)
def test_a_file_that_is_no_xml(data: bytes) -> None:
    with pytest.raises(ConfereError) as refused:
        xml.parse(data)
    assert told(refused.value)


@pytest.mark.parametrize("error", [csv.Error("unexpected end of data"), csv.Error("field larger than field limit (1)")])
def test_a_table_that_cannot_be_read(error: csv.Error) -> None:
    assert told(csv_tables._csv_why(error))


def test_other_errors_than_those_of_files() -> None:
    raised = (
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        *(EOFError("cut"), MemoryError(), RecursionError("maximum depth"), ValueError("not a value")),
        zipfile.BadZipFile("File is not a zip"),
    )
    for error in raised:
        assert told(error)
