"""Mends the row of a content whose bytes are whole."""

from __future__ import annotations

from confere.archive.transaction import Transaction
from confere.archive.vault.content_digest import digest_head, digest_of
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import Blob, Family, VaultWriter
from confere.errors import ArchiveError


def mend(transaction: Transaction, reader: VaultReader, writer: VaultWriter, content_id: int) -> None:
    """Where what is stored of a content is well and only a column beside it is wrong, write that anew."""
    try:
        packed = reader.fetch(transaction, [content_id])[0]
        data = reader.unpack(packed, check=False)
    except ArchiveError:
        return
    head, problem, version, number = transaction.fetch(
        "SELECT digest_head, problem, reader, family FROM content WHERE id = ?", (content_id,)
    )[0]
    digest = digest_of(data)
    if digest == packed.digest or digest_head(digest) == head:  # they say the same twice: one of them is right
        family = Family(number) if number in tuple(Family) else Family.XML
        writer.restore(transaction, content_id, Blob(data, digest, family, problem), version)
