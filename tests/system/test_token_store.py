"""Tokens are kept and found where they are safe, in the promised order, and never shown."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import keyring
import keyring.core
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null

from confere.errors import Message, SecretUnavailable, UsageFault
from confere.system import system_keyring, token_store
from confere.system.redaction import HIDDEN, redact
from confere.system.token_store import Ask, Secret, Source, delete, load, store

TOKEN = "t0ken-0f-the-hub"
ASK = Ask("Loja São João", alone=True)


class Memory(KeyringBackend):
    """A good keyring that lives as long as the test."""

    priority = 5  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Weak(Memory):
    """Like those of keyrings.alt: it works, in plain text."""

    priority = 0.5  # type: ignore[assignment]


class Alternative(Memory):
    """One of keyrings.alt that thinks better of itself."""


Alternative.__module__ = "keyrings.alt.file"


class Broken(Memory):
    def get_password(self, service: str, username: str) -> str | None:
        raise OSError("the bus is gone")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise OSError(f"cannot keep {password}")

    delete_password = get_password  # type: ignore[assignment]


class Forgetful(Memory):
    def set_password(self, service: str, username: str, password: str) -> None:
        pass


class Chain(chainer.ChainerBackend):
    backends: ClassVar[list[KeyringBackend]] = []


@pytest.fixture
def use() -> Iterator[Callable[[KeyringBackend], KeyringBackend]]:
    before = keyring.core._keyring_backend

    def use(backend: KeyringBackend) -> KeyringBackend:
        keyring.set_keyring(backend)
        return backend

    yield use
    keyring.core._keyring_backend = before


@pytest.fixture
def no_keyring(use: Callable[[KeyringBackend], KeyringBackend]) -> None:
    use(fail.Keyring())


@pytest.fixture
def memory(use: Callable[[KeyringBackend], KeyringBackend]) -> Memory:
    backend = Memory()
    use(backend)
    return backend


def private_file(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o600)
    return path


# -- the keyring -----------------------------------------------------------------------------------------


def test_kept_and_found_in_the_keyring(memory: Memory) -> None:
    assert system_keyring.usable().endswith("Memory")
    assert store(ASK, f"  {TOKEN}\n", {}) is Source.KEYRING
    found = load(ASK, {"CONFERE_TOKEN": "another"})
    assert (found.reveal(), found.source) == (TOKEN, Source.KEYRING)
    assert memory.kept == {("confere", "Loja São João"): TOKEN}
    assert delete(ASK)
    assert memory.kept == {}
    assert not delete(ASK)


def test_archives_with_accounts_of_one_name_do_not_share_a_token(memory: Memory) -> None:
    store(Ask("loja", alone=False, scope="one"), "token-one", {})
    store(Ask("loja", alone=False, scope="two"), "token-two", {})
    assert load(Ask("loja", alone=False, scope="one"), {}).reveal() == "token-one"
    assert load(Ask("loja", alone=False, scope="two"), {}).reveal() == "token-two"
    with pytest.raises(SecretUnavailable):
        load(Ask("loja", alone=False), {})


@pytest.mark.parametrize("kind", [Weak, Alternative, fail.Keyring, null.Keyring])
def test_keyrings_not_fit_for_a_token_are_refused(
    kind: type[KeyringBackend], use: Callable[[KeyringBackend], KeyringBackend]
) -> None:
    backend = use(kind())
    with pytest.raises(SecretUnavailable) as caught:
        store(ASK, TOKEN, {})
    assert "Loja São João" in str(caught.value.what)
    assert not getattr(backend, "kept", {})
    if isinstance(backend, Memory):
        assert "is not safe enough" in str(caught.value.what)
        backend.kept["confere", ASK.account] = TOKEN
    with pytest.raises(SecretUnavailable):
        load(ASK, {})
    with pytest.raises(system_keyring.KeyringUnusable):
        system_keyring.usable()
    assert not delete(ASK)


def test_of_a_chain_only_the_safe_ones_are_asked(use: Callable[[KeyringBackend], KeyringBackend]) -> None:
    weak, good = Weak(), Memory()
    Chain.backends = [weak, good]
    use(Chain())
    weak.kept["confere", ASK.account] = "planted"
    assert store(ASK, TOKEN, {}) is Source.KEYRING
    assert good.kept == {("confere", ASK.account): TOKEN}
    assert load(ASK, {}).reveal() == TOKEN
    Chain.backends = [weak]
    with pytest.raises(system_keyring.KeyringUnusable, match="not safe enough"):
        system_keyring.read("confere", ASK.account)
    Chain.backends = []
    with pytest.raises(system_keyring.KeyringUnusable, match="has no keyring"):
        system_keyring.read("confere", ASK.account)


@pytest.mark.parametrize("kind", [Broken, Forgetful])
def test_a_keyring_that_fails_passes_on_to_the_next_way(
    kind: type[Memory], use: Callable[[KeyringBackend], KeyringBackend], tmp_path: Path
) -> None:
    use(kind())
    with pytest.raises(SecretUnavailable) as caught:
        store(ASK, TOKEN, {})
    assert TOKEN not in str(caught.value)
    assert TOKEN not in repr(caught.value.__cause__)
    assert store(Ask("x", alone=True, token_file=tmp_path / "token"), TOKEN, {}) is Source.FILE
    assert load(ASK, {"CONFERE_TOKEN": TOKEN}).source is Source.ENVIRONMENT
    assert not delete(ASK)


def test_a_keyring_that_hangs_is_given_up_once(use: Callable[[KeyringBackend], KeyringBackend]) -> None:
    release = threading.Event()
    calls = []

    class Hanging(Memory):
        def get_password(self, service: str, username: str) -> str | None:
            calls.append(service)
            release.wait(60)
            return None

    use(Hanging())
    try:
        with pytest.raises(system_keyring.KeyringUnusable, match="does not answer"):
            system_keyring.read("confere", "x", patience=0.05)
        with pytest.raises(SecretUnavailable, match="does not answer"):
            load(ASK, {})
        assert calls == ["confere"]
    finally:
        release.set()


# -- the other ways --------------------------------------------------------------------------------------


def test_the_order_of_the_ways(no_keyring: None, tmp_path: Path) -> None:
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "confere-loja-sao-joao").write_text("from-credential\n")
    named = private_file(tmp_path / "named", "from-named-file\n")
    for_account = private_file(tmp_path / "for_account", "from-file-of-account")
    for_all = private_file(tmp_path / "for_all", "from-file")
    variables = {
        "CREDENTIALS_DIRECTORY": str(credentials),
        "CONFERE_TOKEN_FILE_LOJA_SAO_JOAO": str(for_account),
        "CONFERE_TOKEN_FILE": str(for_all),
        "CONFERE_TOKEN_LOJA_SAO_JOAO": "from-variable-of-account",
        "CONFERE_TOKEN": "from-variable",
    }
    ask = Ask(ASK.account, alone=True, token_file=named)
    found = [load(ask, variables, lambda _: "typed").reveal()]
    del variables["CREDENTIALS_DIRECTORY"]
    found.append(load(ask, variables, lambda _: "typed").reveal())
    for name in list(variables)[:4]:
        found.append(load(ASK, variables, lambda _: "typed").reveal())
        del variables[name]
    found.append(load(ASK, variables, lambda _: "typed").reveal())
    assert found == [
        "from-credential",
        "from-named-file",
        "from-file-of-account",
        "from-file",
        "from-variable-of-account",
        "from-variable",
        "typed",
    ]


def test_with_several_accounts_only_what_names_one_counts(no_keyring: None, tmp_path: Path) -> None:
    one_of_many = Ask("loja", alone=False)
    variables = {"CONFERE_TOKEN": TOKEN, "CONFERE_TOKEN_FILE": str(private_file(tmp_path / "t", TOKEN))}
    with pytest.raises(SecretUnavailable, match="CONFERE_TOKEN_LOJA"):
        load(one_of_many, variables)
    assert load(one_of_many, variables | {"CONFERE_TOKEN_LOJA": "its-own"}).reveal() == "its-own"


def test_without_any_way_it_names_all(no_keyring: None) -> None:
    asked: list[Message] = []

    def prompt(question: Message) -> str:
        asked.append(question)
        return "  "

    with pytest.raises(SecretUnavailable) as caught:
        load(ASK, {"CONFERE_TOKEN": " "}, prompt)
    assert "Loja São João" in str(asked[0])
    assert "has no keyring" in str(caught.value.what)
    remedy = str(caught.value.remedy)
    for way in ("keyring", "confere-loja-sao-joao", "CONFERE_TOKEN_FILE", "CONFERE_TOKEN ", "terminal"):
        assert way in remedy


def test_an_empty_keyring_is_said_to_be_empty(memory: Memory) -> None:
    with pytest.raises(SecretUnavailable, match="does not hold it"):
        load(ASK, {})


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_can_read_is_refused(no_keyring: None, tmp_path: Path, mode: int) -> None:
    file = private_file(tmp_path / "token", TOKEN)
    file.chmod(mode)
    variables = {"CONFERE_TOKEN_FILE": str(file), "CONFERE_TOKEN": "another"}
    if os.name == "posix":
        with pytest.raises(SecretUnavailable, match="chmod 600"):
            load(ASK, variables)
    else:  # Windows has no such modes; the folder's own rules hold
        assert load(ASK, variables).reveal() == TOKEN


@pytest.mark.parametrize("content", [b"", b" \n", b"two\nlines", b"caf\xc3\xa9", b"\xff\xfe", b"a\x00b"])
def test_a_file_without_a_token_is_named(no_keyring: None, tmp_path: Path, content: bytes) -> None:
    file = private_file(tmp_path / "token", "")
    file.write_bytes(content)
    with pytest.raises(SecretUnavailable, match="does not hold a token"):
        load(ASK, {"CONFERE_TOKEN_FILE": str(file)})


def test_a_file_of_notepad_is_read(no_keyring: None, tmp_path: Path) -> None:
    file = private_file(tmp_path / "token", "")
    file.write_bytes(b"\xef\xbb\xbf" + TOKEN.encode() + b"\r\n")
    assert load(ASK, {"CONFERE_TOKEN_FILE": str(file)}).reveal() == TOKEN


def test_a_file_that_is_missing_is_not_passed_over(no_keyring: None, tmp_path: Path) -> None:
    with pytest.raises(SecretUnavailable, match="gone"):
        load(ASK, {"CONFERE_TOKEN_FILE": str(tmp_path / "gone"), "CONFERE_TOKEN": TOKEN})


def test_a_variable_that_could_break_a_header_is_refused(no_keyring: None) -> None:
    with pytest.raises(SecretUnavailable, match="CONFERE_TOKEN") as caught:
        load(ASK, {"CONFERE_TOKEN": "a\r\nplatform: x"})
    assert "platform" not in str(caught.value)


# -- keeping without a keyring ---------------------------------------------------------------------------


def test_kept_in_the_file_that_the_user_named(no_keyring: None, tmp_path: Path) -> None:
    ask = Ask("loja", alone=True, token_file=tmp_path / "token")
    assert store(ask, "first-token", {}) is Source.FILE
    assert store(ask, TOKEN, {}) is Source.FILE
    assert load(ask, {}).reveal() == TOKEN
    mode = (tmp_path / "token").stat().st_mode & 0o777
    assert mode == (0o600 if os.name == "posix" else mode)


def test_a_file_named_by_a_variable_is_made_but_never_overwritten(no_keyring: None, tmp_path: Path) -> None:
    variables = {"CONFERE_TOKEN_FILE": str(tmp_path / "token")}
    assert store(ASK, TOKEN, variables) is Source.FILE
    assert store(ASK, TOKEN, variables) is Source.FILE
    with pytest.raises(SecretUnavailable):
        store(ASK, "the-token-of-another", variables)
    assert load(ASK, variables).reveal() == TOKEN


def test_what_a_variable_already_gives_needs_no_keeping(no_keyring: None) -> None:
    assert store(ASK, TOKEN, {"CONFERE_TOKEN": TOKEN}) is Source.ENVIRONMENT
    with pytest.raises(SecretUnavailable):
        store(ASK, TOKEN, {"CONFERE_TOKEN": "another"})


@pytest.mark.parametrize("token", ["", "   ", "a\nb", "ção", "a\x7f"])
def test_what_cannot_be_a_token_is_refused(memory: Memory, token: str) -> None:
    with pytest.raises(UsageFault, match="Loja São João"):
        store(ASK, token, {})
    assert memory.kept == {}


# -- names and values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("account", "variable", "credential"),
    [
        ("loja", "CONFERE_TOKEN_LOJA", "confere-loja"),
        ("Loja São João & Cia. 2", "CONFERE_TOKEN_LOJA_SAO_JOAO_CIA_2", "confere-loja-sao-joao-cia-2"),
        ("../../etc/passwd", "CONFERE_TOKEN_ETC_PASSWD", "confere-etc-passwd"),
        ("file", "CONFERE_TOKEN__FILE", "confere-file"),
    ],
)
def test_names_of_accounts_become_safe(account: str, variable: str, credential: str) -> None:
    assert token_store.environment_name(account) == variable
    assert token_store.credential_name(account) == credential


def test_names_without_a_latin_letter_differ() -> None:
    assert token_store.credential_name("商店") != token_store.credential_name("商")
    assert token_store.credential_name("商店").isascii()


def test_a_secret_does_not_show_itself() -> None:
    secret = Secret(TOKEN, Source.PROMPT)
    assert secret.reveal() == TOKEN
    for shown in (repr(secret), str(secret), f"{secret}", repr([secret]), redact(f"it is {TOKEN}")):
        assert TOKEN not in shown
    assert HIDDEN in redact(TOKEN)
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        copy.deepcopy(secret)
    with pytest.raises(AttributeError):
        secret.source = Source.FILE
    with pytest.raises(AttributeError):
        secret.other = 1  # type: ignore[attr-defined]
    assert secret == Secret(TOKEN, Source.KEYRING) != Secret("x", Source.PROMPT)
    assert secret != TOKEN
    assert len({secret, Secret(TOKEN, Source.FILE)}) == 1
