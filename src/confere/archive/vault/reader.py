"""Reading the vault: bytes put together again from payload, dictionary and certificates, and checked."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import zstandard

from confere.archive.transaction import Transaction
from confere.archive.vault.vault import Blob, Family, VaultWriter, digest_head, digest_of
from confere.errors import ArchiveCorrupt, ArchiveError, message

_REMEMBERED_CERTIFICATES = 4096
_CUT = 8  # bytes of one cut: offset and certificate id, four each


@dataclass(frozen=True, slots=True)
class Packed:
    """What is stored of one content. `certificates` are put back at `offsets` of the body, in order."""

    content_id: int
    digest: bytes
    size: int
    dictionary_id: int | None
    payload: bytes
    offsets: tuple[int, ...]
    certificates: tuple[bytes, ...]


class VaultReader:
    """Gives bytes back: fetches in the caller's transaction, unpacks in any thread."""

    def __init__(self) -> None:
        self._dictionaries: dict[int, bytes] = {}
        self._certificates: dict[int, bytes] = {}
        self._local = threading.local()

    def get(self, transaction: Transaction, content_id: int) -> bytes:
        """One content as received; `ArchiveCorrupt` if it no longer matches its SHA-256."""
        return self.unpack(self.fetch(transaction, [content_id])[0])

    def mend(self, transaction: Transaction, writer: VaultWriter, content_id: int) -> None:
        """Where what is stored of a content is well and only a column beside it is wrong, write that anew."""
        try:
            packed = self.fetch(transaction, [content_id])[0]
            data = self.unpack(packed, check=False)
        except ArchiveError:
            return
        head, problem, reader, number = transaction.fetch(
            "SELECT digest_head, problem, reader, family FROM content WHERE id = ?", (content_id,)
        )[0]
        digest = digest_of(data)
        if digest == packed.digest or digest_head(digest) == head:  # they say the same twice: one of them is right
            family = Family(number) if number in tuple(Family) else Family.XML
            writer.restore(transaction, content_id, Blob(data, digest, family, problem), reader)

    def fetch(self, transaction: Transaction, content_ids: Sequence[int]) -> list[Packed]:
        """What is stored of these contents, in the order asked for; `ArchiveCorrupt` names the first that is absent."""
        rows = {
            row.id: row
            for row in transaction.named_in(
                "SELECT id, digest, size, dictionary_id, cuts, payload FROM content WHERE id IN {}",
                dict.fromkeys(content_ids),
            )
        }
        self._learn_dictionaries(
            transaction, {row.dictionary_id for row in rows.values() if row.dictionary_id is not None}
        )
        cuts = {row.id: _parse(row.cuts) for row in rows.values() if row.cuts}
        texts = self._texts(transaction, {number for _, numbers in cuts.values() for number in numbers})
        found: list[Packed] = []
        for content_id in content_ids:
            row = rows.get(content_id)
            if row is None:
                raise ArchiveCorrupt(
                    message("The bytes of content {id} are missing from the archive.", id=content_id),
                    message("Run `confere sync`, or `confere doctor --repair`."),
                )
            offsets, numbers = cuts.get(content_id, ((), ()))
            certificates = tuple(texts[number] for number in numbers)
            found.append(Packed(row.id, row.digest, row.size, row.dictionary_id, row.payload, offsets, certificates))
        return found

    def unpack(self, packed: Packed, *, check: bool = True) -> bytes:
        """The bytes as received; `ArchiveCorrupt` if they no longer match their SHA-256, unless not to `check` it."""
        try:
            # The frame says how much it holds: a damaged one must not make us ask the system for as much.
            if zstandard.frame_content_size(packed.payload) > packed.size:
                raise _damaged(packed.digest)
            data = self._decompressor(packed.dictionary_id).decompress(packed.payload)
        except (zstandard.ZstdError, TypeError, ValueError) as error:
            raise _damaged(packed.digest) from error
        if packed.offsets:
            parts: list[bytes] = []
            done = 0
            for offset, text in zip(packed.offsets, packed.certificates, strict=True):
                parts += (data[done:offset], text)
                done = offset
            parts.append(data[done:])
            data = b"".join(parts)
        if check and digest_of(data) != packed.digest:
            raise _damaged(packed.digest)
        return data

    def _learn_dictionaries(self, transaction: Transaction, wanted: set[int]) -> None:
        for number in sorted(wanted - self._dictionaries.keys()):
            data = transaction.scalar("SELECT data FROM dictionary WHERE id = ?", (number,))
            if data is None:
                raise ArchiveCorrupt(
                    message("The archive lost its compression dictionary {id}.", id=number),
                    message("Restore the newest copy of the backups folder."),
                )
            self._dictionaries[number] = data

    def _texts(self, transaction: Transaction, wanted: set[int]) -> dict[int, bytes]:
        """Certificates by their number; one that is lost is empty, so that the digest tells of it."""
        # Another thread may clear what is remembered at any moment: the answer is put together apart from it.
        found = {number: text for number in wanted if (text := self._certificates.get(number)) is not None}
        new: dict[int, bytes] = dict(
            transaction.fetch_in("SELECT id, data FROM certificate WHERE id IN {}", wanted - found.keys())
        )
        if len(self._certificates) + len(new) > _REMEMBERED_CERTIFICATES:
            self._certificates.clear()
        self._certificates.update(new)
        return {number: found.get(number) or new.get(number, b"") for number in wanted}

    def _decompressor(self, dictionary_id: int | None) -> zstandard.ZstdDecompressor:
        held: dict[int | None, zstandard.ZstdDecompressor] | None = getattr(self._local, "held", None)
        if held is None:
            held = self._local.held = {}
        if dictionary_id not in held:
            if dictionary_id is None:
                held[None] = zstandard.ZstdDecompressor()
            else:
                trained = zstandard.ZstdCompressionDict(self._dictionaries[dictionary_id])
                held[dictionary_id] = zstandard.ZstdDecompressor(dict_data=trained)
        return held[dictionary_id]


def _parse(cuts: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    offsets = tuple(int.from_bytes(cuts[at : at + 4], "big") for at in range(0, len(cuts), _CUT))
    numbers = tuple(int.from_bytes(cuts[at + 4 : at + 8], "big") for at in range(0, len(cuts), _CUT))
    return offsets, numbers


def _damaged(digest: object) -> ArchiveCorrupt:
    named = digest.hex() if isinstance(digest, bytes) else str(digest)
    return ArchiveCorrupt(
        message("The archive's copy of {digest} no longer matches its SHA-256.", digest=named),
        message("Restore the newest copy of the backups folder, or import the file again."),
    )
