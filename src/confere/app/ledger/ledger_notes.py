"""What the tables of the ledger hold, by which rule, and what they do not say: the last sheet."""

from __future__ import annotations

from typing import NamedTuple

from confere.app.ledger.ledger_columns import Shown, TableNames, column, table
from confere.export.spreadsheet.xlsx_writer import CellKind, Sheet
from confere.system.messages import t


class _Note(NamedTuple):
    table: str
    what: str
    source: str


def notes() -> Sheet:
    """One line a table: what it holds, and its source in the law or a manual."""
    columns: Shown[_Note] = [
        column("table", t("Table"), lambda one: one.table, width=24),
        column("what", t("What it holds"), lambda one: one.what, CellKind.LONG, 88),
        column("source", t("Source"), lambda one: one.source, CellKind.LONG, 60),
    ]
    return table(TableNames("notes", t("Rules and sources")), columns, _notes(), total=False)


def _notes() -> list[_Note]:
    return [
        _Note(
            t("All"),
            t(
                "Documents whose day of issue, as written in them, is in the month. Amounts are those that the XML"
                " writes; nothing is computed anew. Cancelled, denied and replaced documents, and those without a"
                " protocol, are listed and are in no sum. Columns in which nothing but zero stands are hidden."
            ),
            "Ajuste SINIEF 7/05; MOC 7.0",
        ),
        _Note(
            t("DIFAL and FCP"),
            t(
                "Group ICMSUFDest of the items by the state of the recipient's address. Whether the amount is due, and"
                " at which rate, is the law's of the state of destination."
            ),
            "CF/1988, art. 155, § 2º, VII, VIII; EC 87/2015; LC 87/1996 (LC 190/2022); Convênio ICMS 236/2021;"
            " STF, ADI 5464, ADI 5469 (RE 1.287.019, Tema 1093)",
        ),
        _Note(
            t("PIS and COFINS"),
            t(
                "By the CST that the emitter wrote. Of documents of others that is the emitter's CST, not the one of"
                " the company's credit."
            ),
            "IN RFB 1.009/2010; MOC 7.0, Q, S",
        ),
        _Note(
            t("Simples Nacional"),
            t(
                "Revenue of the company's own documents with CRT 1, 2 or 4: goods less discount, with freight,"
                " insurance and other costs, by CFOP of sale. Single-phase is what the CST of PIS or COFINS says (04);"
                " there is no table of NCM. A sale for future delivery counts at its delivery (CFOP 5116, 5117),"
                " not at 5922. Returns are deducted in the month of the return. CRT 4 (MEI) files no PGDAS-D."
            ),
            "LC 123/2006, art. 3º, § 1º, art. 18, §§ 4º, 4º-A, 14; Resolução CGSN 140/2018, art. 17, 25",
        ),
        _Note(
            t("IBS and CBS"),
            t("Group IBSCBS of the items by CST and cClassTrib; single-phase amounts are in IBS and CBS."),
            "LC 214/2025; NT 2025.002-RTC, UB",
        ),
        _Note(
            t("Numbers"),
            t(
                "Numbers of the company's own notes that are neither in the archive nor voided, by model and series, in"
                " the month of the note after them, as `confere close --check` counts them; then the numbers that were"
                " voided in the month. Of a series that no account declares wholly visible a number may be somebody"
                " else's."
            ),
            "Ajuste SINIEF 7/05, cl. 14; MOC 7.0",
        ),
    ]
