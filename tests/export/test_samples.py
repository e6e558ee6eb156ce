"""Documents of every kind and layout go out with the bytes they came with."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from confere.archive.documents import details, documents, recorder
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from confere.archive.vault.vault import Blob, digest_of
from confere.errors import PaperError
from confere.export.months import known_companies, months_of
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.package import export_package
from confere.export.package.request import PackageOptions, PackageRequest
from confere.fiscal.reading.document import read
from tests.export.made import inside, manifest_of, note, store
from tests.samples.folder import packaged, signed_samples, written


def fill(archive: Archive) -> None:
    """Every sample that can be read, and one of our own kind so that there is always something."""
    store(archive, note(1))
    seen: set[bytes] = set()
    with archive.writing() as transaction:
        for sample in (*packaged(), *written(), *signed_samples()):
            data = sample.data
            if digest_of(data) in seen:
                continue
            seen.add(digest_of(data))
            try:
                paper = read(data)
            except PaperError:
                continue
            recorded = recorder.record(
                transaction, archive.vault_writer, [recorder.NewPaper(Blob(data, digest_of(data)), paper)]
            )
            recorder.arrive(transaction, 1, [recorder.Arrival(recorded.content_ids[0], sample.name)])


@pytest.mark.system_program("unzip")
def test_every_month_of_every_emitter_goes_out_whole(archive: Archive, out: Path) -> None:
    fill(archive)
    exported = 0
    for company in known_companies(archive):
        if len(company) not in (11, 14):
            continue
        for entry in months_of(archive, company):
            result = export_package(archive, PackageRequest(company, out, PackageOptions(entry.month)))
            (path,) = result.contents.paths
            exported += 1
            told, held = manifest_of(path), inside(path)
            assert result.contents.documents == entry.documents == told["documents"]
            assert subprocess.run(["unzip", "-tq", str(path)], capture_output=True).returncode == 0
            query = DocumentQuery(company=company, from_day=f"{entry.month}-01", to_day=f"{entry.month}-31")
            with archive.reading() as transaction:
                rows = list(documents.walk(transaction, query))
                happened = details.events(transaction, {row.access_key for row in rows if row.access_key})
            wanted = {row.sha256 for row in rows} | {e.sha256 for e in happened if e.is_current and not e.embedded}
            assert {hashlib.sha256(data).hexdigest() for data in held.values()} >= wanted
            both = PackageRequest(company, out / "both.zip", PackageOptions(entry.month, replace=True), Profile.BOTH)
            halves = export_package(archive, both)
            assert sorted(inside(halves.contents.paths[0]).values()) == sorted(held.values())
    assert exported > 25
