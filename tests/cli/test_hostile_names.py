"""Papers, events and companies whose names would lead elsewhere: whatever is written lies in the folder chosen."""

from __future__ import annotations

import ntpath
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confere.app.documents import print_pdf, save_xml
from confere.archive.documents.details import EventRow
from confere.archive.documents.documents import DocumentRow
from confere.fiscal.model import Voiding
from tests.archive.papers import cancellation, key, note
from tests.cli.running import Call
from tests.system.files.test_safe_names import HOSTILE, holds

KEYS = (
    "/etc/cron.d/x",
    "../../../../outside/x",
    "..\\..\\outside\\x",
    "C:\\outside\\x",
    "\\\\server\\share\\x",
    "outside/x:stream",
    "nul",
    "x" * 400,
    "&#x202E;fdp.x",
)


def with_key(data: bytes, number: int, hostile: str) -> bytes:
    """The paper under another key, in every place where it stands."""
    return data.replace(key(number).encode(), hostile.encode())


def hostile_code(number: int) -> bytes:
    return cancellation(number).replace(b"<tpEvento>110111</tpEvento>", b"<tpEvento>../../../outside/y</tpEvento>")


@pytest.fixture
def world(tmp_path: Path) -> Path:
    given_files = tmp_path / "in"
    given_files.mkdir()
    (tmp_path / "outside").mkdir()
    for number, hostile in enumerate(KEYS, 1):
        (given_files / f"{number}.xml").write_bytes(with_key(note(number), number, hostile))
        (given_files / f"{number}-event.xml").write_bytes(with_key(cancellation(number), number, hostile))
    (given_files / "code.xml").write_bytes(note(50))
    (given_files / "code-event.xml").write_bytes(hostile_code(50))
    return tmp_path


def tree(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if "home" not in path.relative_to(folder).parts[:1]}


def test_whatever_is_written_lies_in_the_folder_chosen(
    call: Call, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, out = world / "home", world / "work" / "here"
    out.mkdir(parents=True)
    monkeypatch.chdir(out)
    assert call("import", world / "in", "--home", home).code in (0, 1)
    shown = [entry["sha256"] for entry in call("list", "--all", "--json", "--home", home).json["documents"]]
    assert len(shown) == len(KEYS) + 1
    before = tree(world)
    for sha256 in shown:
        for arguments in ((), ("--output", out)):
            done = call("pdf", sha256, *arguments, "--home", home)
            assert done.code in (0, 1, 2, 3), done.err
            assert "fault of Confere" not in done.err
    call("pdf", *shown, "--output", out / "many", "--home", home)
    for company in ("11222333000181", "../../outside"):
        for template in ("{key}.xml", "{key}/{ending}.xml"):
            call(
                "export", "--company", company, "--month", "2026-10", "--to", out / "packages", "--replace",
                "--name-template", template, "--home", home,
            )  # fmt: skip
    call("export", "--company", "11222333000181", "--month", "../../x", "--to", out / "packages", "--home", home)
    written = tree(world) - before
    assert {path.suffix for path in written if path.is_file()} >= {".pdf", ".zip"}
    assert not [path for path in written if not path.is_relative_to(out)]
    for path in (path for path in written if path.is_file()):
        for part in path.relative_to(out).parts:
            holds(part)
    for package in (path for path in written if path.suffix == ".zip"):
        with zipfile.ZipFile(package) as opened:
            names = [entry for entry in opened.namelist() if not entry.endswith("/")]
        assert len(names) > len(KEYS)
        for name in names:
            assert ntpath.commonpath(["C:\\a", ntpath.normpath(ntpath.join("C:\\a", name))]) == "C:\\a"
            for part in name.split("/"):
                holds(part)


TEXT = st.none() | HOSTILE
DOCUMENT = st.builds(
    DocumentRow, id=st.just(1), content_id=st.just(1), sha256=st.just("ab" * 32),
    type=st.sampled_from(["nfe", "cte", "mdfe", "voiding", "other"]), access_key=TEXT, model=TEXT,
    series=st.none() | st.integers(), number=st.none() | st.integers(), issued_at=TEXT, issued_on=HOSTILE,
    emitter_tax_id=TEXT, emitter_name=TEXT, recipient_tax_id=TEXT, recipient_name=TEXT, nature=TEXT, operation=TEXT,
    direction=TEXT, purpose=TEXT, environment=TEXT, cfops=TEXT, total=st.none(), state=HOSTILE, cstat=TEXT,
    protocol=TEXT, authorized_at=TEXT, layout=TEXT, external_id=TEXT, order_hint=TEXT, warnings=st.just(()),
)  # fmt: skip
EVENT = st.builds(
    EventRow, id=st.just(1), content_id=st.just(1), sha256=st.just("ab" * 32), access_key=TEXT, code=TEXT,
    sequence=st.none() | st.integers(), description=TEXT, occurred_at=TEXT, author=TEXT, registered=st.booleans(),
    cstat=TEXT, reason=TEXT, protocol=TEXT, registered_at=TEXT, text=TEXT, embedded=st.booleans(),
    sent_to=TEXT, environment=TEXT,
    is_current=st.just(True), warnings=st.just(()),
)  # fmt: skip
VOIDED = st.none() | st.builds(
    Voiding, uf_code=TEXT, year=TEXT, emitter=TEXT, model=TEXT, series=st.none(), first=st.none(), last=st.none(),
    reason=TEXT, cstat=TEXT, protocol=TEXT, registered_at=TEXT, environment=TEXT,
)  # fmt: skip


@settings(max_examples=200)
@given(DOCUMENT, EVENT, VOIDED)
def test_what_a_file_is_proposed_to_be_called_is_a_name(
    row: DocumentRow, event: EventRow, voided: Voiding | None
) -> None:
    """For PDFs and XML, on the command line and in the window's dialogs."""
    for name in (
        print_pdf.document_file_name(row, voided),
        print_pdf.event_file_name(event),
        save_xml.document_name(row, voided),
        save_xml.event_name(event),
    ):
        holds(name)
        assert name.endswith((".pdf", ".xml"))
