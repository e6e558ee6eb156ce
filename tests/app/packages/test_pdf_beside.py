"""The PDFs of a package's documents stand beside it, named like its folders, the same bytes each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.app.context import Workspace
from confere.app.packages import export
from confere.archive.accounts import runs
from confere.archive.store import Archive
from confere.errors import Cancelled, Message, message
from confere.export.pdf import batch
from confere.export.pdf.pdf_request import Rendered
from confere.system.processes.cancellation import Stop
from tests.export.made import COMPANY, MONTH, event, freight, inside, key, manifest_of, note, store, voiding

NAME = f"{COMPANY}-{MONTH}"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    found = Workspace.at(tmp_path / "home")
    with found.writing("test") as archive:
        with archive.writing() as transaction:
            runs.start(transaction, "import", None, {})
        store(archive, note(1), note(2), freight(7), event(key(1)), voiding(10, 12))
    return found


def written(workspace: Workspace, out: Path, form: export.Form = export.Form.ZIP) -> export.PackageResult:
    choice = export.ExportChoice(
        export.PackageOptions(MONTH, form=form), COMPANY, out, with_ledger=False, with_pdf=True
    )
    return export.export(workspace, choice)[0]


def test_every_document_has_its_pdf_beside_and_none_is_among_the_xml(workspace: Workspace, tmp_path: Path) -> None:
    result = written(workspace, tmp_path / "out")
    (pdfs,) = result.pdfs
    held = inside(pdfs.path)
    assert pdfs.path == tmp_path / "out" / f"{NAME}-pdf.zip"
    assert (pdfs.documents, pdfs.not_drawn) == (4, ())
    folder = f"{COMPANY}/{MONTH}/nfe/out/"
    assert {f"{folder}{key(1)}-danfe.pdf", f"{folder}{key(2)}-danfe.pdf"} < set(held) and len(held) == 4
    assert any(name.endswith("-dacte.pdf") or "-cte" in name for name in held)
    assert all(data.startswith(b"%PDF-") for data in held.values())
    assert all(name.endswith(".xml") for name in inside(result.path)) and manifest_of(result.path)
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert written(workspace, tmp_path / "out").identical
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert (
        written(workspace, tmp_path / "folder", export.Form.FOLDER).pdfs[0].path.read_bytes()
        == before[f"{NAME}-pdf.zip"]
    )


def test_what_cannot_be_drawn_is_named_and_the_rest_is_written(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = batch.make

    def failing(piece: batch.Piece) -> Rendered | Message:
        return message("not this one") if key(2).encode() in piece.data else make(piece)

    monkeypatch.setattr(batch, "make", failing)
    (pdfs,) = written(workspace, tmp_path).pdfs
    assert [(entry.name, str(entry.why)) for entry in pdfs.not_drawn] == [(key(2), "not this one")]
    assert pdfs.documents == len(inside(pdfs.path)) == 3


def test_a_stop_leaves_no_half_of_the_pdfs(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from confere.app.packages import pdf_beside

    stop, make = Stop(), batch.make

    def stopping(piece: batch.Piece) -> Rendered | Message:
        stop.set()
        return make(piece)

    monkeypatch.setattr(batch, "make", stopping)
    result = export.export(
        workspace, export.ExportChoice(export.PackageOptions(MONTH), COMPANY, tmp_path, with_ledger=False)
    )[0]
    with workspace.reading() as archive, pytest.raises(Cancelled):
        assert isinstance(archive, Archive) and pdf_beside.write_beside(archive, result, stop=stop)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "home") == [
        f"{NAME}.manifest.json",
        f"{NAME}.zip",
    ]
