"""The options that choose documents, shared by what lists them and what saves a search, and the query they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from confere.cli.context import Face
from confere.cli.options import option_words, typed_values
from confere.cli.options.typed_values import Days
from confere.errors import UsageFault, message
from confere.fiscal.model import DocumentType
from confere.fiscal.model import State as DocumentState
from confere.fiscal.state import Ground as StateGround
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.documents.browse import DocumentQuery

_DIRECTIONS: Final = ("in", "out")
_VERDICTS: Final = ("ok", "failed", "altered", "unchecked", "test", "none")
_TYPE_WORDS: Final = option_words.of_field("type")
_STATE_WORDS: Final = option_words.of_field("state")
_VERDICT_WORDS: Final = option_words.of_field("verdict")
_GROUND_WORDS: Final = option_words.of_field("ground")
_DIRECTION_WORDS: Final = option_words.of_field("direction")

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="WORDS",
        help=t(
            "Names, products, a number or series/number, an order, a key or its end, an amount (121,04, 100..200), "
            "a day or month (31/10, 31/10/2026, outubro, out/2026), fields such as 'value>100' or state:cancelled; "
            "joined by OR, NOT, '-word' and '( )': '(uf:SP OR uf:RJ) value>1000'."
        ),
    ),
]
Company = Annotated[
    str | None,
    typer.Option("--company", metavar="CNPJ", help=t("Documents that this company emitted or received.")),
]
Type = Annotated[
    list[str] | None,
    typer.Option(
        "--type",
        metavar="TYPE",
        help=t("{words}; may be repeated.", words=option_words.listed(tuple(DocumentType), _TYPE_WORDS)),
    ),
]
State = Annotated[
    list[str] | None,
    typer.Option(
        "--state",
        metavar="STATE",
        help=t("{words}; may be repeated.", words=option_words.listed(tuple(DocumentState), _STATE_WORDS)),
    ),
]
Verdict = Annotated[
    list[str] | None,
    typer.Option(
        "--verdict",
        metavar="VERDICT",
        help=t(
            "On authenticity: {words} (what failed holds what was altered); may be repeated.",
            words=option_words.listed(_VERDICTS, _VERDICT_WORDS),
        ),
    ),
]
Ground = Annotated[
    list[str] | None,
    typer.Option(
        "--ground",
        metavar="GROUND",
        help=t(
            "What the state stands on: {words}; may be repeated.",
            words=option_words.listed(tuple(StateGround), _GROUND_WORDS),
        ),
    ),
]
Direction = Annotated[
    str | None,
    typer.Option(
        "--direction",
        metavar="|".join(_DIRECTION_WORDS(code)[0] for code in _DIRECTIONS),
        help=t("Goods coming in or going out."),
    ),
]
Marketplace = Annotated[
    str | None, typer.Option("--marketplace", metavar="MARKETPLACE", help=t("As the hub writes it."))
]
Subtype = Annotated[
    str | None, typer.Option("--subtype", metavar="SUBTYPE", help=t("The hub's word, such as sale or freight."))
]
Order = Annotated[str | None, typer.Option("--order", metavar="ID", help=t("Documents of this order."))]
Number = Annotated[int | None, typer.Option("--number", metavar="N", help=t("The document's number."))]
Series = Annotated[int | None, typer.Option("--series", metavar="N", help=t("The document's series."))]
Cfop = Annotated[str | None, typer.Option("--cfop", metavar="CFOP", help=t("With this CFOP in any item."))]
Account = Annotated[str | None, typer.Option("--account", metavar="NAME", help=t("Listed by this account's hub."))]
WithFindings = Annotated[
    bool,
    typer.Option("--with-findings", metavar="", help=t("Named by an open finding of reconciliation.")),
]
NoLongerListed = Annotated[
    bool, typer.Option("--gone", metavar="", help=t("No longer listed by the hub; what is here is kept."))
]
Tag = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help=t("Bearing this tag; of several, any of them.")),
]

Saved = Annotated[
    str | None,
    typer.Option("--saved", metavar="NAME", help=t("Within this saved search; words and other options narrow it.")),
]


def query(
    *,
    company: str | None,
    days: Days,
    type: Sequence[str] | None,
    state: Sequence[str] | None,
    verdict: Sequence[str] | None,
    ground: Sequence[str] | None,
    direction: str | None,
    marketplace: str | None,
    subtype: str | None,
    order: str | None,
    number: int | None,
    series: int | None,
    cfop: str | None,
    account: str | None,
    with_findings: bool,
    no_longer_listed: bool,
    tag: Sequence[str] | None,
) -> DocumentQuery:
    """What the options ask for. `UsageFault` for a value that none of them takes."""
    from confere.app.documents.browse import DocumentQuery

    return DocumentQuery(
        company=typed_values.tax_id(company) if company is not None else None,
        from_day=days.from_day,
        to_day=days.to_day,
        types=typed_values.choices("--type", type, tuple(DocumentType), _TYPE_WORDS),
        states=typed_values.choices("--state", state, tuple(DocumentState), _STATE_WORDS),
        verdict=typed_values.choices("--verdict", verdict, _VERDICTS, _VERDICT_WORDS),
        grounds=typed_values.choices("--ground", ground, tuple(StateGround), _GROUND_WORDS),
        direction=None
        if direction is None
        else typed_values.choice("--direction", direction, _DIRECTIONS, _DIRECTION_WORDS),
        marketplaces=(marketplace,) if marketplace is not None else (),
        subtype=subtype,
        order_id=order,
        account=account,
        number=number,
        series=series,
        cfop=cfop,
        with_findings=True if with_findings else None,
        gone=True if no_longer_listed else None,
        tags=tuple(tag or ()),
    )


def understood(words: Sequence[str] | None, base: DocumentQuery) -> DocumentQuery:
    """What `words` of the search language ask for within `base`. `UsageFault` where they make no sense."""
    from confere.app.documents.search import search_language

    text = " ".join(words or ())
    parsed = search_language.parse(text, base)
    if parsed.problems:
        problem = parsed.problems[0]
        raise UsageFault(
            problem.what,
            message(
                "It is about character {place}: {part}. What stands in quotes within the quotes of the shell is looked "
                "for as it is: '\"ref:10\"'.",
                place=problem.start + 1,
                part=text[problem.start : problem.end][:60],
            ),
        )
    return parsed.query


def within(face: Face, name: str, query: DocumentQuery) -> DocumentQuery:
    """The query within the saved search of this name."""
    from confere.app.documents.organize import saved_searches
    from confere.cli.options.reconciliation_options import archive_of

    with archive_of(face) as opened:
        return saved_searches.within(opened, name, query)
