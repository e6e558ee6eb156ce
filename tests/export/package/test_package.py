"""The package holds what the list of the month shows, byte for byte, and its manifest accounts for all of it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from confere.archive.documents import documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from confere.archive.vault.vault import digest_of
from confere.errors import ExportRefused, UsageFault
from confere.export.package.name_templates import Templates
from confere.export.package.package import PackageResult, export_package
from confere.export.package.request import PackageOptions, PackageRequest, Split
from tests.export.made import (
    CARRIER,
    COMPANY,
    MONTH,
    OTHER,
    event,
    freight,
    inside,
    key,
    lot,
    manifest_of,
    note,
    store,
    voiding,
)

SALE, SOLD_BACK, BOUGHT, CHEQUE, SHIPPED = (
    note(1),
    note(2, kind="0"),
    note(3, emitter=OTHER, recipient=COMPANY),
    note(4, model="65"),
    freight(5),
)
CANCELLED, CANCELLING = note(6), event(key(6))
CORRECTING = event(key(1), "110110", sequence=2, words="Peso")
DISAGREEING = event(key(5, emitter=CARRIER, model="57"), "610110")
VOIDED = voiding(10, 12)
UNANSWERED = note(7, cstat=None)


def export(
    archive: Archive,
    out: Path,
    *,
    company: str = COMPANY,
    month: str = MONTH,
    split: Split = Split.ONE,
    templates: Templates | None = None,
) -> PackageResult:
    options = PackageOptions(month, split)
    return export_package(archive, PackageRequest(company, out, options, templates=templates or Templates()))


def listed(archive: Archive, company: str = COMPANY) -> int:
    with archive.reading() as transaction:
        query = DocumentQuery(company=company, from_day=f"{MONTH}-01", to_day=f"{MONTH}-31")
        return documents.summary(transaction, query).count


def test_names_and_folders_are_those_that_importers_look_for(archive: Archive, out: Path) -> None:
    store(
        archive, SALE, SOLD_BACK, BOUGHT, CHEQUE, SHIPPED, CANCELLED, CANCELLING, CORRECTING, DISAGREEING, VOIDED,
        UNANSWERED,
    )  # fmt: skip
    result = export(archive, out)
    assert result.contents.paths == (out / f"{COMPANY}-{MONTH}.zip",)
    home, carried = f"{COMPANY}/{MONTH}", key(5, emitter=CARRIER, model="57")
    assert inside(result.contents.paths[0]) == {
        f"{home}/nfe/out/{key(1)}-procNFe.xml": SALE,
        f"{home}/nfe/in/{key(2)}-procNFe.xml": SOLD_BACK,
        f"{home}/nfe/in/{key(3, emitter=OTHER)}-procNFe.xml": BOUGHT,
        f"{home}/nfe/out/{key(4, model='65')}-procNFe.xml": CHEQUE,
        f"{home}/cte/in/{carried}-procCTe.xml": SHIPPED,
        f"{home}/nfe/out/{key(6)}-procNFe.xml": CANCELLED,
        f"{home}/event/out/{key(6)}-110111-1-procEventoNFe.xml": CANCELLING,
        f"{home}/event/out/{key(1)}-110110-2-procEventoNFe.xml": CORRECTING,
        f"{home}/event/in/{carried}-610110-1-procEventoCTe.xml": DISAGREEING,
        f"{home}/nfe/out/35-26-{COMPANY}-55-1-10-12-procInutNFe.xml": VOIDED,
        f"{home}/nfe/out/{key(7)}-nfe.xml": UNANSWERED,
    }
    assert (result.contents.documents, result.contents.events, result.contents.earlier_events, result.contents.xml) == (
        8,
        3,
        0,
        11,
    )
    assert result.contents.documents == listed(archive)
    assert result.bytes == result.contents.paths[0].stat().st_size
    assert sorted(entry.name for entry in out.iterdir()) == [
        f"{COMPANY}-{MONTH}.manifest.json",
        f"{COMPANY}-{MONTH}.zip",
    ]


def test_the_manifest_accounts_for_every_file(archive: Archive, out: Path) -> None:
    store(archive, SALE, CANCELLED, CANCELLING, note(8, refers=key(99)), source='nf/São "{number}".xml')
    result = export(archive, out)
    told = manifest_of(result.contents.paths[0])
    assert result.manifests == (out / f"{COMPANY}-{MONTH}.manifest.json",)
    assert (told["format"], told["version"], told["company"], told["month"]) == ("confere-package", 1, COMPANY, MONTH)
    assert (told["documents"], told["events"], told["xml"], told["profile"]) == (3, 1, 4, "with-cancellations")
    by_key = {(entry["access_key"], entry["kind"]): entry for entry in told["files"]}
    sale = by_key[key(1), "nfe"]
    assert (sale["state"], sale["direction"], sale["issued_at"]) == ("authorized", "out", "2026-10-05T10:00:00-03:00")
    assert sale["sources"] == ['nf/São "1".xml'] and "notes" not in sale
    assert by_key[key(6), "nfe"]["state"] == "cancelled"
    assert by_key[key(6), "event"]["issued_at"] == "2026-10-06T09:00:00-03:00"
    assert told["referenced_not_archived"] == {"count": 1, "first": [{"document": key(8), "refers_to": key(99)}]}
    assert told["missing"] == [] and result.contents.missing == ()


@pytest.mark.system_program("unzip")
def test_the_unzip_program_gives_back_the_same_bytes(archive: Archive, out: Path, tmp_path: Path) -> None:
    odd = "\ufeff".encode() + SALE.replace(b"Venda", b"V\xc3\xa9nda", 1) + b"\n\n"
    store(archive, odd, SHIPPED)
    (path,) = export(archive, out).contents.paths
    subprocess.run(["unzip", "-tq", str(path)], check=True, capture_output=True)
    member = f"{COMPANY}/{MONTH}/nfe/out/{key(1)}-procNFe.xml"
    (tmp_path / "given.xml").write_bytes(odd)
    with (tmp_path / "taken.xml").open("wb") as taken:
        subprocess.run(["unzip", "-p", str(path), member], check=True, stdout=taken)
    subprocess.run(["cmp", str(tmp_path / "given.xml"), str(tmp_path / "taken.xml")], check=True)


def test_the_month_is_the_one_that_the_document_writes(archive: Archive, out: Path) -> None:
    first, last = note(1, day="2026-10-01"), note(2, day="2026-10-31", offset="-04:00").replace(b"T10:00", b"T23:59")
    store(archive, first, last, note(3, day="2026-09-30"), note(4, day="2026-11-01"))
    assert set(inside(export(archive, out).contents.paths[0]).values()) == {first, last}


def test_each_company_has_its_own_package(archive: Archive, out: Path) -> None:
    store(archive, SALE, BOUGHT, SHIPPED)
    ours, theirs = export(archive, out), export(archive, out, company="11.444.777/0001-61")
    carriers = export(archive, out, company=CARRIER)
    assert ours.contents.documents == listed(archive) == 3
    assert theirs.contents.documents == listed(archive, OTHER) == 2
    assert set(inside(theirs.contents.paths[0])) == {
        f"{OTHER}/{MONTH}/nfe/in/{key(1)}-procNFe.xml",
        f"{OTHER}/{MONTH}/nfe/out/{key(3, emitter=OTHER)}-procNFe.xml",
    }
    assert inside(carriers.contents.paths[0]) == {
        f"{CARRIER}/{MONTH}/cte/out/{key(5, emitter=CARRIER, model='57')}-procCTe.xml": SHIPPED
    }


def test_an_event_of_the_month_on_an_earlier_document_goes_out_and_says_so(archive: Archive, out: Path) -> None:
    late = event(key(1, month="2026-07"), day="2026-10-02")
    last_minute = event(key(2, month="2026-09"), "110110", day="2026-10-31", offset="-04:00").replace(
        b"T09:00:00-04:00", b"T23:30:00-04:00"
    )
    store(
        archive,
        note(1, day="2026-07-03"), late, note(2, day="2026-09-30"), last_minute,
        event(key(2, month="2026-09"), "110110", sequence=2, day="2026-11-01"),
        event(key(2, month="2026-09"), "110110", sequence=3, day="2026-09-30"),
        event(key(3, emitter=OTHER, month="2026-07"), day="2026-10-02"),
        note(3, day="2026-07-03", emitter=OTHER, recipient=CARRIER),
    )  # fmt: skip
    result = export(archive, out)
    assert (result.contents.documents, result.contents.events, result.contents.earlier_events, result.contents.xml) == (
        0,
        2,
        2,
        2,
    )
    assert set(inside(result.contents.paths[0]).values()) == {late, last_minute}
    told = manifest_of(result.contents.paths[0])
    assert [entry["notes"] for entry in told["files"]] == [["earlier_document"]] * 2
    assert told["earlier_events"] == 2


def test_a_cancellation_months_later_goes_with_its_document(archive: Archive, out: Path) -> None:
    late = event(key(1), day="2027-01-15")
    store(archive, SALE, late)
    result = export(archive, out)
    assert set(inside(result.contents.paths[0]).values()) == {SALE, late}
    assert (result.contents.events, result.contents.earlier_events) == (1, 0)


def test_an_event_that_nobody_registered_is_called_a_request(archive: Archive, out: Path) -> None:
    refused, sent = event(key(1), cstat="573"), event(key(1), "110110", cstat=None)
    store(archive, SALE, refused, sent, voiding(20, 21, cstat="241"))
    held = inside(export(archive, out).contents.paths[0])
    home = f"{COMPANY}/{MONTH}"
    assert held[f"{home}/event/out/{key(1)}-110111-1-ped-eve.xml"] == refused
    assert held[f"{home}/event/out/{key(1)}-110110-1-ped-eve.xml"] == sent
    assert f"{home}/nfe/out/35-26-{COMPANY}-55-1-20-21-ped-inu.xml" in held
    notes = [entry.get("notes") for entry in manifest_of(out / f"{COMPANY}-{MONTH}.zip")["files"]]
    assert notes.count(["not_registered"]) == 3


def test_an_event_inside_its_document_goes_with_it(archive: Archive, out: Path) -> None:
    both = note(1, inside=event(key(1), wrapped=False).decode())
    store(archive, both)
    result = export(archive, out)
    assert list(inside(result.contents.paths[0]).values()) == [both]
    assert (result.contents.documents, result.contents.events, result.contents.xml) == (1, 0, 1)
    assert manifest_of(result.contents.paths[0])["files"][0]["state"] == "cancelled"


def test_a_lot_goes_out_once_under_its_own_name(archive: Archive, out: Path) -> None:
    mixed = lot(note(1), note(2), note(3, day="2026-09-30"), note(4, emitter=OTHER, recipient=CARRIER))
    store(archive, mixed, source="lotes.zip/2026/Lote 7.XML")
    store(archive, lot(note(11), note(12)), source="hub:loja/77")
    result = export(archive, out)
    held = inside(result.contents.paths[0])
    assert held[f"{COMPANY}/{MONTH}/nfe/out/Lote 7.XML"] == mixed
    assert len(held) == 2 and any("/lot-" in name for name in held)
    assert (result.contents.documents, result.contents.xml) == (4, 2)
    assert result.contents.documents == listed(archive)
    assert [entry["notes"] for entry in manifest_of(result.contents.paths[0])["files"]] == [["lot"]] * 2


def test_other_bytes_of_the_same_paper_are_told_of_and_stay_home(archive: Archive, out: Path) -> None:
    notes = sorted((SALE, note(1, words="outra")), key=digest_of)  # nothing else tells them apart
    events = sorted((CANCELLING, event(key(6), words="de novo")), key=digest_of)
    store(archive, notes[1], notes[0], CANCELLED, *events)
    result = export(archive, out)
    assert set(inside(result.contents.paths[0]).values()) == {notes[0], CANCELLED, events[0]}
    told = manifest_of(result.contents.paths[0])["other_versions"]
    assert [(entry["access_key"], entry.get("code"), entry["size"]) for entry in told] == [
        (key(1), None, len(notes[1])),
        (key(6), "110111", len(events[1])),
    ]


def test_a_hostile_key_stays_within_the_package(archive: Archive, out: Path) -> None:
    hostile = note(1).replace(f"NFe{key(1)}".encode(), b"NFe../../x").replace(f">{key(1)}<".encode(), b">../../x<")
    store(archive, hostile)
    (name,) = inside(export(archive, out).contents.paths[0])
    assert name == f"{COMPANY}/{MONTH}/nfe/out/_._.._x-procNFe.xml"


def test_one_name_for_two_files_is_told_apart_by_their_hash(archive: Archive, out: Path) -> None:
    store(archive, SALE, CANCELLED)
    result = export(archive, out, templates=Templates(document="nota.xml", folder=""))
    told = manifest_of(result.contents.paths[0])["files"]
    assert told[0]["path"] == "nota.xml"
    assert told[1]["path"] == f"nota-{told[1]['sha256'][:8]}.xml" and told[1]["notes"] == ["renamed"]


def test_templates_of_ones_own(archive: Archive, out: Path) -> None:
    store(archive, SALE, CANCELLED, CANCELLING, VOIDED)
    templates = Templates(
        folder="{month}/{state}",
        document="{model}-{series:03}-{number:09}-{day}-{emitter}-{recipient}.xml",
        event="{type} {code} {sequence:02} {key}.xml",
        voiding="inut {first:09} a {last:09}.xml",
    )
    assert set(inside(export(archive, out, templates=templates).contents.paths[0])) == {
        f"{MONTH}/authorized/55-001-000000001-2026-10-05-{COMPANY}-{OTHER}.xml",
        f"{MONTH}/cancelled/55-001-000000006-2026-10-05-{COMPANY}-{OTHER}.xml",
        f"{MONTH}/cancelled/nfe 110111 01 {key(6)}.xml",
        f"{MONTH}/voided/inut 000000010 a 000000012.xml",
    }


def test_one_zip_for_each_model(archive: Archive, out: Path) -> None:
    store(archive, SALE, CANCELLED, CANCELLING, CHEQUE, SHIPPED, DISAGREEING, VOIDED, note(1, words="outra"))
    result = export(archive, out, split=Split.MODEL)
    held = {path.name: set(inside(path).values()) for path in result.contents.paths}
    assert held == {
        f"{COMPANY}-{MONTH}-cte.zip": {SHIPPED, DISAGREEING},
        f"{COMPANY}-{MONTH}-nfce.zip": {CHEQUE},
        f"{COMPANY}-{MONTH}-nfe.zip": {SALE, CANCELLED, CANCELLING, VOIDED},
    }
    told = {path.name.split("-")[-1]: manifest_of(path) for path in result.contents.paths}
    assert {name: (entry["documents"], entry["events"]) for name, entry in told.items()} == {
        "cte.zip": (1, 1),
        "nfce.zip": (1, 0),
        "nfe.zip": (3, 1),
    }
    assert [len(entry["other_versions"]) for entry in told.values()] == [0, 0, 1]
    assert (result.contents.documents, result.contents.events, result.contents.xml) == (5, 2, 7)


def test_the_target_may_be_the_file_itself(archive: Archive, out: Path) -> None:
    store(archive, SALE)
    assert export(archive, out / "outubro.zip").contents.paths == (out / "outubro.zip",)
    assert export(archive, out / "outubro.zip", split=Split.MODEL).contents.paths == (out / "outubro-nfe.zip",)
    assert manifest_of(out / "outubro.zip")["package"] == "outubro.zip"


def test_the_same_archive_gives_the_same_zip_and_reading_is_enough(archive: Archive, out: Path) -> None:
    store(archive, SALE, SHIPPED, CANCELLED, CANCELLING)
    (one,) = export(archive, out / "one").contents.paths
    archive.close()
    with Archive.to_read(archive.path) as reader:
        (two,) = export(reader, out / "two").contents.paths
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"company": "123"}, "123"),
        ({"company": "11222333/0001-8X"}, "CNPJ"),
        ({"month": "2026-13"}, "2026-13"),
        ({"month": "10/2026"}, "10/2026"),
        ({"templates": Templates(document="{key}")}, "{key}"),
        ({"templates": Templates(folder="../{month}")}, "../{month}"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_written(
    archive: Archive, out: Path, given: dict[str, Any], word: str
) -> None:
    store(archive, SALE)
    with pytest.raises(UsageFault) as caught:
        export(archive, out, **given)
    assert word in str(caught.value) and caught.value.remedy is not None
    assert not out.exists()


def test_nothing_to_hand_over_is_said_and_leaves_no_empty_zip(archive: Archive, out: Path) -> None:
    store(archive, SALE)
    with pytest.raises(ExportRefused, match="2026-09"):
        export(archive, out, month="2026-09")
    assert not out.exists()


def test_a_package_whose_manifest_did_not_come_gets_it_and_another_one_is_refused(archive: Archive, out: Path) -> None:
    store(archive, note(1))
    first = export(archive, out)
    manifest, written = first.manifests[0].read_bytes(), first.path.stat().st_mtime_ns
    first.manifests[0].unlink()  # as a kill between the two leaves it
    again = export(archive, out)
    assert first.manifests[0].read_bytes() == manifest and first.path.stat().st_mtime_ns == written
    assert not again.identical and export(archive, out).identical
    first.manifests[0].unlink()
    store(archive, note(2))
    with pytest.raises(ExportRefused, match=r"\.zip"):
        export(archive, out)
    assert not first.manifests[0].exists() and first.path.stat().st_mtime_ns == written
