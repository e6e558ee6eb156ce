"""The list of documents as files: one row a document, whose sums are those of the list, and the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from confere.app.documents.organize import tags
from confere.app.labels import labels
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.labels.people import hidden_document
from confere.app.selection.list_files import ListFiles, TableField, in_steps, once, sheet_of
from confere.archive.accounts import accounts
from confere.archive.documents import documents
from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from confere.errors import N_
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet
from confere.fiscal.model import VOID
from confere.system.messages import t


def _worth(row: DocumentRow) -> Cell:
    return 0 if row.state in VOID and row.total is not None else row.total


def _void_worth(row: DocumentRow) -> Cell:
    return row.total if row.state in VOID else None


FIELDS: Final[tuple[TableField[DocumentRow], ...]] = (
    TableField(N_("Type"), CellKind.TEXT, lambda row: labels.type_word(row.type)),
    TableField(N_("Series"), CellKind.WHOLE, lambda row: row.series),
    TableField(N_("Number"), CellKind.WHOLE, lambda row: row.number),
    TableField(N_("Issued"), CellKind.DAY, lambda row: row.issued_on),
    TableField(
        N_("CNPJ or CPF of the emitter"),
        CellKind.TEXT,
        lambda row: labels.tax_id_word(row.emitter_tax_id),
    ),
    TableField(N_("Emitter"), CellKind.TEXT, lambda row: labels.person_name(row.emitter_name, row.emitter_tax_id)),
    TableField(
        N_("CNPJ or CPF of the recipient"),
        CellKind.TEXT,
        lambda row: labels.tax_id_word(row.recipient_tax_id),
    ),
    TableField(
        N_("Recipient"),
        CellKind.TEXT,
        lambda row: labels.person_name(row.recipient_name, row.recipient_tax_id),
    ),
    TableField(N_("Operation"), CellKind.TEXT, lambda row: labels.operation_word(row.operation)),
    TableField("CFOP", CellKind.TEXT, lambda row: (row.cfops or "").replace(",", ", ")),
    TableField(N_("Marketplace"), CellKind.TEXT, lambda row: marketplace_word(row.hub_marketplace)),
    TableField(N_("Order"), CellKind.TEXT, lambda row: row.hub_order_id or row.order_hint or ""),
    TableField(N_("State"), CellKind.TEXT, lambda row: labels.state_word(row.state)),
    TableField(
        N_("Authenticity"), CellKind.TEXT, lambda row: labels.verdict_word(row.verdict_word) if row.verdict else ""
    ),
    TableField(N_("Value"), CellKind.MONEY, _worth),
    TableField(N_("Value without effect"), CellKind.MONEY, _void_worth),
    TableField(N_("Protocol"), CellKind.TEXT, lambda row: row.protocol or ""),
    TableField(N_("Access key"), CellKind.KEY, lambda row: row.access_key or ""),
    TableField(N_("Account"), CellKind.TEXT, lambda row: row.hub_account or ""),
    TableField(N_("Tags"), CellKind.TEXT, lambda row: ", ".join(tag.name for tag in row.tags)),
)


def document_files(asked: DocumentQuery | None = None, chosen: Sequence[int] | None = None) -> ListFiles:
    """These rows of the archive, in their order; without `chosen` everything that `asked` lists."""

    def ids(archive: Archive) -> Sequence[int]:
        if chosen is not None:
            return once(chosen)
        query = asked or DocumentQuery()
        with archive.reading() as transaction:
            if query.account is not None and not accounts.was_ever(transaction, query.account):
                accounts.named(transaction, query.account)  # says which there are
            for name in query.tags:
                tags.known(transaction, name)
            return documents.ids(transaction, query)

    return ListFiles(ids, _sheet, lambda _, rows: rows, of_documents=True)


def _sheet(archive: Archive, ids: Sequence[int], hides_people: bool) -> Sheet:
    """The column "Value" sums up to what the list says, "Value without effect" to what that leaves out."""
    return sheet_of(t("Documents"), FIELDS, _rows(archive, ids, hides_people))


def _rows(archive: Archive, ids: Sequence[int], hides_people: bool) -> Iterator[DocumentRow]:
    for rows in in_steps(archive, ids):
        yield from map(hidden_document, rows) if hides_people else rows
