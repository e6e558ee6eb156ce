"""R18: the items do not add up to the document's totals.

Source: MOC 7.0, annex I, validation rules W03 to W16.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.rules.rule import Rule
from confere.sales.findings import Finding, Severity

RULE: Final = Rule(
    "R18",
    1,
    Severity.MEDIUM,
    N_("Totals"),
    N_(
        "The items of the document do not add up to a total that it names."
        " Ask its issuer for a correct document, or correct its issue for the next ones."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Documents with mismatches, as the reader found them, whatever their state.

    Source: reconciliation rules, R18; MOC 7.0, annex I, group W (totals).
    """
    for paper in view.papers.values():
        if not paper.mismatches:
            continue
        read = [_parts(text) for text in paper.mismatches]
        yield RULE.found(
            paper.period,
            *(_mismatch_sentence(field, expected, written) for field, expected, written in read),
            message(
                "So it stands in {name} of {day} ({total}).",
                name=evidence_text.named(paper),
                day=evidence_text.day(paper.issued_on),
                total=evidence_text.money(paper.total),
            ),
            papers=[paper],
            amount=max((_apart(expected, written) for _, expected, written in read), default=None),
        )


def _parts(text: str) -> tuple[str, str, str]:
    """`vProd:100.00:90.00`: the field, what the items come to, what the total says."""
    field, _, rest = text.partition(":")
    expected, _, written = rest.partition(":")
    return field, expected, written


def _mismatch_sentence(field: str, expected: str, written: str) -> Message:
    return message(
        "The items come to {expected}; {field} says {found}.",
        expected=_money(expected),
        field=field,
        found=_money(written),
    )


def _cents(text: str) -> int | None:
    whole, _, rest = text.lstrip("-").partition(".")
    if not whole.isdecimal() or (rest and not rest.isdecimal()):
        return None
    cents = int(whole) * 100 + int(f"{rest}00"[:2])
    return -cents if text.startswith("-") else cents


def _money(text: str) -> str:
    cents = _cents(text)
    return text or "?" if cents is None else evidence_text.money(cents)


def _apart(expected: str, written: str) -> int:
    one, other = _cents(expected), _cents(written)
    return 0 if one is None or other is None else abs(one - other)
