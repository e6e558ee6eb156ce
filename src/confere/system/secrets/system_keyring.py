"""Uses the system's keyring when it is a real one, and never waits for it without end."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from confere.errors import Message, message
from confere.system.redaction import redact

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_log = logging.getLogger(__name__)

T = TypeVar("T")

BACKUPS_USER: Final = "backup passphrase"
"""Whose entry under `confere/{archive}` the passphrase of backups is; others there are tokens of former versions."""

# Time for a person to unlock it; a session bus that hangs would take all day.
PATIENCE = 30.0


class KeyringUnusable(Exception):
    """There is no keyring fit for a token, or it failed. `why` is a sentence for the user."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


def usable(patience: float = PATIENCE) -> str:
    """The name of the keyring that keeps tokens here. Raises `KeyringUnusable`."""
    return _bounded(lambda: str(_backend().name), patience)


def read(service: str, user: str, patience: float = PATIENCE) -> str | None:
    """What the keyring holds, None when it holds nothing. Raises `KeyringUnusable`."""
    return _bounded(lambda: _backend().get_password(service, user), patience)


def write(service: str, user: str, token: str, patience: float = PATIENCE) -> None:
    """Keep `token`, and read it back to be sure. Raises `KeyringUnusable`."""

    def work() -> bool:
        backend = _backend()
        backend.set_password(service, user, token)
        return backend.get_password(service, user) == token

    if not _bounded(work, patience):
        raise KeyringUnusable(message("The system's keyring did not keep the token."))


def erase(service: str, user: str, patience: float = PATIENCE) -> bool:
    """Delete what the keyring holds; False when it held nothing. Raises `KeyringUnusable`."""

    def work() -> bool:
        backend = _backend()
        if backend.get_password(service, user) is None:
            return False
        backend.delete_password(service, user)
        return True

    return _bounded(work, patience)


def _backend() -> KeyringBackend:
    """The best backend that is fit for a token.

    keyring's own choice may chain several; some of those (keyrings.alt) keep plain text once installed, with
    a priority below 1, as have the placeholders `fail` and `null`.
    """
    import keyring
    from keyring.backends.chainer import ChainerBackend

    chosen = keyring.get_keyring()
    candidates = list(chosen.backends) if isinstance(chosen, ChainerBackend) else [chosen]
    for candidate in candidates:
        if candidate.priority >= 1 and not type(candidate).__module__.startswith("keyrings.alt"):
            return candidate
    kind = type(candidates[0]) if candidates else None
    if kind is None or kind.__module__ in ("keyring.backends.fail", "keyring.backends.null"):
        raise KeyringUnusable(message("This system has no keyring that Confere can reach."))
    raise KeyringUnusable(
        message("The keyring {name} is not safe enough for a token.", name=f"{kind.__module__}.{kind.__qualname__}")
    )


class _Hung:
    """Set once a keyring did not answer, so that each later question does not wait as long again."""

    event = threading.Event()


def _bounded(work: Callable[[], T], patience: float) -> T:
    if _Hung.event.is_set():
        raise KeyringUnusable(_no_answer())
    answers: queue.SimpleQueue[T | Exception] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(work())
        except Exception as error:  # backends raise whatever their system library does
            answers.put(error)

    threading.Thread(target=run, name="keyring", daemon=True).start()
    try:
        answer = answers.get(timeout=patience)
    except queue.Empty:
        _Hung.event.set()
        raise KeyringUnusable(_no_answer()) from None
    if isinstance(answer, KeyringUnusable):
        raise answer
    if isinstance(answer, Exception):
        words = redact(f"{type(answer).__name__}: {answer}")[:200]
        # `from None`: the backend's own exception may carry the token in its arguments.
        _log.info("the keyring's words: %s", words)
        raise KeyringUnusable(_failed(answer)) from None
    return answer


def _failed(error: Exception) -> Message:
    """The backends' own words are English, or whatever language the system speaks."""
    if "Locked" in type(error).__name__:
        return message("The system's keyring is locked.")
    return message("The system's keyring failed.")


def _no_answer() -> Message:
    return message("The system's keyring does not answer.")
