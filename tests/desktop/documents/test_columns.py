"""The columns as data, how they are copied to a spreadsheet, and how they are remembered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery, DocumentRow
from confere.desktop.documents.columns import COLUMNS, PLACES, PLAN, Glance, direction_of, named
from confere.desktop.services import Services
from confere.desktop.widgets.long_list import column_layout as arrangements
from confere.desktop.widgets.long_list.column_layout import ColumnPlacement
from confere.desktop.widgets.long_list.list_columns import tab_separated
from confere.desktop.widgets.pill import kind_of_state
from confere.system import messages

STANDARD = arrangements.standard(PLAN)


def _rows(services: Services, query: DocumentQuery | None = None) -> tuple[DocumentRow, ...]:
    return browse.first(services.opened, query or DocumentQuery(), 300)


def test_a_row_is_copied_as_a_spreadsheet_takes_it(services: Services) -> None:
    messages.set_language("pt_BR")
    row = replace(_rows(services)[0], total=123456, series=1, number=4711, issued_on="2026-10-31", warnings=())
    text = tab_separated([row], named({"number", "issued", "total", "key", "warnings"}), Glance())
    head, line = text.splitlines()
    assert len(head.split("\t")) == len(line.split("\t")) == 6
    assert line.split("\t") == ["1", "4711", "31/10/2026", "1234,56", "", row.access_key]
    assert len(row.access_key or "") == 44


def test_nothing_that_is_copied_becomes_a_formula_or_another_cell(services: Services) -> None:
    row = replace(_rows(services)[0], recipient_name='=HYPERLINK("x")', emitter_name="a\tb\nc", total=-150)
    emitter, total, recipient = (
        tab_separated([row], named({"emitter", "recipient", "total"}), Glance()).splitlines()[1].split("\t")[:3]
    )
    assert sorted((emitter, total, recipient)) == sorted(("a b c", "-1,50", '\'=HYPERLINK("x")'))


def test_the_counterparty_and_the_direction_are_those_of_whoever_looks(services: Services) -> None:
    sale = next(row for row in _rows(services) if row.operation == "sale" and row.direction == "1")
    assert sale.emitter_tax_id is not None
    own = Glance(frozenset((sale.emitter_tax_id,)), sale.emitter_tax_id)
    counterparty = COLUMNS[PLACES["counterparty"]]
    assert counterparty.text(sale, own) == sale.recipient_name
    assert direction_of(sale, own) == "out"
    assert sale.recipient_tax_id is not None
    theirs = Glance(frozenset((sale.recipient_tax_id,)), sale.recipient_tax_id)
    assert counterparty.text(sale, theirs) == sale.emitter_name
    assert direction_of(sale, theirs) == "in"


@pytest.mark.parametrize("way", ["in", "out"])
def test_the_direction_shown_is_the_direction_found(services: Services, way: str) -> None:
    own = browse.own_tax_ids(services.opened)
    found = _rows(services, DocumentQuery(direction=way))
    assert found
    # A freight that an establishment only pays says nothing of itself in the row.
    assert {direction_of(row, Glance(own)) for row in found if row.type == "nfe"} == {way}


def test_people_are_hidden_in_every_column_that_names_them(services: Services) -> None:
    person = next(row for row in _rows(services) if row.recipient_tax_id and len(row.recipient_tax_id) == 11)
    glance = Glance(frozenset((person.emitter_tax_id or "",)), person.emitter_tax_id, hide_people=True)
    for column in COLUMNS:
        texts = [column.text, *([column.tip] if column.tip else []), *(text for _, text in column.copied)]
        for text in texts:
            assert (person.recipient_name or "?") not in text(person, glance)
            assert (person.recipient_tax_id or "?") not in text(person, glance)


def test_every_state_has_a_pill() -> None:
    kinds = {state: kind_of_state(state) for state in ("authorized", "cancelled", "no_protocol", "voided")}
    assert kinds == {"authorized": "good", "cancelled": "bad", "no_protocol": "warn", "voided": "neutral"}


def test_an_arrangement_is_read_as_it_was_written() -> None:
    turned = tuple(reversed([entry._replace(shown=True, width=99) for entry in STANDARD.columns]))
    wanted = STANDARD._replace(columns=turned, sort="total", descending=False, fitted=False)
    assert arrangements.read(arrangements.written(wanted), PLAN) == wanted


def test_columns_that_came_or_went_since_do_no_harm() -> None:
    text = "gone descending fitted;order:90;vanished:120;-type:70;number:99999999;order:10"
    found = arrangements.read(text, PLAN)
    assert found.sort == "issued"
    assert [entry.key for entry in found.columns if entry.key in ("order", "type")] == ["order", "type"]
    assert ColumnPlacement("order", 90, True) in found.columns
    assert ColumnPlacement("type", 70, False) in found.columns
    assert sorted(entry.key for entry in found.columns) == sorted(PLACES)


def test_no_arrangement_hides_every_column() -> None:
    text = "issued descending fitted;" + ";".join(f"-{column.key}:80" for column in COLUMNS)
    assert any(entry.shown for entry in arrangements.read(text, PLAN).columns)


@given(st.text())
def test_any_text_is_some_arrangement(text: str) -> None:
    found = arrangements.read(text, PLAN)
    assert sorted(entry.key for entry in found.columns) == sorted(PLACES)


def test_authenticity_comes_into_sight_once_for_those_who_never_chose() -> None:
    kept = "issued descending fitted;number:90;-verdict:110;order:80"  # as written before it had anything to show
    found = arrangements.read(kept, PLAN)
    usual = next(entry for entry in STANDARD.columns if entry.key == "verdict")
    assert usual.shown
    assert usual in found.columns
    columns = tuple(entry._replace(shown=entry.key != "verdict") for entry in found.columns)
    hidden = found._replace(columns=columns)
    assert arrangements.read(arrangements.written(hidden), PLAN) == hidden  # chosen now, it stays
