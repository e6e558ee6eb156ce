"""Values that have five or more fields of equal name and are no twins: each pair with the reason why both stay."""

from __future__ import annotations

from typing import Final

from tests.house.measures.values import Twins

_ROW = "a line of a list is flat, as one line of SQL, made in thousands; the other is another paper, or another type"
_QUESTION = "a question names what its answer has"
_PIPE = "the JSON that a job's process printed, read back by the window, which knows nothing of the intake"
_PAPERS = "different papers, each with a key, a model and the authority's answer"
_SHEET = "a lean row of an export beside the place of its paper in the vault"
_KEYS = "`--json` writes the fields in the order of the class: a common base would move keys of the answer"
_RUNS = "figures of different runs"
_FROZEN = "a frozen row keeps the encoding of its closing, whatever becomes of the row of today"
_SALE = "a hub's record of a document beside a sale: ids, dates and items"

REASONS: Final[dict[tuple[str, str], str]] = {
    ("AccountSum", "ListedSum"): _PIPE,
    ("BackupContents", "CopyFigures"): _PIPE,
    ("CatalogChoices", "ProductQuery"): _QUESTION,
    ("CatalogJobResult", "CatalogResult"): _PIPE,
    ("CatalogJobResult", "OrdersResult"): _PIPE,
    ("CatalogJobResult", "SyncResult"): _PIPE,
    ("Choices", "DocumentFilters"): "what could be chosen with how many documents each has, and what is chosen",
    ("Choices", "DocumentQuery"): _QUESTION,
    ("Document", "DocumentRow"): _ROW,
    ("Document", "DocumentSheet"): _SHEET,
    ("Document", "Event"): _PAPERS,
    ("Document", "EventSheet"): _SHEET,
    ("Document", "Voiding"): _PAPERS,
    ("DocumentDescription", "DocumentQuery"): _QUESTION,
    ("DocumentDescription", "DocumentSheet"): _SHEET,
    ("DocumentFilters", "DocumentQuery"): "what the chips hold, by chip, and what the archive is asked",
    ("DocumentHead", "DocumentSheet"): _SHEET,
    ("DocumentQuery", "DocumentRow"): _QUESTION,
    ("DocumentQuery", "OrderQuery"): "the questions of two lists, which have days and an order each",
    ("DocumentQuery", "DocumentSheet"): _QUESTION,
    ("DocumentQuery", "HubWord"): _QUESTION,
    ("DocumentRow", "DocumentSheet"): _ROW,
    ("DocumentRow", "FiledDocument"): _FROZEN,
    ("DocumentRow", "Event"): _ROW,
    ("DocumentRow", "EventRow"): _ROW,
    ("DocumentRow", "LinkedSale"): "a sale with its link: all that is asked of the paper",
    ("DocumentRow", "LoneAnswer"): _ROW,
    ("DocumentRow", "EventSheet"): _ROW,
    ("DocumentRow", "Voiding"): _ROW,
    ("DocumentSheet", "EventRow"): _SHEET,
    ("DocumentSheet", "EventSheet"): "NamedTuples, made in hundreds of thousands, have no common base",
    ("DocumentSheet", "FiledDocument"): _FROZEN,
    ("Event", "EventSheet"): _SHEET,
    ("Event", "Voiding"): _PAPERS,
    ("EventRow", "EventSheet"): _SHEET,
    ("EventRow", "LoneAnswer"): "an event, and an answer about a document: both have a key and a file",
    ("EventSheet", "OtherCopy"): "the other copy may be a document's, and has nothing else",
    ("EventRow", "FiledEvent"): _FROZEN,
    ("FiledCoverage", "Window"): _FROZEN,
    ("EventSheet", "FiledDocument"): _FROZEN,
    ("Found", "Paper"): "what was read, and where it stands in the XML before it is read",
    ("FreightDetail", "NoteDetail"): _KEYS,
    ("HubDocument", "Order"): _SALE,
    ("HubDocument", "Return"): _SALE,
    ("HubWord", "OrderRow"): _SALE,
    ("ImportJobResult", "ImportResult"): _PIPE,
    ("ImportResult", "OrdersJobResult"): _PIPE,
    ("ImportResult", "ReindexSummary"): _RUNS,
    ("Item", "OrderItem"): "a line of a paper and a line of an order: reconciliation is there to compare them",
    ("NoteFacts", "SaleItem"): "four amounts of a line and of a note; `code` is cProd in one and cNF in the other",
    ("ListColumn", "TableColumn"): "a constant column with a message as its title, seen by somebody, and any table's",
    ("Order", "OrderRow"): _KEYS,
    ("Order", "Return"): _KEYS,
    ("OrderFileResult", "OrdersJobResult"): _PIPE,
    ("OrderRow", "Tracking"): _ROW,
    ("OrdersScope", "ProductsScope"): "whose orders and whose products, each with the query of its own list",
    ("Product", "SaleItem"): "an article of the world's catalogue and a line of a paper, which knows no world",
    ("ProductFilters", "ProductQuery"): "what the chips hold, by chip, and what the archive is asked",
    ("ReindexSummary", "VerifySummary"): _RUNS,
    ("RestoreJobResult", "RestorePlan"): _PIPE,
    ("Return", "ReturnRow"): "what a hub gave, and a row of the archive",
    ("ReturnEntry", "ReturnRow"): "an entry of the ledger, made in hundreds of thousands, and a row of the archive",
    ("RowResult", "UnwrittenRow"): _PIPE,
    ("SeenOrder", "SeenPaper"): "`key` and `number` are of an order in one and of a paper in the other",
    ("SyncFigures", "SyncResult"): _PIPE,
    ("TaxSums", "Totals"): "sums of the items by CFOP, and the paper's own totals: their difference is a finding",
}
"""By the names of the two classes in the order of the alphabet; a public class has one name in the whole program."""


def names_of(pair: Twins) -> tuple[str, str]:
    """The names of the two classes, without their modules, in the order of the alphabet."""
    one, other = sorted(name.rpartition(".")[2] for name in (pair.one, pair.other))
    return one, other
