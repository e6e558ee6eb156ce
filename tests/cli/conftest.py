"""What the tests of the command line share: commands in this process and in children, and an archive of real XML."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.cli.main import run
from confere.errors import message
from confere.system import messages
from confere.system.secrets import system_keyring
from tests.cli.running import ENVIRONMENT, Call, Done
from tests.desktop.once import made_once
from tests.one_command_line import one_command_line


@pytest.fixture(scope="module", autouse=True)
def _commands_made_once() -> Iterator[None]:
    with one_command_line():
        yield


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test touches the keyring of whoever runs it, nor leaves a language behind."""

    def none() -> None:
        raise system_keyring.KeyringUnusable(message("This system has no keyring that Confere can reach."))

    monkeypatch.setattr(system_keyring, "_backend", none)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("CONFERE_LANGUAGE", "en")
    before = messages._Choice.code
    yield
    messages._Choice.code = before


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command line in this process."""

    def call(*arguments: str | Path) -> Done:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return call


@pytest.fixture
def child() -> Call:
    """Run a command line in a process of its own, as a shell would."""

    def child(*arguments: str | Path, text: str = "", prelude: str = "", **variables: str) -> Done:
        code = f"{prelude}\nfrom confere.cli.main import main\nmain()\n"
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
            input=text,
            capture_output=True,
            encoding="utf-8",
            env=ENVIRONMENT | variables,
            timeout=120,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return child


@pytest.fixture(scope="session")
def papers() -> Path:
    """The folder of the XML samples that the nfelib package brings."""
    spec = importlib.util.find_spec("nfelib")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(next(iter(spec.submodule_search_locations)))


@pytest.fixture(scope="session")
def archived(tmp_path_factory: pytest.TempPathFactory, papers: Path) -> Path:
    """A data folder with those samples in it; tests only read it."""

    def make(home: Path) -> None:
        samples = (str(papers / kind / "samples") for kind in ("nfe", "cte"))
        assert run(["import", "--home", str(home), "--json", *samples]) == 0

    return made_once(tmp_path_factory, "archived", make)


@pytest.fixture
def home(tmp_path: Path, archived: Path) -> Path:
    """A data folder of its own with the samples, to write to."""
    return Path(shutil.copytree(archived, tmp_path / "home"))
