"""Command lines in this process reach nobody's keyring and leave no language behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from confere.errors import message
from confere.system import messages
from confere.system.secrets import system_keyring
from tests.one_command_line import one_command_line


@pytest.fixture(scope="module", autouse=True)
def _commands_made_once() -> Iterator[None]:
    with one_command_line():
        yield


@pytest.fixture(scope="module", autouse=True)
def _no_keyring() -> Iterator[None]:
    def none() -> None:
        raise system_keyring.KeyringUnusable(message("This system has no keyring that Confere can reach."))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(system_keyring, "_backend", none)
        yield


@pytest.fixture(autouse=True)
def _same_language_after() -> Iterator[None]:
    before = messages._Choice.code
    yield
    messages._Choice.code = before
