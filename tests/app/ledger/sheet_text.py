"""A ledger as plain text before it is written: every sheet with its columns, and its rows where they are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from confere.app.context import Workspace
from confere.app.ledger import ledger
from confere.app.ledger.ledger import LedgerChoice
from confere.export.spreadsheet.xlsx_writer import PrintSetUp, Sheet


def text_of(workspace: Workspace, company: str, month: str, *, rows: bool) -> str:
    """What `ledger.write` hands to the writer of workbooks."""
    lines: list[str] = []

    def write(_: Path, sheets: Iterable[Sheet], *, title: str, stop: object, paper: PrintSetUp) -> None:
        assert stop is None
        lines.extend((f"{title}: {paper}", ""))
        for sheet in sheets:
            lines.extend(_lines(sheet, rows))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger.xlsx_writer, "write", write)
        ledger.write(workspace, LedgerChoice(month, company, workspace.home.root / "l.xlsx"))
    return "\n".join(lines) + "\n"


def _lines(sheet: Sheet, rows: bool) -> Iterator[str]:
    printed = f", prints {sheet.printed}" if sheet.printed else ""
    total = f", ends with {sheet.total}" if sheet.total else ""
    yield f"== {sheet.title} ({sheet.name}){printed}{total}{', folds empty columns' if sheet.folds_empty else ''}"
    for shown in sheet.columns:
        summed = "" if shown.is_summed else ", not summed"
        yield f"   {shown.name}: {shown.header} ({shown.kind.name.lower()}, {shown.width}{summed})"
    if rows:
        yield from (f"   {label} = {_cell(value)}" for label, value in sheet.top)
    for row in sheet.rows:
        counts = "" if sheet.counts is None or sheet.counts(row) else " (does not count)"
        if rows:
            yield " | ".join(map(_cell, row)) + counts
    yield ""


def _cell(value: Any) -> str:
    return "" if value is None else str(value)
