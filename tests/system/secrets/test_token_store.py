"""Tokens are kept and found where they are safe, in the promised order, and never shown."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import keyring
import keyring.core
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null

from confere.errors import Message, SecretUnavailable, UsageFault
from confere.system.redaction import HIDDEN, redact
from confere.system.secrets import system_keyring, token_store
from confere.system.secrets.token_bindings import TokenBinding, TokenBindings
from confere.system.secrets.token_store import (
    Ask,
    Secret,
    Source,
    bind,
    forget,
    load,
    require_origin,
    store,
    store_sandbox,
    use_at,
    use_file,
)

TOKEN = "t0ken-0f-the-hub"
ADDRESS, ORIGIN = "https://hub.example/v2", "https://hub.example"
ASK = Ask("Loja São João", "archive-1", ADDRESS, alone=True)
SERVICE = f"confere/archive-1/{ORIGIN}"


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


@pytest.fixture(autouse=True)
def bound(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A configuration of the test's own, in which a person gave `ASK` a token for its address."""
    for name in ("XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "configuration"))
    bind(ASK)


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
    assert store(ASK, f"  {TOKEN}\n", environ={}) is Source.KEYRING
    found = load(ASK, {"CONFERE_TOKEN": "another"})
    assert (found.reveal(), found.source) == (TOKEN, Source.KEYRING)
    assert memory.kept == {(SERVICE, "Loja São João"): TOKEN}
    assert forget(ASK)
    assert memory.kept == {}
    assert not forget(ASK)


def test_archives_with_accounts_of_one_name_do_not_share_a_token(memory: Memory) -> None:
    one, two, other = (Ask("loja", scope, ADDRESS, alone=False) for scope in ("one", "two", "other"))
    store(one, "token-one", environ={})
    store(two, "token-two", environ={})
    assert load(one, {}).reveal() == "token-one"
    assert load(two, {}).reveal() == "token-two"
    with pytest.raises(SecretUnavailable, match="no token for that address"):
        load(other, {})


@pytest.mark.parametrize("kind", [Weak, Alternative, fail.Keyring, null.Keyring])
def test_keyrings_not_fit_for_a_token_are_refused(
    kind: type[KeyringBackend], use: Callable[[KeyringBackend], KeyringBackend]
) -> None:
    backend = use(kind())
    with pytest.raises(SecretUnavailable) as caught:
        store(ASK, TOKEN, environ={})
    assert "Loja São João" in str(caught.value.what)
    assert not getattr(backend, "kept", {})
    if isinstance(backend, Memory):
        assert "is not safe enough" in str(caught.value.what)
        backend.kept[SERVICE, ASK.account] = TOKEN
    with pytest.raises(SecretUnavailable):
        load(ASK, {})
    with pytest.raises(system_keyring.KeyringUnusable):
        system_keyring.usable()
    assert not forget(ASK)


def test_of_a_chain_only_the_safe_ones_are_asked(use: Callable[[KeyringBackend], KeyringBackend]) -> None:
    weak, good = Weak(), Memory()
    Chain.backends = [weak, good]
    use(Chain())
    weak.kept[SERVICE, ASK.account] = "planted"
    assert store(ASK, TOKEN, environ={}) is Source.KEYRING
    assert good.kept == {(SERVICE, ASK.account): TOKEN}
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
        store(ASK, TOKEN, environ={})
    assert TOKEN not in str(caught.value)
    assert TOKEN not in repr(caught.value.__cause__)
    assert store(Ask("x", "a", ADDRESS, alone=True), TOKEN, tmp_path / "token", {}) is Source.FILE
    assert load(ASK, {"CONFERE_TOKEN": TOKEN}).source is Source.ENVIRONMENT
    assert not forget(ASK)


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
        assert calls == ["confere"]  # the second question is not asked
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
    use_file(ASK, named)
    found = [load(ASK, variables, lambda _: "typed").reveal()]
    del variables["CREDENTIALS_DIRECTORY"]
    found.append(load(ASK, variables, lambda _: "typed").reveal())
    bind(ASK)
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
    one_of_many = Ask("loja", "archive-1", ADDRESS, alone=False)
    bind(one_of_many)
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
    assert ADDRESS in str(asked[0])
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
    file = tmp_path / "token"
    assert store(ASK, "first-token", file, {}) is Source.FILE
    assert store(ASK, TOKEN, file, {}) is Source.FILE
    assert load(ASK, {}).reveal() == TOKEN
    mode = (tmp_path / "token").stat().st_mode & 0o777
    assert mode == (0o600 if os.name == "posix" else mode)


def test_a_file_named_by_a_variable_is_made_but_never_overwritten(no_keyring: None, tmp_path: Path) -> None:
    variables = {"CONFERE_TOKEN_FILE": str(tmp_path / "token")}
    assert store(ASK, TOKEN, environ=variables) is Source.FILE
    assert store(ASK, TOKEN, environ=variables) is Source.FILE
    with pytest.raises(SecretUnavailable):
        store(ASK, "the-token-of-another", environ=variables)
    assert load(ASK, variables).reveal() == TOKEN


def test_what_a_variable_already_gives_needs_no_keeping(no_keyring: None) -> None:
    assert store(ASK, TOKEN, environ={"CONFERE_TOKEN": TOKEN}) is Source.ENVIRONMENT
    with pytest.raises(SecretUnavailable):
        store(ASK, TOKEN, environ={"CONFERE_TOKEN": "another"})


@pytest.mark.parametrize("token", ["", "   ", "a\nb", "ção", "a\x7f"])
def test_what_cannot_be_a_token_is_refused(memory: Memory, token: str) -> None:
    with pytest.raises(UsageFault, match="Loja São João"):
        store(ASK, token, environ={})
    assert memory.kept == {}


# -- the origin that a token is for ----------------------------------------------------------------------

ELSEWHERE = Ask(ASK.account, ASK.scope, "https://other.example:8443/v2", alone=True)


def every_way(tmp_path: Path) -> dict[str, str]:
    """An environment that gives the account a token in every way there is."""
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "confere-loja-sao-joao").write_text(TOKEN)
    return {
        "CREDENTIALS_DIRECTORY": str(credentials),
        "CONFERE_TOKEN_FILE_LOJA_SAO_JOAO": str(private_file(tmp_path / "one", TOKEN)),
        "CONFERE_TOKEN_FILE": str(private_file(tmp_path / "two", TOKEN)),
        "CONFERE_TOKEN_LOJA_SAO_JOAO": TOKEN,
        "CONFERE_TOKEN": TOKEN,
    }


@pytest.mark.parametrize(
    "address",
    [
        "https://hub.example:8443/v2",
        "http://hub.example/v2",
        "https://hub.example.evil/v2",
        "https://hub.example@evil.example/v2",
        "https://evil.example\\@hub.example/v2",
        "https://hub.example/v2?x",
        "//hub.example/v2",
        "hub.example/v2",
        "",
    ],
)
def test_no_way_gives_a_token_to_another_origin(memory: Memory, tmp_path: Path, address: str) -> None:
    store(ASK, TOKEN, environ={})
    asked = []
    ask = Ask(ASK.account, ASK.scope, address, alone=True)
    with pytest.raises(SecretUnavailable) as caught:
        load(ask, every_way(tmp_path))
    assert address in str(caught.value.what)
    assert "confere account token" in str(caught.value.remedy)
    with pytest.raises(SecretUnavailable):
        require_origin(ask, every_way_again(tmp_path))
    with pytest.raises(SecretUnavailable):
        load(ask, {}, lambda question: asked.append(question) or "")  # type: ignore[func-returns-value]
    assert all(address in str(question) for question in asked)


def every_way_again(tmp_path: Path) -> dict[str, str]:
    return {"CONFERE_TOKEN": TOKEN, "CREDENTIALS_DIRECTORY": str(tmp_path / "credentials")}


@pytest.mark.parametrize("address", ["https://HUB.example/v2", "https://hub.example:443/other", "https://hub.example."])
def test_the_same_origin_is_known_however_it_is_written(memory: Memory, address: str) -> None:
    store(ASK, TOKEN, environ={})
    assert load(Ask(ASK.account, ASK.scope, address, alone=True), {}).reveal() == TOKEN


def test_what_was_given_for_another_origin_is_named_with_the_command_that_confirms(memory: Memory) -> None:
    store(ASK, TOKEN, environ={})
    with pytest.raises(SecretUnavailable) as caught:
        load(ELSEWHERE, {}, lambda question: pytest.fail(f"asked {question.id}"))
    assert ORIGIN in str(caught.value.what)
    assert ELSEWHERE.address in str(caught.value.what)
    assert 'confere account token "Loja São João" --origin https://other.example:8443' in str(caught.value.remedy)


def test_a_token_goes_elsewhere_once_a_person_lets_it(memory: Memory) -> None:
    store(ASK, TOKEN, environ={})
    assert use_at(ELSEWHERE) is Source.KEYRING
    assert load(ELSEWHERE, {}).reveal() == TOKEN
    assert memory.kept == {("confere/archive-1/https://other.example:8443", ASK.account): TOKEN}
    with pytest.raises(SecretUnavailable):
        load(ASK, {})
    with pytest.raises(SecretUnavailable, match="no token for that address"):
        use_at(Ask("nobody", ASK.scope, ADDRESS, alone=True))


def test_another_token_for_another_origin_takes_the_first_out_of_the_keyring(memory: Memory) -> None:
    store(ASK, TOKEN, environ={})
    store(ELSEWHERE, "another", environ={})
    assert memory.kept == {("confere/archive-1/https://other.example:8443", ASK.account): "another"}


def test_a_token_in_the_configuration_is_of_this_machine_alone(memory: Memory) -> None:
    here = replace(ASK, address="http://127.0.0.1:9/v2")
    assert store_sandbox(here, TOKEN) is Source.CONFIGURATION
    assert load(here, {}).source is Source.CONFIGURATION
    assert use_at(ASK) is None
    assert TOKEN not in TokenBindings().file.read_text()
    TokenBindings().keep(TokenBinding(ASK.scope, ASK.account, ORIGIN, token=TOKEN))
    with pytest.raises(SecretUnavailable):
        load(ASK, {})


@pytest.mark.parametrize(
    "act",
    [
        lambda: bind(ASK),
        lambda: store(ASK, TOKEN, environ={}),
        lambda: use_at(ELSEWHERE),
        lambda: forget(ASK),
        lambda: [TokenBindings().forget(ASK.scope, ASK.account), forget(ASK)],
    ],
)
def test_what_a_version_without_origins_left_in_the_keyring_is_erased(
    memory: Memory, act: Callable[[], object]
) -> None:
    """Of this account alone; the passphrase of backups is kept under the same name."""
    others = {("confere/archive-1", "backup passphrase"): "corvos", ("confere/archive-2", ASK.account): TOKEN}
    memory.kept.update(others | {("confere/archive-1", ASK.account): TOKEN})
    act()
    assert memory.kept.items() >= others.items()
    for name in ("backup passphrase", "Backup Passphrase"):
        memory.kept["confere/archive-1", name] = others["confere/archive-1", name] = "corvos"
        bind(replace(ASK, account=name))
        forget(replace(ASK, account=name))
    assert ("confere/archive-1", ASK.account) not in memory.kept
    assert memory.kept.items() >= others.items()


def test_a_file_goes_with_the_account_to_another_origin(no_keyring: None, tmp_path: Path) -> None:
    use_file(ASK, private_file(tmp_path / "token", TOKEN))
    assert use_at(ELSEWHERE) is Source.FILE
    assert load(ELSEWHERE, {}).reveal() == TOKEN


def test_on_a_server_variables_may_say_the_origin_themselves(no_keyring: None, tmp_path: Path) -> None:
    fresh = Ask("loja", "another-archive", ADDRESS, alone=True)
    variables = {"CONFERE_TOKEN": TOKEN}
    with pytest.raises(SecretUnavailable):
        load(fresh, variables)
    assert load(fresh, variables | {"CONFERE_TOKEN_ORIGIN": ORIGIN}).reveal() == TOKEN
    assert load(fresh, variables | {"CONFERE_TOKEN_ORIGIN_LOJA": ADDRESS}).reveal() == TOKEN
    require_origin(fresh, variables | {"CONFERE_TOKEN_ORIGIN": ORIGIN})
    for wrong in ("https://other.example", "http://hub.example"):
        with pytest.raises(SecretUnavailable):
            load(fresh, variables | {"CONFERE_TOKEN_ORIGIN": wrong})
        bind(ASK)  # the person's word stands for what the person gave, not for variables of another address
        with pytest.raises(SecretUnavailable):
            load(ASK, variables | {"CONFERE_TOKEN_ORIGIN": wrong})
    with pytest.raises(SecretUnavailable, match="does not hold an address"):
        load(fresh, variables | {"CONFERE_TOKEN_ORIGIN": "hub"})
    of_many = Ask("loja", "another-archive", ADDRESS, alone=False)
    with pytest.raises(SecretUnavailable):
        load(of_many, variables | {"CONFERE_TOKEN_ORIGIN": ORIGIN})


# -- names and values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("account", "variable", "credential"),
    [
        ("loja", "CONFERE_TOKEN_LOJA", "confere-loja"),
        ("Loja São João & Cia. 2", "CONFERE_TOKEN_LOJA_SAO_JOAO_CIA_2", "confere-loja-sao-joao-cia-2"),
        ("../../etc/passwd", "CONFERE_TOKEN_ETC_PASSWD", "confere-etc-passwd"),
        ("file", "CONFERE_TOKEN__FILE", "confere-file"),
        ("origin", "CONFERE_TOKEN__ORIGIN", "confere-origin"),
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
