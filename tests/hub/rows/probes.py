"""The probes by name: functions that make real calls and raise AssertionError where the row's fact does not hold."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from tests.hub.rows.bench import Bench
from tests.hub.rows.doors import ClientDoor, Door, HubDoor

Probe = Callable[[Bench, str], None]
HUB: dict[str, Probe] = {}
CLIENT: dict[str, Probe] = {}
_MODULES = (
    "catalog",
    "hub_orders",
    "hub_feeds",
    "hub_publications",
    "hub_documents",
    "hub_contract",
    "hub_rules",
    "client_orders",
    "client_feeds",
    "client_publications",
    "client_documents",
    "client_contract",
    "client_rules",
)


def at_hub(probe: Probe) -> Probe:
    """A probe of the hub's end, by its own name."""
    HUB[probe.__name__] = probe
    return probe


def at_client(probe: Probe) -> Probe:
    """A probe of the client's end, by its own name."""
    CLIENT[probe.__name__] = probe
    return probe


def at_both(probe: Callable[[Door, str], None]) -> Callable[[Door, str], None]:
    """A probe of both ends: by plain HTTP, and by `confere hub call`."""
    HUB[probe.__name__] = lambda bench, subject: probe(HubDoor(bench), subject)
    CLIENT[probe.__name__] = lambda bench, subject: probe(ClientDoor(bench), subject)
    return probe


def load() -> None:
    """Fill the two tables."""
    for name in _MODULES:
        import_module(f"tests.hub.rows.{name}")
