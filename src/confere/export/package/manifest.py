"""The manifest beside a package: one JSON document, written as it grows, of every file with its hash and its source.

It stands outside the ZIP, since importers walk through what is inside. Plain ASCII, one file a line. What is only
known at the end (counts, the hash of the ZIP, what is missing) follows the files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring_ascii
from tempfile import SpooledTemporaryFile
from typing import IO, Final, NamedTuple

from confere.archive.authenticity import verdicts
from confere.archive.documents.export_queries import OtherCopy
from confere.export.package.atomic_files import AtomicFile
from confere.export.package.paper_names import Sheet

FORMAT: Final = "confere-package"
VERSION: Final = 1
ENDING: Final = ".manifest.json"

_quote = encode_basestring_ascii  # of one text, as `json.dumps` has it, without its way there
_SPOOL_BYTES: Final = 256 * 1024


class ManifestFile(NamedTuple):
    """One file of the package, with the row of the archive that it is of. `kind`: nfe, cte, mdfe, event and the like.

    `notes` are words for what is special about it: `lot` (it holds several documents or events), `renamed` (another
    file has the name that the template gave), `earlier_document` (an event of this month, on a document of an
    earlier one), `not_registered` (an event or voiding that no authority accepted), `shortened` (its path was too
    long).
    """

    path: str
    sheet: Sheet
    kind: str
    issued_at: str | None  # for an event: when it happened
    sources: Sequence[str]
    notes: Sequence[str]


class Manifest:
    """Writes a manifest into a draft. Call `begin`, then `add` and `beside` in any order, then `finish`."""

    def __init__(self, draft: AtomicFile) -> None:
        self._draft = draft
        self._files = 0
        self._copies = 0
        self._beside: IO[bytes] = SpooledTemporaryFile(max_size=_SPOOL_BYTES)  # noqa: SIM115

    def begin(self, head: Mapping[str, object]) -> None:
        """The fields that are known before the first file."""
        text = json.dumps({"format": FORMAT, "version": VERSION, **head}, indent=1)
        self._draft.write(f'{text[:-2]},\n "files": ['.encode())

    def add(self, entry: ManifestFile) -> None:
        """A file that is in the ZIP."""
        sheet, when = entry.sheet, entry.issued_at
        sources = ", ".join([_quote(source) for source in entry.sources])
        key = "null" if sheet.access_key is None else _quote(sheet.access_key)
        issued_at = "null" if when is None else _quote(when)
        judged = verdicts.verdict_of(sheet.verdict)
        verdict = "null" if judged is None else _quote(judged)
        notes = f', "notes": {json.dumps(entry.notes)}' if entry.notes else ""
        self._draft.write(
            (
                f'{"," if self._files else ""}\n  {{"path": {_quote(entry.path)}, "sha256": "{sheet.digest.hex()}",'
                f' "size": {sheet.size}, "kind": "{entry.kind}", "access_key": {key}, "state": "{sheet.state}",'
                f' "direction": "{sheet.direction}", "issued_at": {issued_at}, "verdict": {verdict},'
                f' "sources": [{sources}]{notes}}}'
            ).encode()
        )
        self._files += 1

    def beside(self, copy: OtherCopy) -> None:
        """Bytes of a document or event of the package that are kept in the archive beside those that go out."""
        line: dict[str, object] = {"access_key": copy.access_key}
        if copy.code is not None:
            line |= {"code": copy.code, "sequence": copy.sequence}
        line |= {"sha256": copy.digest.hex(), "size": copy.size}
        self._beside.write(f"{',' if self._copies else ''}\n  {json.dumps(line)}".encode())
        self._copies += 1

    def finish(self, tail: Mapping[str, object]) -> None:
        """The other copies, then the fields that are known at the end."""
        self._draft.write(b"\n ],\n" + b' "other_versions": [')
        self._beside.seek(0)
        while part := self._beside.read(_SPOOL_BYTES):
            self._draft.write(part)
        text = json.dumps(tail, indent=1)
        self._draft.write(b"\n ],\n" + text[2:].encode() + b"\n")

    def close(self) -> None:
        self._beside.close()
