"""The JSON of what stands beside the findings: pairs that nearly fit, and differences that R3 explains itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from confere.cli.json.encoder import Shape
from confere.system.formatting import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from confere.app.reconciliation.queries import ExplainedDifference, SuggestionLine


@dataclass(frozen=True, slots=True)
class NearMissesJson:
    """What the runs list beside their findings, of all accounts."""

    explained: Sequence[ExplainedDifference] = ()
    suggestions: Sequence[SuggestionLine] = ()


def suggestion(found: SuggestionLine) -> Shape:
    """An order and a document that nearly fit; `agrees` and `differs` are sentences."""
    return {
        "order": found.order_id,
        "key": found.key,
        "agrees": [render(reason) for reason in found.agrees],
        "differs": [render(reason) for reason in found.differs],
        "order_total": decimal_string(found.order_total),
        "document_total": decimal_string(found.paper_total),
        "created_on": found.created_on or None,
        "issued_on": found.issued_on or None,
    }


def suggestions(account: str, found: Iterable[SuggestionLine]) -> Shape:
    every = [suggestion(entry) for entry in found]
    return {"account": account, "total": len(every), "suggestions": every}


def explained(account: str, found: Iterable[ExplainedDifference]) -> Shape:
    every = [explained_line(entry) for entry in found]
    return {"account": account, "total": len(every), "explained": every}


def explained_line(found: ExplainedDifference) -> Shape:
    """A difference that a rule explains itself, with what makes it up."""
    return {
        "rule": "R3",
        "period": found.period,
        "orders": list(found.orders),
        "keys": list(found.keys),
        "amount": decimal_string(found.amount),
        "evidence": " ".join(render(reason) for reason in found.evidence),
    }
