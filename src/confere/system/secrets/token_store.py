"""Keeps and finds the tokens of accounts: keyring, systemd credential, private file, variable, prompt.

A token is given for an origin (scheme, host and port) by a person on this machine, and goes nowhere else. What an
archive says of an address gives it none: the bindings of `token_bindings` do, or a variable that names the origin.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from confere.errors import Message, SecretUnavailable, UsageFault, message
from confere.system.files.atomic_file import write_text
from confere.system.processes.command_text import command_text
from confere.system.redaction import register_secret
from confere.system.secrets import system_keyring
from confere.system.secrets.origin import is_here, origin_of
from confere.system.secrets.secret import Secret as Secret
from confere.system.secrets.secret import Source as Source
from confere.system.secrets.token_bindings import TokenBinding, TokenBindings
from confere.system.secrets.token_variables import TokenVariables, file_variable, is_plausible, token_in
from confere.system.secrets.token_variables import credential_name as credential_name
from confere.system.secrets.token_variables import environment_name as environment_name

Prompt = Callable[[Message], str]
"""Asks the user for a token without showing it. A face gives one only where somebody can answer."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Which token is meant, and where it goes: `address` is the account's, as the archive has it.

    `scope` tells apart the archives of one user that use the same account name (the archive's own id). `alone` says
    that the archive has no other account: only then do `CONFERE_TOKEN` and its like, which name no account, count; else
    one account's token would be sent to another's hub.
    """

    account: str
    scope: str
    address: str
    _: KW_ONLY
    alone: bool

    @property
    def origin(self) -> str:
        """The only place that the token may go to; empty where the address is none."""
        return origin_of(self.address)


def store(ask: Ask, token: str, file: Path | None = None, environ: Mapping[str, str] | None = None) -> Source:
    """Keep `token` for the origin and say where: the keyring, else `file` (made private), which the user named.

    Where another way already gives this very token, it is written nowhere and that way is the answer. Raises
    `UsageFault` for what cannot be a token and `SecretUnavailable` when there is nowhere to keep it.
    """
    given = _environment(ask, environ)
    clean = _clean(ask, token)
    try:
        system_keyring.write(_service(ask.scope, ask.origin), ask.account, clean)
        _bind(ask)
        return Source.KEYRING
    except system_keyring.KeyringUnusable as unusable:
        why = unusable.why
    if file is not None:
        file = file.expanduser().absolute()
        write_text(file, clean + "\n", private=True)
        _bind(ask, file=str(file))
        return Source.FILE
    for named in given.files:
        if not named.exists():
            write_text(named, clean + "\n", private=True)
            _bind(ask)
            return Source.FILE
    bound = TokenBinding(ask.scope, ask.account, ask.origin)
    secret = _outside_keyring(ask, bound, given)
    if secret is not None and secret.reveal() == clean:
        _bind(ask)
        return secret.source
    raise SecretUnavailable(
        message("The token of the account {account} cannot be kept. {why}", account=ask.account, why=why),
        _ways(ask),
    )


def store_sandbox(ask: Ask, token: str) -> Source:
    """Keep the token of a sandbox on this machine, which opens invented documents only, in the configuration itself."""
    _bind(ask, token=_clean(ask, token))
    return Source.CONFIGURATION


def use_file(ask: Ask, file: Path) -> Source:
    """Use the token in a file of the user's from now on. `SecretUnavailable` where it holds none."""
    source = of_file(file).source
    _bind(ask, file=str(file.expanduser().absolute()))
    _erase(ask.scope, ask.origin, ask.account)  # the keyring's would be found before the file
    return source


def bind(ask: Ask) -> None:
    """Let what a person gives elsewhere (variables, a credential, an answer) count for this account and origin."""
    _bind(ask)


def use_at(ask: Ask) -> Source | None:
    """Use the token that was given for another origin at this one from now on; where it is, None for none yet.

    For a person who saw both addresses. `SecretUnavailable` where this machine has no token of the account.
    """
    former = TokenBindings().of(ask.scope, ask.account)
    if former is None:
        raise _disarmed(ask, former)
    if former.origin != ask.origin:
        with suppress(system_keyring.KeyringUnusable):
            token = system_keyring.read(_service(former.archive, former.origin), former.account)
            if token:
                system_keyring.write(_service(ask.scope, ask.origin), ask.account, token)
        _bind(ask, file=former.file, token=former.token if is_here(ask.origin) else "")
    try:
        return load(ask).source
    except SecretUnavailable:
        return None


def load(ask: Ask, environ: Mapping[str, str] | None = None, prompt: Prompt | None = None) -> Secret:
    """The token for the origin, from the first place that has it; what `prompt` gives is not kept.

    Raises `SecretUnavailable`: where nobody gave a token for this origin on this machine, with the command that gives
    one; else with every way to give it; also for a file that the user named and that is missing, empty or open to other
    users (it is not passed over in silence).
    """
    given = _environment(ask, environ)
    binding = TokenBindings().of(ask.scope, ask.account)
    missing = _disarmed(ask, binding)
    if binding is not None and _is_for(binding, ask):
        if binding.token and is_here(binding.origin):
            return Secret(binding.token, Source.CONFIGURATION)
        why = message("The system's keyring does not hold it.")
        try:
            token = system_keyring.read(_service(ask.scope, ask.origin), ask.account)
            if token and is_plausible(token):
                return Secret(token, Source.KEYRING)
        except system_keyring.KeyringUnusable as unusable:
            why = unusable.why
        what = message("There is no token for the account {account}. {why}", account=ask.account, why=why)
        missing = SecretUnavailable(what, _ways(ask))
    secret = _outside_keyring(ask, binding, given)
    if secret is not None:
        return secret
    if prompt is not None and ask.origin and (binding is None or _is_for(binding, ask)):
        # With the address: whoever types it sees where it goes. Not where the account moved: that names both addresses.
        question = message("Token of the account {account} for {address}", account=ask.account, address=ask.address)
        answer = prompt(question).strip()
        if is_plausible(answer):
            return Secret(answer, Source.PROMPT)
    raise missing


def require_origin(ask: Ask, environ: Mapping[str, str] | None = None) -> None:
    """Raise `SecretUnavailable` where nobody gave a token for this origin on this machine: then nothing is asked there,
    not even without a token."""
    binding = TokenBindings().of(ask.scope, ask.account)
    if not _is_for(binding, ask) and not _in_environment(ask, binding, _environment(ask, environ)):
        raise _disarmed(ask, binding)


def of_file(path: Path) -> Secret:
    """The token in a file of the user's; `SecretUnavailable` where it holds none or others can read it."""
    return Secret(token_in(path.expanduser(), private=True), Source.FILE)


def forget(ask: Ask) -> bool:
    """Forget the account's binding and its token in the keyring; False when that held none or cannot be used.

    Files and variables belong to the user and are left alone.
    """
    former = TokenBindings().of(ask.scope, ask.account)
    was_unbound = _erase_unbound(ask)
    if former is None:
        return was_unbound
    TokenBindings().forget(ask.scope, ask.account)
    return was_unbound | _erase(ask.scope, former.origin, ask.account)


def _clean(ask: Ask, token: str) -> str:
    clean = token.strip()
    if not is_plausible(clean):
        raise UsageFault(
            message("What was given for the account {account} cannot be a token.", account=ask.account),
            message("A token is one line of letters, digits and signs without accents; copy it again."),
        )
    register_secret(clean)
    return clean


def _bind(ask: Ask, *, file: str = "", token: str = "") -> None:
    """Bind the account to the origin; what the keyring has for its former one is forgotten."""
    if not ask.origin:
        raise UsageFault(message("{address} is not an address.", address=ask.address))
    bindings = TokenBindings()
    former = bindings.of(ask.scope, ask.account)
    bindings.keep(TokenBinding(ask.scope, ask.account, ask.origin, file, token))
    if former is not None and former.origin != ask.origin:
        _erase(ask.scope, former.origin, ask.account)
    if not token:
        _erase_unbound(ask)


def _is_for(binding: TokenBinding | None, ask: Ask) -> bool:
    return binding is not None and bool(ask.origin) and binding.origin == ask.origin


def _environment(ask: Ask, environ: Mapping[str, str] | None) -> TokenVariables:
    return TokenVariables(ask.account, ask.alone, os.environ if environ is None else environ)


def _in_environment(ask: Ask, binding: TokenBinding | None, given: TokenVariables) -> bool:
    """Whether what the environment gives is for the origin: it says so, or says nothing and a person bound it."""
    named = given.origin
    return bool(ask.origin) and (named == ask.origin if named else _is_for(binding, ask))


def _outside_keyring(ask: Ask, binding: TokenBinding | None, given: TokenVariables) -> Secret | None:
    """What a file of the binding or the environment gives, in the promised order."""
    is_given = _in_environment(ask, binding, given)
    credential = given.credential() if is_given else None
    if credential is not None:
        return credential
    bound = binding.file if binding is not None and _is_for(binding, ask) else ""
    for file in [*([Path(bound)] if bound else []), *(given.files if is_given else [])]:
        return Secret(token_in(file, private=True), Source.FILE)
    return given.value() if is_given else None


def _ways(ask: Ask) -> Message:
    return message(
        "Give it in one of these ways: the system's keyring (confere account add); a systemd credential named "
        "{credential}; a file that only you can read, named in {file}; the variable {variable} (weak: "
        "other programs of yours can read it); or type it when asked, on a terminal.",
        credential=credential_name(ask.account),
        file="CONFERE_TOKEN_FILE" if ask.alone else file_variable(ask.account),
        variable="CONFERE_TOKEN" if ask.alone else environment_name(ask.account),
    )


def _disarmed(ask: Ask, former: TokenBinding | None) -> SecretUnavailable:
    """The error for an address that nobody on this machine gave the account's token for."""
    give = command_text(["confere", "account", "token", ask.account])
    if former is None or not ask.origin:
        return SecretUnavailable(
            message(
                "The account {account} is at {address}, and this machine has no token for that address: nothing was "
                "sent there.",
                account=ask.account,
                address=ask.address,
            ),
            message("If the address is the right one, give the token for it with `{command}`.", command=give),
        )
    return SecretUnavailable(
        message(
            "The token of the account {account} was given for {origin}, and the account is at {address} now: nothing "
            "was sent there.",
            account=ask.account,
            origin=former.origin,
            address=ask.address,
        ),
        message(
            "If the new address is the right one, let the token be used there with `{command}`, or give another with "
            "`{give}`.",
            command=command_text(["confere", "account", "token", ask.account, "--origin", ask.origin]),
            give=give,
        ),
    )


def _erase(scope: str, origin: str, account: str) -> bool:
    return _erase_of(_service(scope, origin), account)


def _erase_of(service: str, account: str) -> bool:
    try:
        return system_keyring.erase(service, account)
    except system_keyring.KeyringUnusable:
        return False


def _erase_unbound(ask: Ask) -> bool:
    """Erase what a version that bound tokens to no origin left in the keyring; whether there was something."""
    # Some keyrings do not tell capitals apart, and an id with a slash could be another archive's with an origin.
    if ask.account.casefold() == system_keyring.BACKUPS_USER or "/" in ask.scope:
        return False
    return _erase_of(f"confere/{ask.scope}" if ask.scope else "confere", ask.account)


def _service(scope: str, origin: str) -> str:
    """What the keyring files a token under: the origin is part of it, so that a token is only found for its own."""
    return f"confere/{scope}/{origin}" if scope else f"confere/{origin}"
