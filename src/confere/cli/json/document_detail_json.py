"""All of one paper as JSON: its rows, what it says field by field, where it stands and why, and the verdict on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from confere.cli.json import document_json
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.fiscal.detail import Detail, Fields
from confere.system.formatting import decimal_string

if TYPE_CHECKING:
    from confere.app.authenticity.verify import PaperVerdict
    from confere.app.documents.view.loaded import Loaded

_CENTS = "_cents"
_PAIRS = frozenset({"fields", "identification"})
_GROUPS = frozenset({"totals", "sections", "legs", "modal_fields"})


def shown(found: Loaded) -> Shape:
    """As `full`, with all that the paper says (`detail`), why it stands where it does, and the verdict line by line."""
    view = found.view
    shape = document_json.full(view.full)
    for event, event_row in zip(shape["events"], view.full.events, strict=True):
        paper = view.whole.events.get(event_row.id)
        event["fields"] = fields(paper.fields) if paper is not None else []
    standing = view.standing
    return shape | {
        "detail": detail(view.detail),
        "standing": None if standing is None else fields_of(standing, "state", "reason", "ground"),
        "disagreements": view.disagreements,
        "verdicts": [verdict(each) for each in view.verdicts],
        "problems": found.problems,
    }


def verdict(of: PaperVerdict) -> Shape:
    """The verdict on one paper of the document: itself, an event or a voiding."""
    names = ("kind=judged.kind", "access_key=judged.access_key", "code=judged.code", "sequence=judged.sequence")
    named = fields_of(of, *names, "sha256", "verdict=verdict.result", "altered=verdict.altered")
    return named | {"lines": each_of(of.verdict.lines, "check", "result", "altered", "why")}


def detail(paper: Detail | None) -> Mapping[str, Any] | None:
    """Names as the values have them, quantities as written; `amount_cents` is `amount`, as a decimal string.

    Where that name is taken, it ends in `_value`: `service` is a CT-e's kind of service, `service_value` its price.
    """
    return None if paper is None else plain(paper)


def fields(pairs: Fields) -> list[dict[str, str]]:
    """Fields as the paper writes them, in its order."""
    return [{"tag": tag, "text": text} for tag, text in pairs]


def plain(paper: object) -> Shape:
    """Any value of fields as `detail` writes it."""
    shape: Shape = {}
    names = [each.name for each in dataclasses.fields(paper)]  # type: ignore[arg-type]
    for name in names:
        value = getattr(paper, name)
        if name.endswith(_CENTS):
            key = name.removesuffix(_CENTS)
            shape[f"{key}_value" if key in names else key] = decimal_string(value)
        elif name in _PAIRS:
            shape[name] = fields(value)
        elif name in _GROUPS:
            shape[name] = [{"name": group, "fields": fields(pairs)} for group, pairs in value]
        else:
            shape[name] = _value(value)
    return shape


def _value(value: object) -> Any:
    if isinstance(value, Decimal):
        return format(value, "f")  # as written: its zeros too
    if isinstance(value, tuple):
        return [_value(each) for each in value]
    return plain(value) if dataclasses.is_dataclass(value) else value
