"""The JSON of what stands beside the findings: pairs that nearly fit, and differences that R3 explains itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from confere.cli.json.encoder import Shape, fields_of, joined

if TYPE_CHECKING:
    from confere.app.reconciliation.queries import ExplainedDifference, SuggestionLine


@dataclass(frozen=True, slots=True)
class NearMissesJson:
    """What the runs list beside their findings, of all accounts."""

    explained: Sequence[ExplainedDifference] = ()
    suggestions: Sequence[SuggestionLine] = ()


def suggestion(pair: SuggestionLine) -> Shape:
    """An order and a document that nearly fit; `agrees` and `differs` are sentences."""
    names = ("order=order_id", "key", "agrees", "differs", "order_total", "document_total=paper_total")
    shape = fields_of(pair, *names, money=("order_total", "document_total"))
    return shape | {"created_on": pair.created_on or None, "issued_on": pair.issued_on or None}


def suggestions(account: str, pairs: Iterable[SuggestionLine]) -> Shape:
    shapes = [suggestion(pair) for pair in pairs]
    return {"account": account, "total": len(shapes), "suggestions": shapes}


def explained(account: str, differences: Iterable[ExplainedDifference]) -> Shape:
    shapes = [explained_line(difference) for difference in differences]
    return {"account": account, "total": len(shapes), "explained": shapes}


def explained_line(difference: ExplainedDifference) -> Shape:
    """A difference that a rule explains itself, with what makes it up."""
    shape = fields_of(difference, "period", "orders", "keys", "amount", money=("amount",))
    return {"rule": "R3", **shape, "evidence": joined(difference.evidence)}
