"""The vault: every received byte string once, found by its SHA-256, compressed, and checked on each read.

A payload is zstd level 3 with a dictionary trained on the archive's own first documents. Certificates do not
compress and repeat in every document of an emitter, so each is kept once and cut out of the bytes; a cut is the
offset in the remaining bytes and the certificate's id, and putting it back is exact by construction.
Compressors are not shared between threads: the writer's belong to the one writing thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum

import zstandard

from confere.archive.clock import utc_now
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import certificate, content, dictionary
from confere.archive.schema.table_rows import row_of
from confere.archive.transaction import Transaction
from confere.archive.vault.content_digest import digest_head as digest_head
from confere.archive.vault.content_digest import digest_of as digest_of
from confere.archive.vault.missing_contents import highest_spoken_of

LEVEL = 3
DICTIONARY_BYTES = 64 * 1024
FIRST_TRAINING = 300  # documents; before, everything is stored without a dictionary
SAMPLES = 600
LARGEST_SAMPLE = 256 * 1024
CHECK_EVERY = 2000  # stored documents between two looks at the ratio
FALL_OFF = 1.35  # retrain when the ratio is this much worse than on the dictionary's own samples
_TAG = b"X509Certificate>"
_SHORTEST_CERTIFICATE = 400
_REMEMBERED_CERTIFICATES = 4096


class Family(IntEnum):
    """Kinds of text that compress alike; each has its dictionaries."""

    XML = 0
    JSON = 1


@dataclass(frozen=True, slots=True)
class Blob:
    """Bytes to keep. `problem` tells why they cannot be read as what they should be, if so."""

    data: bytes
    digest: bytes
    family: Family = Family.XML
    problem: str | None = None


def digests(transaction: Transaction, content_ids: Collection[int]) -> list[str]:
    """The SHA-256 of these contents, in hexadecimal."""
    if not content_ids:
        return []
    return [digest.hex() for digest in transaction.column_in("SELECT digest FROM content WHERE id IN {}", content_ids)]


def sizes_of(transaction: Transaction, content_ids: Collection[int]) -> dict[int, int]:
    """How many bytes these contents have, unpacked, by content id."""
    return dict(transaction.fetch_in("SELECT id, size FROM content WHERE id IN {}", content_ids))


def digests_of(transaction: Transaction, content_ids: Collection[int]) -> dict[int, bytes]:
    """The SHA-256 of these contents, by content id."""
    return dict(transaction.fetch_in("SELECT id, digest FROM content WHERE id IN {}", content_ids))


def find(transaction: Transaction, digests: Collection[bytes]) -> dict[bytes, int]:
    """Which of these are in the vault: digest to content id."""
    wanted = {digest_head(digest): digest for digest in digests}
    rows = transaction.fetch_in("SELECT id, digest FROM content WHERE digest_head IN {}", wanted)
    asked = set(digests)
    return {digest: content_id for content_id, digest in rows if digest in asked}


def unread(transaction: Transaction, content_ids: Collection[int]) -> set[int]:
    """Which of these contents were kept without being read."""
    return set(transaction.column_in("SELECT id FROM content WHERE problem IS NOT NULL AND id IN {}", content_ids))


class VaultWriter:
    """Compresses and stores; holds what one writer must remember. `forget` after a rollback."""

    def __init__(self) -> None:
        self._families: dict[Family, _FamilyState] = {}
        self._certificates: dict[bytes, int] = {}

    def forget(self) -> None:
        """Drop everything learned in a transaction that did not happen."""
        self._families.clear()
        self._certificates.clear()

    def put(self, transaction: Transaction, blobs: Sequence[Blob], readers: Sequence[int] = ()) -> range:
        """Store `blobs` (each new to the vault and distinct) and return their content ids, in order.

        `readers` are the versions of the reader that each was given to, where they were given to one.
        """
        if not transaction.has_counted(content):  # a number that rows speak of is never given out again
            transaction.count_from(content, highest_spoken_of(transaction))
        ids = transaction.new_ids(content, len(blobs))
        given: Sequence[int | None] = readers or [None] * len(blobs)
        rows = []
        for content_id, blob, reader in zip(ids, blobs, given, strict=True):
            state = self._state(transaction, blob.family)
            body, cuts = self._cut(transaction, blob.data)
            payload = state.compressor.compress(body)
            state.note(blob, body, len(payload))
            rows.append(_content_row(content_id, blob, state, cuts, payload, reader))
        transaction.insert(content, rows)
        for family, state in self._families.items():
            if state.wants_training:
                self._train(transaction, family, state)
        return ids

    def restore(
        self,
        transaction: Transaction,
        content_id: int,
        blob: Blob,
        reader: int | None = None,
    ) -> None:
        """Store these bytes under the number of a content that is gone or damaged, of which other rows speak."""
        state = self._state(transaction, blob.family)
        body, cuts = self._cut(transaction, blob.data)
        transaction.execute("DELETE FROM content WHERE id = ?", (content_id,))
        row = _content_row(content_id, blob, state, cuts, state.compressor.compress(body), reader)
        transaction.insert(content, [row])

    def replace(self, transaction: Transaction, content_id: int, data: bytes) -> None:
        """Store these bytes anew in place of a copy of them that is damaged."""
        problem, reader, family = transaction.fetch(
            "SELECT problem, reader, family FROM content WHERE id = ?", (content_id,)
        )[0]
        known = Family(family) if family in tuple(Family) else Family.XML
        self.restore(transaction, content_id, Blob(data, digest_of(data), known, problem), reader)

    def _state(self, transaction: Transaction, family: Family) -> _FamilyState:
        state = self._families.get(family)
        if state is None:
            newest = transaction.first(
                "SELECT id, data, ratio FROM dictionary WHERE family = ? ORDER BY id DESC LIMIT 1",
                (int(family),),
            )
            if newest is not None:
                dictionary_id, data, ratio = newest
                state = _FamilyState(dictionary_id, data, ratio)
            else:
                state = _FamilyState()
                state.untrained = transaction.scalar(
                    "SELECT count(*) FROM content WHERE family = ? AND problem IS NULL", (int(family),)
                )
            self._families[family] = state
        return state

    def _cut(self, transaction: Transaction, data: bytes) -> tuple[bytes, bytes | None]:
        start = data.find(_TAG)
        if start < 0:
            return data, None
        kept: list[bytes] = []
        cuts: list[tuple[int, int]] = []
        done = length = 0
        while start >= 0:
            begin = start + len(_TAG)
            end = data.find(b"<", begin)
            if end < 0:
                break
            if end - begin >= _SHORTEST_CERTIFICATE:
                kept.append(data[done:begin])
                length += begin - done
                cuts.append((length, self._certificate_id(transaction, data[begin:end])))
                done = end
            start = data.find(_TAG, end + len(_TAG) + 2)  # past the closing tag
        if not cuts:
            return data, None
        kept.append(data[done:])
        return b"".join(kept), b"".join(o.to_bytes(4, "big") + c.to_bytes(4, "big") for o, c in cuts)

    def _certificate_id(self, transaction: Transaction, text: bytes) -> int:
        known = self._certificates.get(text)
        if known is not None:
            return known
        head = digest_head(digest_of(text))
        rows = transaction.fetch("SELECT id, data FROM certificate WHERE digest_head = ?", (head,))
        found = next((number for number, data in rows if data == text), None)
        if found is None:
            found = transaction.new_ids(certificate, 1)[0]
            transaction.insert(certificate, [(found, head, text)])
        if len(self._certificates) >= _REMEMBERED_CERTIFICATES:
            self._certificates.clear()
        self._certificates[text] = found
        return found

    def _train(self, transaction: Transaction, family: Family, state: _FamilyState) -> None:
        """Make a dictionary of recent documents; what was stored before the first one is stored again."""
        if state.dictionary_id is None:
            ids = transaction.column(
                "SELECT id FROM content WHERE family = ? AND dictionary_id IS NULL AND problem IS NULL"
                " AND size <= ? LIMIT ?",
                (int(family), LARGEST_SAMPLE, SAMPLES),
            )
            raw = {content_id: _unpacked(transaction, content_id) for content_id in ids}
        else:
            raw = dict(enumerate(state.recent))
        samples: list[bytes | bytearray | memoryview] = [body for body in raw.values() if body]
        try:
            trained = zstandard.train_dictionary(DICTIONARY_BYTES, samples, level=LEVEL)
        except zstandard.ZstdError:  # too little variety to learn from: go on as before
            state.postpone()
            return
        compressor = _compressor(trained.as_bytes())
        packed = {content_id: compressor.compress(body) for content_id, body in raw.items()}
        ratio = round(1000 * sum(map(len, packed.values())) / max(1, sum(map(len, samples))))
        if state.dictionary_id is not None and ratio * 1.1 > state.recent_ratio:
            state.postpone()  # these documents are simply less compressible
            return
        new_id = transaction.new_ids(dictionary, 1)[0]
        transaction.insert(dictionary, [(new_id, int(family), trained.as_bytes(), utc_now(), ratio)])
        if state.dictionary_id is None:
            _store_again(transaction, new_id, packed)
        self._families[family] = _FamilyState(new_id, trained.as_bytes(), ratio)


def _store_again(transaction: Transaction, dictionary_id: int, packed: dict[int, bytes]) -> None:
    """Put these contents back with their new payloads; updated in place, their pages would stay half empty."""
    columns = ", ".join(column.name for column in content.columns)
    rows = list(transaction.named_in(f"SELECT {columns} FROM content WHERE id IN {{}}", packed))
    transaction.execute_many("DELETE FROM content WHERE id = ?", [(content_id,) for content_id in packed])
    transaction.insert(content, [row._replace(dictionary_id=dictionary_id, payload=packed[row.id]) for row in rows])


def _content_row(
    content_id: int, blob: Blob, state: _FamilyState, cuts: bytes | None, payload: bytes, reader: int | None
) -> NamedRow:
    return row_of(content)(
        id=content_id,
        digest_head=digest_head(blob.digest),
        digest=blob.digest,
        family=int(blob.family),
        size=len(blob.data),
        dictionary_id=state.dictionary_id,
        cuts=cuts,
        payload=payload,
        problem=blob.problem,
        reader=reader,
    )


class _FamilyState:
    """The current dictionary of a family and how well it has done lately."""

    def __init__(self, dictionary_id: int | None = None, data: bytes = b"", ratio: int = 0) -> None:
        self.dictionary_id = dictionary_id
        self.compressor = _compressor(data)
        self.untrained = 0
        self.recent: deque[bytes] = deque(maxlen=SAMPLES)
        self._ratio = ratio
        self._raw = self._stored = self._count = 0
        self._next_training = FIRST_TRAINING

    def note(self, blob: Blob, body: bytes, stored: int) -> None:
        if blob.problem is not None or len(body) > LARGEST_SAMPLE:
            return
        self.untrained += 1
        self._count += 1
        self._raw += len(body)
        self._stored += stored
        if self.dictionary_id is not None:
            self.recent.append(body)

    @property
    def recent_ratio(self) -> float:
        return 1000 * self._stored / max(1, self._raw)

    @property
    def wants_training(self) -> bool:
        if self.dictionary_id is None:
            return self.untrained >= self._next_training
        if self._count < CHECK_EVERY:
            return False
        if self.recent_ratio > FALL_OFF * self._ratio:
            return True
        self._raw = self._stored = self._count = 0
        return False

    def postpone(self) -> None:
        self._next_training = self.untrained * 2
        self._ratio = max(self._ratio, round(self.recent_ratio))
        self._raw = self._stored = self._count = 0


def _compressor(data: bytes) -> zstandard.ZstdCompressor:
    if not data:
        return zstandard.ZstdCompressor(level=LEVEL)
    trained = zstandard.ZstdCompressionDict(data)
    trained.precompute_compress(level=LEVEL)
    return zstandard.ZstdCompressor(level=LEVEL, dict_data=trained, write_dict_id=False)


def _unpacked(transaction: Transaction, content_id: int) -> bytes:
    """The body without its certificates, as it was compressed before any dictionary."""
    payload: bytes = transaction.scalar("SELECT payload FROM content WHERE id = ?", (content_id,))
    return zstandard.ZstdDecompressor().decompress(payload)
