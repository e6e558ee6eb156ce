"""The probes by name: functions that make real calls and raise AssertionError where the row's fact does not hold."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from tests.hub.rows.bench import Bench
from tests.hub.rows.doors import ClientDoor, Door, HubDoor

Probe = Callable[[Bench, str], None]
HUB: dict[str, Probe] = {}
CLIENT: dict[str, Probe] = {}
ALSO: dict[str, Probe] = {}
_MODULES = (
    "catalog",
    "orders",
    "order_moves",
    "feeds",
    "publications",
    "documents",
    "contract",
    "rules",
    "typed_commands",
)


def at_hub(probe: Probe) -> Probe:
    """A probe of the hub's end, by its name without `hub_`."""
    HUB[probe.__name__.removeprefix("hub_")] = probe
    return probe


def at_client(probe: Probe) -> Probe:
    """A probe of the client's end, by its name without `client_`."""
    CLIENT[probe.__name__.removeprefix("client_")] = probe
    return probe


def at_both(probe: Callable[[Door, str], None]) -> Callable[[Door, str], None]:
    """A probe of both ends: by plain HTTP; by `confere hub call`, and by the command that knows the matter itself."""

    def at_the_client(bench: Bench, subject: str) -> None:
        probe(ClientDoor(bench), subject)
        if probe.__name__ in ALSO:
            ALSO[probe.__name__](bench, subject)

    HUB[probe.__name__] = lambda bench, subject: probe(HubDoor(bench), subject)
    CLIENT[probe.__name__] = at_the_client
    return probe


def also(probe: Probe) -> Probe:
    """What the command of the matter itself shows of a row that `hub call` proves, by its name without `typed_`."""
    ALSO[probe.__name__.removeprefix("typed_")] = probe
    return probe


def load() -> None:
    """Fill the two tables."""
    for name in _MODULES:
        import_module(f"tests.hub.rows.{name}")
