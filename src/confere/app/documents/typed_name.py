"""Which document a person means: by its key, SHA-256 or row, or by any search that only one document fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from confere.app.documents import full_document
from confere.app.documents.search import search_language, search_reasons
from confere.app.documents.search.search_fields import ROW
from confere.archive.documents import documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.errors import NotInArchive
from confere.fiscal import access_keys

if TYPE_CHECKING:
    from confere.app.context import Workspace
    from confere.archive.documents.documents import DocumentRow
    from confere.archive.transaction import Transaction

_LOOKED_AT: Final = 60
_SHA256: Final = re.compile(r"[0-9a-fA-F]{64}")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")  # nNF
_ROW: Final = re.compile(rf"(?:{'|'.join(ROW.every)}):?([0-9]{{1,18}})", re.IGNORECASE)


class Meant(NamedTuple):
    """`name`: by which `full_document.named` and its kin know the only document; None where several fit.

    `rows` are the first of those.
    """

    name: str | None
    rows: tuple[DocumentRow, ...] = ()
    fitting: int = 1


def meant(workspace: Workspace, typed: str) -> Meant:
    """The document that `typed` means; `NotInArchive` where there is none.

    A key may come in groups; what is a key or a SHA-256 stays one, whether it is here or not. Otherwise it is what the
    search understands (`1/4711`, `patricia 4711`); one document that has it itself comes before those that only belong
    to it. A number that is a row of the archive and the number of another document means neither; `row:4711` is the
    row.
    """
    bare = "".join(typed.split())
    row = _ROW.fullmatch(bare)
    if row:
        bare = row[1]
    if access_keys.has_shape(access_keys.normalise(bare)) or _SHA256.fullmatch(bare):
        return Meant(bare)
    with workspace.reading() as archive, archive.reading() as transaction:
        try:
            full_document.named(transaction, bare)
        except NotInArchive:
            return _searched(transaction, typed)
        if row is None and _NUMBER.fullmatch(bare):
            return _numbered(transaction, bare)
    return Meant(bare)


def _numbered(transaction: Transaction, row: str) -> Meant:
    """That row, unless another document has the number."""
    others = [found for found in documents.numbered(transaction, int(row)) if found != int(row)]
    if not others:
        return Meant(row)
    rows = documents.by_ids(transaction, [int(row), *others[:_LOOKED_AT]])
    return Meant(None, rows, 1 + len(others))


def _searched(transaction: Transaction, typed: str) -> Meant:
    parsed = search_language.parse(typed, DocumentQuery())
    if parsed.problems or parsed.query == DocumentQuery():
        raise full_document.unknown(typed)
    rows = documents.page(transaction, parsed.query, _LOOKED_AT)
    count = len(rows) if len(rows) < _LOOKED_AT else documents.totals(transaction, parsed.query).count
    indirect = search_reasons.reasons(transaction, rows, parsed.query.matching)
    direct = tuple(row for row in rows if row.id not in indirect)
    if direct and count <= _LOOKED_AT:
        rows, count = direct, len(direct)
    if not rows:
        raise full_document.unknown(typed)
    return Meant(str(rows[0].id)) if count == 1 else Meant(None, rows, count)
