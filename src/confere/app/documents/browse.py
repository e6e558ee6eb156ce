"""The use cases "find documents" and "show one in full", for a command and for a window with the archive open."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.archive.accounts import accounts
from confere.archive.documents import documents
from confere.archive.documents.documents import DocumentRow as DocumentRow
from confere.archive.documents.documents import DocumentTotals as DocumentTotals
from confere.archive.documents.search.document_search import SORTS as SORTS
from confere.archive.documents.search.document_search import DocumentQuery as DocumentQuery
from confere.archive.reconciliation.open_findings import FindingMark as FindingMark
from confere.errors import Message

if TYPE_CHECKING:
    from confere.app.documents.full_document import FullDocument
    from confere.archive.documents.search.facets import Choice as Choice
    from confere.archive.documents.search.facets import Choices as Choices
    from confere.archive.documents.search.facets import Company as Company
    from confere.archive.hub.completeness import MonthCount as MonthCount
    from confere.fiscal.periods import MonthSpan

# What a list does not need for its first rows is loaded where it is used: search reasons, and documents in full.

_LOOKED_AT = 60  # rows of a search, for the one that somebody meant


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """A page of a query with what the whole of it amounts to, in centavos.

    `worth` is the sum of everything; `void` counts, and sums in `void_worth`, what of it has no effect (cancelled…).
    `reasons` say, by document id, why a search found what its row does not show. `other_months`: where the days asked
    for have none, what there is without these days; None where there is nothing either, or no days were asked for.
    """

    total: int
    worth: int
    documents: tuple[DocumentRow, ...]
    void: int = 0
    void_worth: int = 0
    reasons: Mapping[int, tuple[Message, ...]] = field(default_factory=dict)
    other_months: MonthSpan | None = None


class UnreadableFile(NamedTuple):
    """Bytes that were kept and could not be read."""

    sha256: str
    size: int
    problem: Message
    sources: tuple[str, ...]


def find(workspace: Workspace, query: DocumentQuery, limit: int | None = 50, offset: int = 0) -> DocumentPage:
    """The documents of a query; `limit` None for all."""
    from confere.app.documents.organize import tags
    from confere.app.documents.search import search_reasons

    with workspace.reading() as archive, archive.reading() as transaction:
        if query.account is not None and not accounts.was_ever(transaction, query.account):
            accounts.named(transaction, query.account)  # says which there are
        for name in query.tags:
            tags.known(transaction, name)
        whole = documents.totals(transaction, query)
        rows = documents.marked(transaction, documents.page(transaction, query, -1 if limit is None else limit, offset))
        why = search_reasons.reasons(transaction, rows, query.matching)
        others = None
        if not whole.count and (query.from_day is not None or query.to_day is not None):
            from confere.archive.documents.search import facets

            others = facets.month_span(transaction, replace(query, from_day=None, to_day=None))
    return DocumentPage(
        whole.count,
        whole.worth + whole.void_worth,
        rows,
        whole.void_count,
        whole.void_worth,
        why,
        others if others is not None and others.last is not None else None,
    )


def unreadable(workspace: Workspace) -> tuple[UnreadableFile, ...]:
    """What was received and cannot be read, with the reason."""
    from confere.archive.documents import details

    with workspace.reading() as archive, archive.reading() as transaction:
        found = details.unreadable(transaction)
    return tuple(UnreadableFile(entry.sha256, entry.size, entry.problem, entry.sources) for entry in found)


def show(workspace: Workspace, name: str) -> FullDocument:
    """The paper called `name`: an access key, a SHA-256 or a row number. `NotInArchive` otherwise."""
    from confere.app.documents import full_document

    with workspace.reading() as archive, archive.reading() as transaction:
        return full_document.named(transaction, name)


def xml(workspace: Workspace, name: str) -> bytes:
    """The exact bytes of the paper called `name`.

    `UsageFault` where a key has several contents: only a SHA-256 says which.
    """
    from confere.app.documents import full_document

    with workspace.reading() as archive:
        with archive.reading() as transaction:
            content_id = full_document.content_id(transaction, name)
        return archive.content(content_id)


def first(opened: OpenArchive, query: DocumentQuery, limit: int = 60) -> tuple[DocumentRow, ...]:
    """The first rows of a query, at once; all of it is a `snapshot`."""
    with opened.reading() as transaction:
        return documents.marked(transaction, documents.page(transaction, query, limit))


def reasons(opened: OpenArchive, row: DocumentRow, query: DocumentQuery) -> tuple[Message, ...]:
    """Why the search of `query` found a document, where its row does not show it."""
    from confere.app.documents.search import search_reasons

    with opened.reading() as transaction:
        return search_reasons.reasons(transaction, (row,), query.matching).get(row.id, ())


def best(opened: OpenArchive, query: DocumentQuery) -> int | None:
    """The first document of a query that shows what was searched for, else the first; None where there is none."""
    from confere.app.documents.search import search_reasons

    with opened.reading() as transaction:
        listed = documents.page(transaction, query, _LOOKED_AT)
        why = search_reasons.reasons(transaction, listed, query.matching)
    return next((row.id for row in listed if row.id not in why), listed[0].id if listed else None)


def snapshot(opened: OpenArchive, query: DocumentQuery) -> array[int]:
    """All ids of a query in its order, eight bytes each, as they are now."""
    with opened.reading() as transaction:
        return documents.ids(transaction, query)


def totals(opened: OpenArchive, query: DocumentQuery) -> DocumentTotals:
    """What the documents of a query amount to, in centavos."""
    with opened.reading() as transaction:
        return documents.totals(transaction, query)


def totals_of(opened: OpenArchive, ids: Collection[int]) -> DocumentTotals:
    """What these documents amount to, in centavos."""
    with opened.reading() as transaction:
        return documents.totals_of(transaction, ids)


def rows(opened: OpenArchive, ids: Sequence[int]) -> tuple[DocumentRow, ...]:
    """These documents, in the order asked for; one that is not there is left out."""
    with opened.reading() as transaction:
        return documents.marked(transaction, documents.by_ids(transaction, ids))


def full(opened: OpenArchive, document_id: int) -> FullDocument:
    """Everything about the document of a row. `NotInArchive` where there is none."""
    return named(opened, str(document_id))


def named(opened: OpenArchive, name: str) -> FullDocument:
    """The paper called `name`: an access key, a SHA-256 or a row number. `NotInArchive` otherwise."""
    from confere.app.documents import full_document

    with opened.reading() as transaction:
        return full_document.named(transaction, name)


def id_of(opened: OpenArchive, access_key: str) -> int | None:
    """The row of the current document of a key; None where the archive has none."""
    with opened.reading() as transaction:
        return documents.current(transaction, access_key)


def content(opened: OpenArchive, sha256: str) -> bytes:
    """The exact bytes with this SHA-256. `NotInArchive` where there are none."""
    from confere.app.documents import full_document

    archive = opened.archive()
    with archive.reading() as transaction:
        return archive.vault.get(transaction, full_document.content_id(transaction, sha256))


def companies(opened: OpenArchive) -> tuple[Company, ...]:
    """The accounts' establishments, then who is known from files alone; at most 200."""
    from confere.archive.documents.search import facets

    with opened.reading() as transaction:
        return facets.companies(transaction)


def own_tax_ids(opened: OpenArchive) -> frozenset[str]:
    """The accounts' establishments: `counterparty` is the side that is none of them."""
    with opened.reading() as transaction:
        return accounts.own_tax_ids(transaction)


def months(opened: OpenArchive, company: str | None) -> tuple[MonthCount, ...]:
    """The months with documents, of one company or of all, newest first."""
    from confere.archive.documents.search import facets

    with opened.reading() as transaction:
        return facets.months(transaction, company)


def choices(opened: OpenArchive, query: DocumentQuery) -> Choices:
    """What each filter could be set to beside all others, with how many documents."""
    from confere.archive.documents.search import facets

    with opened.reading() as transaction:
        return facets.choices(transaction, query)


def counterparty(row: DocumentRow, own: Collection[str]) -> tuple[str | None, str | None]:
    """The tax id and name of the other side, as `own` sees it: the query's company alone, else `own_tax_ids`.

    The order "counterparty" is by this name.
    """
    if row.emitter_tax_id is not None and row.emitter_tax_id in own:
        return row.recipient_tax_id, row.recipient_name
    return row.emitter_tax_id, row.emitter_name
