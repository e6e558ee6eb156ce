"""What a run was asked for and what came of it, as labels and sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from confere.app import words
from confere.errors import N_, Message, message

_LABELS: Final = {
    # of a sync
    "listed": N_("Documents listed"),
    "new": N_("New"),
    "updated": N_("Changed"),
    "downloaded": N_("XML downloaded"),
    "already": N_("XML already here"),
    "failed": N_("Downloads that failed"),
    "requests": N_("Requests"),
    "throttled": N_("Asked to slow down"),
    # of an import
    "files": N_("Files"),
    "recorded": N_("Recorded"),
    "duplicates": N_("Already here"),
    "unreadable": N_("Not readable"),
    "ignored": N_("Neither XML nor ZIP"),
    # of an export, too
    "documents": N_("Documents"),
    "events": N_("Events"),
    "xml": N_("XML files"),
}
_MOST_PATHS = 5


def counts(of: Mapping[str, Any]) -> tuple[tuple[Message, int], ...]:
    """The figures of a run in the order in which they are told; zeros are left out, all but the first."""
    known = [(label, of[name]) for name, label in _LABELS.items() if type(of.get(name)) is int]
    return tuple((Message(label), number) for place, (label, number) in enumerate(known) if number or not place)


def parameters(kind: str, of: Mapping[str, Any]) -> tuple[Message, ...]:
    """What was asked for, one sentence each; none where it was the usual."""
    if kind == "export":
        return _of_export(of)
    found: list[Message] = []
    if of.get("full") is True:
        found.append(message("Everything was listed again."))
    if of.get("only_failed") is True:
        found.append(message("Only failed downloads were tried again."))
    narrowed = of.get("narrowed")
    if isinstance(narrowed, str):
        found += narrowing(narrowed)
    paths = of.get("paths")
    if isinstance(paths, list):
        found += [message("From {path}", path=str(path)) for path in paths[:_MOST_PATHS]]
        if len(paths) > _MOST_PATHS:
            found.append(message("and {count} more", count=len(paths) - _MOST_PATHS))
    return tuple(found)


def detail(action: str, text: str | None) -> tuple[Message, ...]:
    """What the audit trail says beside a line's subject."""
    if not text:
        return ()
    return narrowing(text) if action == "sync" else (Message(text),)


def narrowing(text: str) -> tuple[Message, ...]:
    """What a sync was narrowed to; empty for everything. What is not understood is told as it stands."""
    if not text:
        return ()
    try:
        given = json.loads(text)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        return (Message(text),)
    found = []
    for name, value in given.items():
        if name == "type":
            found.append(message("Only documents of type {type}", type=str(value)))
        elif name == "marketplace":
            found.append(message("Only marketplace {marketplace}", marketplace=str(value)))
        elif name == "order":
            found.append(message("Only order {order}", order=str(value)))
        else:
            found.append(Message(f"{name}: {value}"))
    return tuple(found)


def _of_export(of: Mapping[str, Any]) -> tuple[Message, ...]:
    found = []
    if of.get("company") and of.get("month"):
        found.append(
            message(
                "{company}, {month}",
                company=words.tax_id_word(str(of["company"])),
                month=words.month(str(of["month"])),
            )
        )
    profile = of.get("profile")
    if isinstance(profile, str):
        found.append(Message(words.PROFILES.get(profile, profile)))
    return tuple(found)
