"""What the tests of the system room share: a clean memory of secrets and languages, and child processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from confere.system import messages, redaction
from confere.system.secrets import system_keyring

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def clean_memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Secrets registered, languages chosen and keyrings given up by one test do not reach the next."""
    monkeypatch.setattr(redaction, "_known", redaction._Known())
    system_keyring._Hung.event.clear()
    before = messages._Choice.code
    yield
    messages._Choice.code = before
    system_keyring._Hung.event.clear()


@pytest.fixture
def child_environment() -> dict[str, str]:
    """The environment of a child without anything that chooses a language or a folder."""
    unwanted = {"LANG", "LANGUAGE", "CONFERE_LANGUAGE", "CONFERE_HOME"}
    return {k: v for k, v in os.environ.items() if k not in unwanted and not k.startswith("LC_")}


@pytest.fixture
def run(child_environment: dict[str, str]) -> Run:
    """Run Python code in a child; keyword arguments are environment variables."""

    def run(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-X", "utf8", "-W", "error", "-c", code],
            env=child_environment | variables,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run
