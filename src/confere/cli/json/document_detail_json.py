"""All of one paper as JSON: its rows, what it says field by field, where it stands and why, and the verdict on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from confere.cli.json import document_json
from confere.cli.json.json_shapes import Shape
from confere.fiscal.detail import Detail, Fields
from confere.system.formatting import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from confere.app.authenticity.verify import PaperVerdict
    from confere.app.documents.show import ShownDocument

_CENTS = "_cents"
_PAIRS = frozenset({"fields", "identification"})
_GROUPS = frozenset({"totals", "sections", "legs", "modal_fields"})


def shown(found: ShownDocument) -> Shape:
    """As `full`, with all that the paper says (`detail`), why it stands where it does, and the verdict line by line."""
    shape = document_json.full(found.view.full)
    for entry, event_row in zip(shape["events"], found.view.full.events, strict=True):
        whole = found.view.whole.events.get(event_row.id)
        entry["fields"] = fields(whole.fields) if whole is not None else []
    standing = found.view.standing
    return shape | {
        "detail": detail(found.view.detail),
        "standing": None
        if standing is None
        else {"state": standing.state.value, "reason": render(standing.reason), "ground": standing.ground.value},
        "disagreements": [render(entry) for entry in found.view.disagreements],
        "verdicts": [verdict(entry) for entry in found.view.verdicts],
        "problems": [render(entry) for entry in found.problems],
    }


def verdict(found: PaperVerdict) -> Shape:
    """The verdict on one paper of the document: itself, an event or a voiding."""
    return {
        "kind": found.judged.kind.value,
        "access_key": found.judged.access_key,
        "code": found.judged.code,
        "sequence": found.judged.sequence,
        "sha256": found.sha256,
        "verdict": found.verdict.result.value,
        "altered": found.verdict.altered,
        "lines": [
            {
                "check": line.check.value,
                "result": line.result.value,
                "altered": line.altered,
                "why": render(line.why) if line.why is not None else None,
            }
            for line in found.verdict.lines
        ],
    }


def detail(found: Detail | None) -> Mapping[str, Any] | None:
    """Names as the values have them, quantities as written; `amount_cents` is `amount`, as a decimal string.

    Where that name is taken, it ends in `_value`: `service` is a CT-e's kind of service, `service_value` its price.
    """
    return None if found is None else _object(found)


def plain(found: object) -> dict[str, Any]:
    """Any value of fields as `detail` writes it."""
    return _object(found)


def fields(found: Fields) -> list[dict[str, str]]:
    """Fields as the paper writes them, in its order."""
    return [{"tag": tag, "text": text} for tag, text in found]


def _object(found: object) -> dict[str, Any]:
    made: dict[str, Any] = {}
    names = [entry.name for entry in dataclasses.fields(found)]  # type: ignore[arg-type]
    for name in names:
        value = getattr(found, name)
        if name.endswith(_CENTS):
            plain = name.removesuffix(_CENTS)
            made[f"{plain}_value" if plain in names else plain] = decimal_string(value)
        elif name in _PAIRS:
            made[name] = fields(value)
        elif name in _GROUPS:
            made[name] = [{"name": group, "fields": fields(pairs)} for group, pairs in value]
        else:
            made[name] = _value(value)
    return made


def _value(found: object) -> Any:
    if isinstance(found, Decimal):
        return format(found, "f")
    if isinstance(found, tuple):
        return [_value(entry) for entry in found]
    if dataclasses.is_dataclass(found):
        return _object(found)
    return found
