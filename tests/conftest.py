"""What every test shares: a neutral language, no data folder of the developer's own, nothing left out in silence."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import compiled, own_configuration
from tests.new_archives import new_archives_are_copies

# On a machine under load neither an example nor making one is slow by its own fault. Every run draws other examples.
settings.register_profile("tests", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")

os.environ["CONFERE_LANGUAGE"] = "en"
for _name in ("CONFERE_HOME", "CONFERE_TOKEN", "CONFERE_TOKEN_FILE", "CONFERE_TOKEN_ORIGIN"):
    os.environ.pop(_name, None)

own_configuration.use_temporary()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a script: the children under test would never hear Ctrl+C.
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure(config: pytest.Config) -> None:
    starts_workers = bool(config.getoption("numprocesses", None)) and not hasattr(config, "workerinput")
    if starts_workers and not sys.dont_write_bytecode:
        compiled.once()


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Collecting makes millions of objects that live as long as the run: no search for garbage is to look at them,
    neither now (a third of the time) nor, once they are frozen, while the tests run."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(4_000, 10, 10)  # a tenth of the searches, which found next to nothing
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _collected_stays_frozen() -> Iterator[None]:
    """A window that closes would thaw it: a second of processor at every search for garbage from then on."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("freeze", "unfreeze"):
            patch.setattr(gc, name, lambda: None)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what needs a program that is not here, by name."""
    for item in items:
        for marker in item.iter_markers("system_program"):
            for program in marker.args:
                if shutil.which(program) is None:
                    item.add_marker(pytest.mark.skip(reason=f"needs the program {program}"))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything is installed, a test left out is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CONFERE_TESTS_SKIP_NOTHING") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = 1


@pytest.fixture(scope="session", autouse=True)
def _new_archives_are_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with new_archives_are_copies(tmp_path_factory.mktemp("new")):
        yield


@pytest.fixture(autouse=True)
def _no_warning_in_the_log(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A warning or error in the log fails the test, unless the test is about one (`logs_problems`)."""
    yield
    if request.node.get_closest_marker("logs_problems"):
        return
    found = [
        f"{record.name}: {record.getMessage()}"
        for phase in ("setup", "call")
        for record in caplog.get_records(phase)
        if record.levelno >= logging.WARNING
    ]
    assert not found, found
