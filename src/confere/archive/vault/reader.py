"""Reading the vault: bytes put together again from payload, dictionary and certificates, and checked.

Workers that only read contents load this and little else: it imports neither SQLAlchemy nor the archive's schema.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from struct import unpack_from
from typing import Any, NamedTuple, Protocol

import zstandard

from confere.archive.vault.content_digest import digest_of
from confere.errors import ArchiveCorrupt, message

_REMEMBERED_CERTIFICATES = 4096
_CUT = 8  # bytes of one cut: offset and certificate id, four each
_UNCUT: tuple[tuple[int, ...], tuple[int, ...]] = (), ()


class Rows(Protocol):
    """What contents are fetched from: a transaction, or a worker's bare view of the archive."""

    def scalar(self, statement: str, parameters: tuple[Any, ...] = ()) -> Any: ...

    def fetch_in(self, sql: str, values: Collection[Any]) -> Iterator[tuple[Any, ...]]: ...


class Packed(NamedTuple):
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

    def get(self, rows: Rows, content_id: int) -> bytes:
        """One content as received; `ArchiveCorrupt` if it no longer matches its SHA-256."""
        return self.unpack(self.fetch(rows, [content_id])[0])

    def fetch(self, rows: Rows, content_ids: Sequence[int]) -> list[Packed]:
        """What is stored of these contents, in the order asked for; `ArchiveCorrupt` names the first that is absent."""
        stored = {
            row[0]: row
            for row in rows.fetch_in(
                "SELECT id, digest, size, dictionary_id, payload, cuts FROM content WHERE id IN {}",
                dict.fromkeys(content_ids),
            )
        }
        self._learn_dictionaries(rows, {row[3] for row in stored.values() if row[3] is not None})
        cuts = {row[0]: _parse(row[5]) for row in stored.values() if row[5]}
        texts = self._texts(rows, {number for _, numbers in cuts.values() for number in numbers})
        found: list[Packed] = []
        for content_id in content_ids:
            row = stored.get(content_id)
            if row is None:
                raise ArchiveCorrupt(
                    message("The bytes of content {id} are missing from the archive.", id=content_id),
                    message("Run `confere sync`, or `confere doctor --repair`."),
                )
            offsets, numbers = cuts.get(content_id, _UNCUT)
            _, digest, size, dictionary_id, payload, _ = row
            certificates = tuple([texts[number] for number in numbers])
            found.append(Packed(content_id, digest, size, dictionary_id, payload, offsets, certificates))
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

    def _learn_dictionaries(self, rows: Rows, wanted: set[int]) -> None:
        for number in sorted(wanted - self._dictionaries.keys()):
            data = rows.scalar("SELECT data FROM dictionary WHERE id = ?", (number,))
            if data is None:
                raise ArchiveCorrupt(
                    message("The archive lost its compression dictionary {id}.", id=number),
                    message("Restore the newest copy of the backups folder."),
                )
            self._dictionaries[number] = data

    def _texts(self, rows: Rows, wanted: set[int]) -> dict[int, bytes]:
        """Certificates by their number; one that is lost is empty, so that the digest tells of it."""
        # Another thread may clear what is remembered at any moment: the answer is put together apart from it.
        found = {number: text for number in wanted if (text := self._certificates.get(number)) is not None}
        new: dict[int, bytes] = dict(
            rows.fetch_in("SELECT id, data FROM certificate WHERE id IN {}", wanted - found.keys())
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


def cut_certificates(cuts: bytes) -> tuple[int, ...]:
    """The numbers of the certificates that were taken out of a content, from its column `cuts`."""
    return _parse(cuts)[1]


def _parse(cuts: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    values = unpack_from(f">{len(cuts) // _CUT * 2}I", cuts)
    return values[::2], values[1::2]


def _damaged(digest: object) -> ArchiveCorrupt:
    named = digest.hex() if isinstance(digest, bytes) else str(digest)
    return ArchiveCorrupt(
        message("The archive's copy of {digest} no longer matches its SHA-256.", digest=named),
        message("Restore the newest copy of the backups folder, or import the file again."),
    )
