"""Worlds, and what an accountant finds in them, made once for all tests of a process: nobody moves their clocks."""

from __future__ import annotations

from functools import cache
from typing import Any

from sandbox_hub.options import CLEAN_MONTHS, NONE
from sandbox_hub.oracle.expected_findings.accountant import anomalies
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.world import World


@cache
def world(
    seed: int, documents: int, spec: str = NONE, clean: tuple[str, ...] = CLEAN_MONTHS, *, forget: bool = False
) -> World:
    return World(seed, documents, forget=forget, lies=read_spec(spec, clean))


@cache
def found(
    seed: int, documents: int, spec: str = NONE, clean: tuple[str, ...] = CLEAN_MONTHS, *, forget: bool = False
) -> tuple[dict[str, Any], ...]:
    return tuple(anomalies(world(seed, documents, spec, clean, forget=forget)))
