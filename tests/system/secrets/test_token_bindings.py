"""The file that says which address each token is for: private, whole, and never half understood."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from confere.errors import SecretUnavailable
from confere.system.secrets.origin import origin_of
from confere.system.secrets.token_bindings import TokenBinding, TokenBindings

ONE = TokenBinding("archive-1", "Loja São João", "https://hub.example")


@pytest.fixture
def bindings(tmp_path: Path) -> TokenBindings:
    return TokenBindings(tmp_path / "configuration" / "tokens.json")


def test_the_usual_file_is_in_no_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CONFERE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("platformdirs.user_config_dir", lambda *_, **__: str(tmp_path / "configuration"))
    assert TokenBindings().file == tmp_path / "configuration" / "tokens.json"


def test_one_binding_for_an_account_of_an_archive(bindings: TokenBindings) -> None:
    assert bindings.of("archive-1", "Loja São João") is None
    bindings.forget("archive-1", "Loja São João")
    bindings.keep(ONE)
    bindings.keep(ONE._replace(archive="archive-2", file="/somewhere/token"))
    moved = ONE._replace(origin="https://other.example", token="t")
    bindings.keep(moved)
    assert bindings.of("archive-1", "Loja São João") == moved
    assert bindings.origin_of("archive-2", "Loja São João") == "https://hub.example"
    bindings.forget("archive-1", "Loja São João")
    assert bindings.origin_of("archive-1", "Loja São João") is None
    assert bindings.of("archive-2", "Loja São João") == ONE._replace(archive="archive-2", file="/somewhere/token")


@pytest.mark.skipif(sys.platform == "win32", reason="the folder's own rules hold")
def test_nobody_else_reads_or_writes_it(bindings: TokenBindings) -> None:
    bindings.keep(ONE)
    assert bindings.file.stat().st_mode & 0o777 == 0o600
    assert bindings.file.parent.stat().st_mode & 0o777 == 0o700
    bindings.file.chmod(0o620)
    with pytest.raises(SecretUnavailable) as caught:
        bindings.of("archive-1", "Loja São João")
    assert "chmod 600" in str(caught.value.remedy)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"tokens": 3}',
        '{"tokens": [7]}',
        '{"tokens": [{"archive": "a", "account": "b"}]}',
        '{"tokens": [{"archive": "a", "account": "b", "origin": 7}]}',
        '{"tokens": [{"archive": "a", "account": "b", "origin": ""}]}',
        '{"tokens": [{"archive": "a", "account": "b", "origin": "https://x", "file": null}]}',
        "[" * 100_000,
        " " * (4 * 1024 * 1024 + 1),
    ],
)
def test_a_file_that_is_not_understood_binds_nothing_and_is_not_written_over(
    bindings: TokenBindings, text: str
) -> None:
    bindings.keep(ONE)
    bindings.file.write_text(text)
    for work in (
        lambda: bindings.of("archive-1", "Loja São João"),
        lambda: bindings.keep(ONE),
        lambda: bindings.forget("archive-1", "Loja São João"),
    ):
        with pytest.raises(SecretUnavailable, match="which says which address each token is for") as caught:
            work()
        assert "confere account token NAME" in str(caught.value.remedy)
    assert bindings.file.read_text() == text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
def test_a_pipe_or_a_folder_in_its_place_holds_nobody_up(bindings: TokenBindings) -> None:
    bindings.file.parent.mkdir()
    os.mkfifo(bindings.file)
    with pytest.raises(SecretUnavailable, match="is a pipe"):
        bindings.of("a", "b")
    bindings.file.unlink()
    bindings.file.mkdir()
    with pytest.raises(SecretUnavailable, match="is a folder"):
        bindings.of("a", "b")


def test_what_many_write_at_once_is_all_kept(bindings: TokenBindings) -> None:
    names = [f"account {number}" for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda name: bindings.keep(ONE._replace(account=name)), names))
    assert all(bindings.of("archive-1", name) for name in names)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://HUB.example/v2", "https://hub.example"),
        ("https://hub.example:443", "https://hub.example"),
        ("http://127.0.0.1:8080/x/v2", "http://127.0.0.1:8080"),
        ("http://[::1]:80/v2", "http://[::1]"),
        ("https://loja.exämple/v2", "https://loja.exämple"),
        *(
            (text, "")
            for text in (
                "",
                "x",
                "ftp://hub.example",
                "https://",
                "https://.",
                "https://a@hub.example",
                "https://hub.example\\@x",
                "https://hub.example:0",
                "https://hub.example:70000",
                "https://hub.example:8x",
                "https://hub.example/v2#x",
                "https://hub.example /v2",
                "https://hub.example\n",
                "https://hub%2eexample",
            )
        ),
    ],
)
def test_the_origin_of_an_address(address: str, origin: str) -> None:
    assert origin_of(address) == origin
