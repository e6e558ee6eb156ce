"""`confere pdf`: one paper into a file, many into a folder, nothing written over, and told who drew them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Call
from tests.export.pdf.looked_at import bare, pages, words
from tests.fiscal import made

NOTE = "35180834128745000152550010000476051695511860"


def listed(call: Call, home: Path, *options: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = call("list", "--all", "--json", "--home", home, *options).json["documents"]
    return found


def test_a_note_becomes_a_danfe_called_by_its_key(
    call: Call, archived: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("pdf", NOTE, "--home", archived)
    assert done.code == 0
    path = tmp_path / f"{NOTE}-danfe.pdf"
    assert done.err == f"Written to {path.name}.\n"
    assert NOTE in bare(words(path.read_bytes()))
    again = call("pdf", NOTE, "--home", archived)
    assert again.code == 2
    assert "something at" in again.err


def test_key_row_and_digest_name_the_same(call: Call, archived: Path, tmp_path: Path) -> None:
    row = next(entry for entry in listed(call, archived) if entry["access_key"] == NOTE)
    found = []
    for place, name in enumerate((NOTE, f"row:{row['row']}", str(row["sha256"]), " ".join([NOTE[:20], NOTE[20:]]))):
        path = tmp_path / f"{place}.pdf"
        done = call("pdf", name, "--output", path, "--json", "--home", archived)
        assert done.code == 0
        (entry,) = done.json["documents"]
        assert entry == {
            "access_key": NOTE,
            "sha256": row["sha256"],
            "path": str(path),
            "by": "library",
            "why": None,
            "pages": pages(path.read_bytes()),
            "size": path.stat().st_size,
        }
        found.append(path.read_bytes())
    assert len(set(found)) == 1


def test_papers_of_every_kind_have_a_pdf(call: Call, archived: Path, tmp_path: Path) -> None:
    """Three of each kind at most; that every packaged one has its PDF is seen where they are drawn."""
    by_kind: dict[object, list[dict[str, object]]] = {}
    for entry in listed(call, archived):
        by_kind.setdefault(entry["type"], []).append(entry)
    rows = [entry for kind, entries in by_kind.items() if kind != "other" for entry in entries[:3]]
    folder = tmp_path / "all"
    names = [f"row:{entry['row']}" for entry in rows]
    done = call("pdf", *names, "--output", folder, "--json", "--home", archived)
    assert (done.code, done.json["failures"]) == (0, [])
    counts = done.json["counts"]
    assert counts["library"] + counts["own"] == len(rows) == len(list(folder.iterdir()))
    assert min(counts["library"], counts["own"]) > 0
    for entry in done.json["documents"]:
        assert entry["by"] == "library" or entry["why"] or entry["access_key"] is None
        assert Path(entry["path"]).stat().st_size == entry["size"]


def test_a_run_goes_on_where_it_stopped_and_leaves_what_is_there(call: Call, archived: Path, tmp_path: Path) -> None:
    month = ["--month", "2017-07", "--output", str(tmp_path / "month"), "--json", "--home", str(archived)]
    first = call("pdf", *month).json
    assert first["counts"]["already"] == 0
    files = sorted((tmp_path / "month").iterdir())
    assert len(files) == len(first["documents"]) == 2
    files[0].unlink()
    files[1].write_bytes(b"mine")
    again = call("pdf", *month).json
    assert (len(again["documents"]), again["counts"]["already"]) == (1, len(files) - 1)
    assert files[0].is_file()
    assert files[1].read_bytes() == b"mine"


def test_people_are_told_who_drew_them_and_why(call: Call, home: Path, tmp_path: Path) -> None:
    poor = tmp_path / "poor.xml"  # the library looks for the code of the transport
    key = made.access_key(number=77)
    poor.write_text(made.nfe_proc(made.note(key, number="77"), made.protocol(key)), encoding="utf-8")
    assert call("import", poor, "--home", home).code == 0
    done = call("pdf", key, NOTE, "--output", tmp_path / "both", "--home", home)
    assert done.code == 0
    assert "2 PDFs: 1 official form, 1 plain rendering." in done.err
    assert "1 × The library that draws DANFE and DACTE failed on this paper." in done.err
    alone = call("pdf", key, "--output", tmp_path / "alone.pdf", "--home", home)
    assert "failed on this paper" in alone.err


def test_an_event_is_printed_in_the_documents_place(call: Call, home: Path, tmp_path: Path) -> None:
    key = made.access_key(number=78)
    letter = "<descEvento>Carta de Correcao</descEvento><xCorrecao>Leia-se azul</xCorrecao>"
    for name, text in (
        ("note", made.nfe_proc(made.note(key, number="78"), made.protocol(key))),
        ("letter", made.event_proc(key, code="110110", detail=letter)),
    ):
        (tmp_path / f"{name}.xml").write_text(text, encoding="utf-8")
    assert call("import", tmp_path / "note.xml", tmp_path / "letter.xml", "--home", home).code == 0
    done = call("pdf", key, "--event", "1", "--output", tmp_path, "--json", "--home", home)
    assert done.code == 0
    path = tmp_path / f"{key}-cce-1.pdf"
    assert "Leia-se azul" in words(path.read_bytes())
    assert "Papelaria São João Ltda" in words(path.read_bytes())
    wrong = call("pdf", key, "--event", "2", "--home", home)
    assert wrong.code == 2
    assert "There is no event 2: the paper has 1." in wrong.err


def test_the_events_of_a_document_that_is_not_here_are_printed(call: Call, tmp_path: Path) -> None:
    (tmp_path / "alone.xml").write_text(made.event_proc(made.access_key()), encoding="utf-8")
    home = tmp_path / "home"
    assert call("import", tmp_path / "alone.xml", "--home", home).code == 0
    done = call("pdf", made.access_key(), "--output", tmp_path, "--json", "--home", home)
    assert done.code == 0
    assert [Path(entry["path"]).name for entry in done.json["documents"]] == [f"{made.access_key()}-110111-1.pdf"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "Say what to print"),
        ((NOTE, "--month", "2018-08"), "not both"),
        (("--month", "2018-08", "--event", "1"), "--event is for one document"),
        (("no-such-key",), "holds no paper called"),
        (("--month", "1999-01"), "nothing to print"),
    ],
)
def test_wrong_use_is_said(call: Call, archived: Path, given: tuple[str, ...], said: str) -> None:
    done = call("pdf", *given, "--home", archived)
    assert done.code == 2
    assert said in done.err
    assert not done.out


def test_a_kind_that_is_not_printed_is_an_error_alone_and_a_failure_among_others(
    call: Call, tmp_path: Path, archived: Path
) -> None:
    (tmp_path / "other.xml").write_text("<pedido><numero>1</numero></pedido>", encoding="utf-8")
    home = tmp_path / "home"
    call("import", tmp_path / "other.xml", "--home", home)
    done = call("pdf", "1", "--output", tmp_path / "x.pdf", "--home", home)
    assert done.code == 3
    assert "1 has no PDF: There is nothing in this file that could be printed." in done.err
    key = made.access_key()
    (tmp_path / "note.xml").write_text(
        made.nfe_proc(made.note(key, sections="<transp><modFrete>9</modFrete></transp>"), made.protocol(key)),
        encoding="utf-8",
    )
    call("import", tmp_path / "note.xml", "--home", home)
    both = call("pdf", "1", "2", "--output", tmp_path / "both", "--home", home)
    assert both.code == 1
    assert "1 PDF: 1 official form, 0 plain renderings." in both.err
    assert "\n1: There is nothing in this file that could be printed.\n" in both.err
    again = call("pdf", "1", "2", "--output", tmp_path / "both", "--home", home)
    assert "1 was there already and was left as it is." in again.err
    assert not (tmp_path / "x.pdf").exists()


def test_nothing_of_the_pdf_libraries_is_loaded_by_other_commands(child: Call, archived: Path) -> None:
    watch = "import atexit, sys; atexit.register(lambda: print(sorted(set(sys.modules) & {'fpdf', 'brazilfiscalreport'"
    done = child("list", "--home", str(archived), prelude=f"{watch}, 'phonenumbers', 'pypdfium2', 'barcode'}})))")
    assert done.code == 0
    assert done.out.endswith("[]\n")
