"""Lists and facts for people, as wide as the terminal: an access key is never cut, since people copy it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from confere.app.documents.search.search_fields import row_name
from confere.cli.fitted_table import FittedTable
from confere.cli.output import ENDLESS_WIDTH
from confere.cli.render import labels
from confere.fiscal.model import IN_EFFECT, VOID, DocumentType, State
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.documents.browse import DocumentRow
    from confere.app.documents.unread_records import UnreadRecord
    from confere.errors import Message

_NARROWEST_NAME = 14
_WIDEST_NAME = 40
_WIDEST_LABEL = 32
_GAP = 2
_Cells = tuple[str, str, str, str, str]  # issued, type, number, total, state
_STATE_STYLES = {
    **{state.value: "red" for state in VOID - {State.VOIDED}},
    **{state.value: "green" for state in IN_EFFECT},
    **{state.value: "yellow" for state in (State.NO_PROTOCOL, State.UNREGISTERED)},
}


def facts(pairs: Iterable[tuple[str, object]]) -> Table:
    """Labels and values, those without a value left out. Long labels share a narrow terminal with the values."""
    shown = [(label, plain(value)) for label, value in pairs if value is not None and plain(value)]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=all(cell_len(label) <= _WIDEST_LABEL for label, _ in shown))
    table.add_column(overflow="fold")
    for label, text in shown:
        bare = label.lstrip(" ")
        table.add_row(Padding(bare, (0, 0, 0, len(label) - len(bare))), text)
    return table


def of_record(found: UnreadRecord) -> list[tuple[str, object]]:
    """What is known of a hub's record that was not understood."""
    return [
        (t("Problem"), render(found.problem)),
        (t("Access key"), found.access_key),
        (t("Id at the hub"), found.hub_id),
        (t("Account"), found.account),
        (t("Known as"), found.name if found.name not in (found.access_key, found.hub_id) else None),
    ]


def table(headers: Sequence[str], rows: Iterable[Sequence[str | Text]], right: Sequence[int] = ()) -> FittedTable:
    """A plain table that fits the terminal; the columns `right` are figures."""
    return FittedTable(headers, rows, right)


def documents(
    rows: Sequence[DocumentRow],
    width: int,
    *,
    hidden: bool = False,
    reasons: Mapping[int, Sequence[Message]] = MappingProxyType({}),
) -> Table | Text:
    """Documents, one a line where they fit, else each key on a line of its own below; `hidden` names no person.

    `reasons` say, by document id, why a search found what its row does not show.
    """
    cells = [_cells(row) for row in rows]
    names = [_names(row, hidden) for row in rows]
    headers = (t("Issued"), t("Type"), t("Number"), t("Value"), t("State"))
    taken = sum(max(map(cell_len, column)) + _GAP for column in zip(headers, *cells, strict=True))
    taken += max([44, cell_len(t("Access key")), *(cell_len(_key(row)) for row in rows)])
    room = (width - taken) // 2 - _GAP
    if room < _NARROWEST_NAME:
        return _stacked(rows, cells, names, width, reasons)
    # What nobody reads on a screen is not cut at all.
    return _wide(rows, cells, names, headers, min(room, _WIDEST_NAME) if width < ENDLESS_WIDTH else None, reasons)


def _wide(
    rows: Sequence[DocumentRow],
    cells: Sequence[_Cells],
    names: Sequence[tuple[str, str]],
    headers: Sequence[str],
    widest_name: int | None,
    reasons: Mapping[int, Sequence[Message]],
) -> Table:
    made = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    issued, kind, number, total, state = headers
    for header in (issued, kind, number):
        made.add_column(header, no_wrap=True)
    for header in (t("Emitter"), t("Recipient")):
        made.add_column(header, no_wrap=True, overflow="ellipsis", max_width=widest_name)
    made.add_column(total, no_wrap=True, justify="right")
    made.add_column(state, no_wrap=True)
    made.add_column(t("Access key"), no_wrap=True)
    if reasons:
        made.add_column(t("Found by"))
    for row, parties, (issued, kind, number, total, state) in zip(rows, names, cells, strict=True):
        made.add_row(issued, kind, number, *parties, total, _coloured(row, state), _key(row), *_why(row, reasons))
    return made


def _stacked(
    rows: Sequence[DocumentRow],
    cells: Sequence[_Cells],
    names: Sequence[tuple[str, str]],
    width: int,
    reasons: Mapping[int, Sequence[Message]],
) -> Text:
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    text = Text()
    for row, parties, (issued, kind, number, total, state) in zip(rows, names, cells, strict=True):
        if text:
            text.append("\n")
        left = "  ".join(_padded(cell, size) for cell, size in zip((issued, kind, number), widths, strict=False))
        told = " → ".join(filter(None, parties))
        text.append(f"{left}  {_padded(total, widths[3], right=True)}  ")
        text.append(state, style=_STATE_STYLES.get(row.state, ""))
        text.append("\n  ")
        text.append(_key(row))
        room = width - 48
        if told and room >= 8:
            shown = Text(told)
            shown.truncate(room, overflow="ellipsis")
            text.append("  ")
            text.append_text(shown)
        for why in filter(None, _why(row, reasons)):
            text.append(f"\n  {why}", style="dim")
    return text


def _why(row: DocumentRow, reasons: Mapping[int, Sequence[Message]]) -> tuple[str, ...]:
    """The cell of a row that says why it was found; no cell where no row has one."""
    return (plain("; ".join(map(render, reasons.get(row.id, ())))),) if reasons else ()


def _cells(row: DocumentRow) -> _Cells:
    return (
        plain(formatting.date(row.issued_at)),
        labels.type_word(row.type),
        labels.number_word(row.series, row.number),
        formatting.money(row.total),
        _state(row),
    )


def _state(row: DocumentRow) -> str:
    word = labels.state_word(row.state)
    if row.bytes_missing:
        word = t("{state}, bytes missing", state=word)
    return f"{word} ({t('no longer listed')})" if row.gone_since else word


def _names(row: DocumentRow, hidden: bool) -> tuple[str, str]:
    """Emitter and recipient; of XML that is not read its root element is all that is known."""
    emitter = labels.party_word(row.emitter_tax_id, row.emitter_name, hidden)
    if not emitter and row.type == DocumentType.OTHER:
        emitter = plain(row.nature or "")
    return emitter, labels.party_word(row.recipient_tax_id, row.recipient_name, hidden)


def _key(row: DocumentRow) -> str:
    """The key; where the paper has none, the row to name it by."""
    return plain(row.access_key) if row.access_key else row_name(row.id)


def _coloured(row: DocumentRow, state: str) -> Text:
    return Text(state, style=_STATE_STYLES.get(row.state, ""))


def _padded(text: str, width: int, *, right: bool = False) -> str:
    space = " " * (width - cell_len(text))
    return space + text if right else text + space
