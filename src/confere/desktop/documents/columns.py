"""The columns of the list as data: what each shows of a document, how wide it is and how it is copied."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from confere.app.documents.browse import SORTS, DocumentRow, counterparty
from confere.app.labels import labels
from confere.app.labels.marketplace_labels import marketplace_word
from confere.desktop.core import clipboard_rows
from confere.desktop.widgets.long_list import finding_marks
from confere.desktop.widgets.long_list.list_columns import Badge, ListColumn, ListPlan
from confere.desktop.widgets.pill import brief_state, kind_of_state
from confere.errors import N_
from confere.fiscal.document_models import VOID
from confere.fiscal.warnings import asks_attention, attention_count, explain
from confere.system import formatting
from confere.system.messages import ngettext, render


class Glance(NamedTuple):
    """Who looks: the company shown, else the establishments of the accounts; and whether people are hidden (LGPD)."""

    own: frozenset[str] = frozenset()
    company: str | None = None
    hide_people: bool = False


DocumentColumn = ListColumn[DocumentRow, Glance]


# Of a verdict the drawing and the role of its colour: shapes tell them apart where colours do not.
_VERDICTS: Final[dict[str, Badge | None]] = {
    "ok": None,
    "failed": Badge("close", "bad"),
    "unchecked": Badge("question", "warn"),
    "altered": Badge("pencil", "bad"),
    "test": Badge("info", "info"),
}

_NOT_CHECKED: Final = Badge("more", "muted")
_USUAL: Final = frozenset({"authorized", "complemented"})


def _exception_pill(row: DocumentRow) -> str:
    """None for what is as it should be: its word stands there in grey."""
    return "" if row.state in _USUAL else kind_of_state(row.state)


def is_without_effect(row: DocumentRow) -> bool:
    """Whether what it is worth counts for nothing."""
    return row.state in VOID


def direction_of(row: DocumentRow, glance: Glance) -> str | None:
    """`in` or `out` as whoever looks sees it; None where it is nobody's and says nothing."""
    if row.emitter_tax_id is not None and row.emitter_tax_id in glance.own:
        return "in" if row.direction == "0" else "out"
    if glance.company is not None or row.recipient_tax_id in glance.own:
        return "in"
    return row.direction


def warnings_text(row: DocumentRow) -> str:
    """Every warning that asks attention in words, one a line."""
    from confere.fiscal.document_parts import Warning

    return "\n".join(render(explain(Warning(code, detail))) for code, detail in row.warnings if asks_attention(code))


def warning_count(row: DocumentRow) -> int:
    """How many of its warnings ask attention."""
    return attention_count(code for code, _ in row.warnings)


def _party(tax_id: str | None, name: str | None, glance: Glance) -> str:
    return labels.party_word(tax_id, name, glance.hide_people)


def _party_tip(tax_id: str | None, name: str | None, glance: Glance) -> str:
    """The name and, under it, the tax id: in the list there is room for one of them."""
    lines = (labels.person_name(name, tax_id, glance.hide_people), labels.tax_id_word(tax_id, glance.hide_people))
    return "\n".join(filter(None, lines))


def _other_side(row: DocumentRow, glance: Glance) -> tuple[str | None, str | None]:
    return counterparty(row, glance.own)


def _warnings(row: DocumentRow, _: Glance) -> str:
    count = warning_count(row)
    if not count:
        return ""
    return ngettext("{count} warning", "{count} warnings", count)


def _verdict(row: DocumentRow, _: Glance) -> str:
    return labels.verdict_word(row.verdict_word)


def _badge_of_verdict(row: DocumentRow) -> Badge | None:
    """Nothing where it is authentic, as it should be."""
    if not row.verdict:
        return _NOT_CHECKED
    return _VERDICTS.get(row.verdict_word or "", _VERDICTS["unchecked"])


def _tags(row: DocumentRow, _: Glance) -> str:
    return ", ".join(tag.name for tag in row.tags)


def _number_tip(row: DocumentRow, look: Glance) -> str:
    """The tags, which the cell shows as dots, under the number."""
    return "\n".join(filter(None, (labels.number_word(row.series, row.number), _tags(row, look))))


COLUMNS: Final[tuple[DocumentColumn, ...]] = (
    ListColumn(
        "number", N_("Number"), 80, lambda row, _: labels.number_word(row.series, row.number), right=True,
        dots=lambda row: [tag.colour for tag in row.tags], tip=_number_tip, narrowest=66,
        copied=(
            (N_("Series"), lambda row, _: "" if row.series is None else str(row.series)),
            (N_("Number"), lambda row, _: "" if row.number is None else str(row.number)),
        ),
    ),
    ListColumn("type", N_("Type"), 56, lambda row, _: labels.type_word(row.type), quiet=True),
    ListColumn("issued", N_("Issued"), 96, lambda row, _: formatting.date(row.issued_on), newest_first=True,
        narrowest=86, tip=lambda row, _: formatting.moment(row.issued_at or row.issued_on)),
    ListColumn("counterparty", N_("Customer or supplier"), 190, lambda row, look: _party(*_other_side(row, look), look),
        tip=lambda row, look: _party_tip(*_other_side(row, look), look)),
    ListColumn("total", N_("Value"), 106, lambda row, _: formatting.money(row.total), right=True, newest_first=True,
        copied=((N_("Value"), lambda row, _: clipboard_rows.money(row.total)),), struck=is_without_effect,
        narrowest=82, brief=lambda row, _: formatting.money(row.total).replace("R$ ", "")),
    ListColumn("state", N_("State"), 124, lambda row, _: brief_state(row.state),
        tip=lambda row, _: labels.state_tip(row.state, row.state_ground), pill=_exception_pill, quiet=True,
        narrowest=94, copied=((N_("State"), lambda row, _: labels.state_word(row.state)),)),
    ListColumn("verdict", N_("Authenticity"), 32, _verdict, newest_first=True, mark="authentic",
        tip=lambda row, _: labels.verdict_word(row.verdict_word),
        copied=((N_("Authenticity"), lambda row, _: labels.verdict_word(row.verdict_word)),), badge=_badge_of_verdict),
    ListColumn("ground", N_("State stands on"), 150, lambda row, _: labels.ground_word(row.state_ground),
        shown=False),
    ListColumn("warnings", N_("Warnings"), 34, _warnings, newest_first=True, mark="warning",
        tip=lambda row, _: warnings_text(row),
        copied=((N_("Warnings"), lambda row, _: warnings_text(row)),),
        badge=lambda row: Badge("warning", "warn", warning_count(row))),
    ListColumn("findings", N_("Findings"), 34, lambda row, _: finding_marks.count_text(row.findings), mark="reconcile",
        tip=lambda row, _: finding_marks.marks_text(row.findings),
        copied=((N_("Findings"), lambda row, _: finding_marks.rules_text(row.findings)),),
        badge=lambda row: finding_marks.badge(row.findings)),
    ListColumn("operation", N_("Operation"), 190, lambda row, _: labels.operation_word(row.operation), quiet=True),
    ListColumn("marketplace", N_("Marketplace"), 110, lambda row, _: marketplace_word(row.hub_marketplace),
        quiet=True),
    ListColumn("order", N_("Order"), 100, lambda row, _: row.hub_order_id or row.order_hint or ""),
    ListColumn("direction", N_("In or out"), 88, lambda row, look: labels.direction_word(direction_of(row, look)),
        shown=False, quiet=True),
    ListColumn("tax_id", N_("CNPJ or CPF"), 148,
        lambda row, look: labels.tax_id_word(_other_side(row, look)[0], look.hide_people), shown=False),
    ListColumn("emitter", N_("Emitter"), 190, lambda row, look: _party(row.emitter_tax_id, row.emitter_name, look),
        tip=lambda row, look: _party_tip(row.emitter_tax_id, row.emitter_name, look), shown=False),
    ListColumn("recipient", N_("Recipient"), 190,
        lambda row, look: _party(row.recipient_tax_id, row.recipient_name, look),
        tip=lambda row, look: _party_tip(row.recipient_tax_id, row.recipient_name, look), shown=False),
    ListColumn("cfop", "CFOP", 76, lambda row, _: (row.cfops or "").replace(",", ", "), shown=False),
    ListColumn("tags", N_("Tags"), 130, _tags, shown=False, quiet=True),
    ListColumn("account", N_("Account"), 110, lambda row, _: row.hub_account or "", shown=False, quiet=True),
    ListColumn("key", N_("Access key"), 404, lambda row, _: labels.key_groups(row.access_key or ""), shown=False,
        copied=((N_("Access key"), lambda row, _: row.access_key or ""),)),
)  # fmt: skip
PLAN: Final[ListPlan[DocumentRow, Glance]] = ListPlan(
    COLUMNS, SORTS, sort="issued", loose="counterparty", narrowest_loose=143, once_hidden="verdict",
    frozen=("number", "counterparty"), decisive=("number", "issued", "counterparty", "total", "state"),
)  # fmt: skip
PLACES: Final = PLAN.places()


def named(keys: Collection[str]) -> tuple[DocumentColumn, ...]:
    """The columns with these keys, in the order of `COLUMNS`."""
    return tuple(column for column in COLUMNS if column.key in keys)
