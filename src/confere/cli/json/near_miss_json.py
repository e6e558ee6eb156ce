"""The JSON of what stands beside the findings: pairs that nearly fit, and differences that R3 explains itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from confere.cli.json.encoder import Shape, fields_of, joined

if TYPE_CHECKING:
    from confere.app.accounts.company_lines import CompanyLines
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


def of_account(account: str, company: str | None, found: CompanyLines[Any]) -> Shape:
    """Whose a list is: `of_no_company` of the `total` lines nothing tells the company of, 0 without a `company`."""
    return {
        "account": account,
        "company": company,
        "total": len(found.lines),
        "of_no_company": found.of_no_company,
    }


def suggestions(account: str, found: CompanyLines[SuggestionLine], company: str | None) -> Shape:
    return {**of_account(account, company, found), "suggestions": [suggestion(pair) for pair in found.lines]}


def explained(account: str, found: CompanyLines[ExplainedDifference], company: str | None) -> Shape:
    shapes = [explained_line(difference) for difference in found.lines]
    return {**of_account(account, company, found), "explained": shapes}


def explained_line(difference: ExplainedDifference) -> Shape:
    """A difference that a rule explains itself, with what makes it up."""
    shape = fields_of(difference, "period", "orders", "keys", "amount", money=("amount",))
    return {"rule": "R3", **shape, "evidence": joined(difference.evidence)}
