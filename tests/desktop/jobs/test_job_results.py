"""What the window reads of a job's result is what the commands print: held against the snapshots of their JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from confere.desktop.jobs.job import JobKind
from confere.desktop.jobs.job_results import KINDS, ExportJobResult, SyncJobResult, WrittenPackage, read
from tests.cli.json_snapshots import FOLDER

COMMANDS = {
    JobKind.DEMO: "demo",
    JobKind.SYNC: "sync",
    JobKind.IMPORT: "import",
    JobKind.EXPORT: "export",
    JobKind.VERIFY: "verify",
    JobKind.REINDEX: "reindex",
    JobKind.CHECK: "doctor",
    JobKind.BACKUP: "backup",
    JobKind.RESTORE_PREVIEW: "restore",
    JobKind.RESTORE: "restore",
    JobKind.HOME: "home",
    JobKind.UPGRADE: "doctor",
    JobKind.PDF: "pdf",
    JobKind.RECONCILE: "reconcile",
    JobKind.ORDERS: "orders-import",
    JobKind.INVOICES: "orders-invoice",
    JobKind.MOVES: "orders-move",
    JobKind.CLOSE: "close",
    JobKind.CATALOG: "catalog-sync",
    JobKind.PUSH_PREVIEW: "catalog-push",
    JobKind.PUSH: "catalog-push",
    JobKind.SELECTION: "list",
}
# How the snapshots call what the window takes as text, as a whole number and as yes or no.
TEXTS = {"string", "empty string", "date", "timestamp offset", "month", "sha256", "access key", "decimal", "null"}
WORDS = {str: TEXTS, int: {"int"}, bool: {"bool"}}


def shapes(command: str) -> list[Mapping[str, Any]]:
    """The shapes of all results of a command, whether it printed them alone or as the last of JSON lines."""
    requests = json.loads((FOLDER / f"{command}.json").read_text("utf-8"))
    answers = [
        request["lines"]["result"]["result"] if "lines" in request else request["answer"]
        for request in requests.values()
        if "result" in request.get("lines", {}) or "answer" in request
    ]
    return [answer for answer in answers if isinstance(answer, Mapping)]


def differing(kind: Any, shape: Mapping[str, Any], place: str) -> Iterator[tuple[str, bool]]:
    """Each field of the value `kind` by its place, and whether this shape has it as what it should be."""
    for name, hint in get_type_hints(kind).items():
        given = shape.get(name, shape.get(f"{name}?"))
        where = f"{place}.{name}"
        inner = get_args(hint)[0] if get_origin(hint) is tuple else hint
        if get_origin(hint) is tuple:
            if not isinstance(given, list) or not given:
                yield where, isinstance(given, list)
                continue
            given = given[0]
        if hasattr(inner, "_fields"):
            if isinstance(given, Mapping):
                yield from differing(inner, given, where)
            yield where, isinstance(given, Mapping)
        else:
            yield where, isinstance(given, str) and set(given.split(" | ")) <= WORDS[inner]


def test_every_job_has_its_command() -> None:
    assert set(COMMANDS) == set(KINDS) == set(JobKind)


# No snapshot has the results of invoices written to a hub.
@pytest.mark.parametrize("kind", [kind for kind in JobKind if kind is not JobKind.INVOICES])
def test_every_field_is_printed(kind: JobKind) -> None:
    printed = [dict(differing(KINDS[kind], shape, "")) for shape in shapes(COMMANDS[kind])]
    assert printed
    places = {place for one in printed for place in one}
    assert [place for place in sorted(places) if not any(one.get(place) for one in printed)] == []


@pytest.mark.parametrize("kind", [kind for kind in JobKind if kind is not JobKind.INVOICES])
def test_a_result_that_says_so_was_stopped(kind: JobKind) -> None:
    told = [shape for shape in shapes(COMMANDS[kind]) if "stopped" in shape]
    assert {read(kind, {**shape, "stopped": True}).stopped for shape in told} <= {True}
    assert bool(told) == ("stopped" in get_type_hints(KINDS[kind]))


def test_what_is_missing_or_of_another_kind_has_its_default() -> None:
    printed = {"sync": {"new": "3", "failed": 2, "conservation": None, "unknown": 1}, "failures": {}, "stopped": True}
    result = read(JobKind.SYNC, printed)
    assert isinstance(result, SyncJobResult)
    assert (result.sync.new, result.sync.failed, result.stopped) == (0, 2, True)
    assert result.failures == ()
    assert read(JobKind.SYNC, {}) == SyncJobResult()


def test_items_of_a_list_are_read_each_by_itself() -> None:
    result = read(JobKind.EXPORT, {"packages": [{"xml": 2, "paths": ["a.zip", 3]}, None, "b"]})
    assert result == ExportJobResult((WrittenPackage(2, ("a.zip",)),))
