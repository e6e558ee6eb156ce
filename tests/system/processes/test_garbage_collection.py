"""The collector of circles rests while asked to, and is as it was afterwards."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

from confere.system.processes.garbage_collection import collecting_later


@pytest.fixture(autouse=True)
def _collector_is_on() -> Iterator[None]:
    """Tests of the window, which may have run before in this process, leave it off."""
    was_on = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was_on else gc.disable)()


def test_it_rests_and_is_as_it_was_afterwards() -> None:
    assert gc.isenabled()
    with collecting_later():
        assert not gc.isenabled()
        with collecting_later():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_failure_lets_it_run_on() -> None:
    with pytest.raises(ValueError, match="no"), collecting_later():
        raise ValueError("no")
    assert gc.isenabled()


def test_a_command_ends_without_walking_what_is_alive() -> None:
    """A knot is told of where it is collected at the end, and nowhere else."""
    code = (
        "import sys\n"
        "from confere.cli.main import main\n"
        "class Knot:\n"
        "    def __init__(self): self.itself = self\n"
        "    def __del__(self): print('walked')\n"
        "kept = Knot()\n"
        "sys.argv = ['confere', '--version']\n"
        "main()\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("confere ")
    assert "walked" not in ended.stdout
