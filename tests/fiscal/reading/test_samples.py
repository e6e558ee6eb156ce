"""Every real file at hand: nothing but a PaperError, and agreement with two independent readings of the same files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import nfelib
import pytest

from confere.errors import PaperError
from confere.fiscal import document_models
from confere.fiscal.model import Document, DocumentType, Event, Paper
from confere.fiscal.reading.document import read
from confere.fiscal.warnings import Trait
from tests.conftest import ROOT

PACKAGED = sorted(path for path in Path(nfelib.__file__).parent.rglob("samples/**/*") if path.suffix.lower() == ".xml")
FOLDER = ROOT.parent / "shared" / "samples"
SHARED = sorted(path for path in FOLDER.rglob("*") if path.suffix.lower() == ".xml")


# -- an independent reading by the standard library ------------------------------------------------------


def texts(element: ElementTree.Element | None, path: str) -> list[str]:
    if element is None:
        return []
    found = element.findall("/".join(f"{{*}}{step}" if step[0] not in ".*@" else step for step in path.split("/")))
    return [(entry.text or "").strip() for entry in found if (entry.text or "").strip()]


def text(element: ElementTree.Element | None, *paths: str) -> str | None:
    return next((value for path in paths for value in texts(element, path)), None)


def centavos(value: str | None) -> int | None:
    return None if value is None else int(Decimal(value) * 100)


def bodies(root: ElementTree.Element) -> Iterator[tuple[str, ElementTree.Element]]:
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        if name in ("infNFe", "infCte") and element.find("{*}ide") is not None:
            yield name, element


def facts(document: Document) -> dict[str, object]:
    emitter, recipient = document.party("emitter"), document.party("recipient")
    return {
        "number": document.number,
        "series": document.series,
        "issued_at": document.issued_at,
        "operation": document.operation,
        "layout": document.layout,
        "total": document.totals.document,
        "with_reform": document.totals.with_reform,
        "emitter": (emitter.tax_id, emitter.name, emitter.uf) if emitter else None,
        "recipient": (recipient.tax_id, recipient.name, recipient.city) if recipient else None,
        "items": [
            (item.number, item.code, item.description, item.cfop, item.quantity, item.total_cents)
            for item in document.items
        ],
        "cfops": document.cfops,
        "references": {reference.access_key for reference in document.references},
        "notes": document.notes,
    }


def oracle(name: str, body: ElementTree.Element) -> dict[str, object]:
    emit, dest = body.find("{*}emit"), body.find("{*}dest")
    emitter = (text(emit, "CNPJ", "CPF"), text(emit, "xNome"), text(emit, "enderEmit/UF"))
    recipient = (text(dest, "CNPJ", "CPF", "idEstrangeiro"), text(dest, "xNome"), text(dest, "enderDest/xMun"))
    found: dict[str, object] = {
        "number": int(text(body, "ide/nNF", "ide/nCT") or -1),
        "series": int(text(body, "ide/serie") or -1),
        "issued_at": text(body, "ide/dhEmi", "ide/dEmi"),
        "operation": text(body, "ide/natOp"),
        "layout": body.get("versao"),
        "emitter": emitter if emit is not None else None,
        "recipient": recipient if dest is not None else None,
    }
    if name == "infNFe":
        items = [
            (
                int(detail.get("nItem", "")),
                text(detail, "prod/cProd"),
                text(detail, "prod/xProd"),
                text(detail, "prod/CFOP"),
                Decimal(text(detail, "prod/qCom") or "NaN"),
                centavos(text(detail, "prod/vProd")),
            )
            for detail in body.findall("{*}det")
        ]
        references = [key for tag in ("refNFe", "refNFeSig", "refCTe") for key in texts(body, f"ide/NFref/{tag}")]
        return {
            **found,
            "total": centavos(text(body, "total/ICMSTot/vNF")),
            "with_reform": centavos(text(body, "total/vNFTot")),
            "items": items,
            "cfops": tuple(dict.fromkeys(texts(body, "det/prod/CFOP"))),
            "references": set(references),
            "notes": text(body, "infAdic/infCpl"),
        }
    carried = texts(body, "infCTeNorm/infDoc/infNFe/chave") + texts(body, "rem/infNFe/chave")
    return {
        **found,
        "total": centavos(text(body, "vPrest/vTPrest")),
        "with_reform": centavos(text(body, "imp/vTotDFe")),
        "items": [],
        "cfops": tuple(texts(body, "ide/CFOP")),
        "references": set(carried),
        "notes": text(body, "compl/xObs"),
    }


@pytest.mark.parametrize("path", [*PACKAGED, *SHARED], ids=lambda path: path.name[-60:])
def test_agrees_with_the_standard_library(path: Path) -> None:
    data = path.read_bytes()
    paper = read(data)
    documents = [document for document in paper.documents if document.type not in document_models.OTHERS]
    expected = [oracle(name, body) for name, body in bodies(ElementTree.fromstring(data.strip()))]
    if path.name.endswith("cte-invalido.xml"):  # nothing but a model: no number, no date
        assert [(document.model, document.number) for document in documents] == [("57", None)]
        return
    assert [facts(document) for document in documents] == expected


def test_the_packaged_files_are_there() -> None:
    assert len(PACKAGED) >= 45


# -- the second opinion that comes with the shared files -------------------------------------------------

FIELDS = {"cUF": "uf", "AAMM": "issued_at", "CNPJ": "emitter", "mod": "model", "serie": "series", "num": "number"}

# (end of the file's name, column) -> why the manifest is not followed
EXPLAINED = {
    ("retConsSitNFe__cancelado.xml", "event_target"): "manifest skips retCancNFe: an answer to a legacy cancellation",
    ("retConsSitNFe__cancelado.xml", "tpEvento"): "the same: we name what a legacy cancellation amounts to",
    **dict.fromkeys(
        (("8bd8-d3aff2a6c16f_cancel.xml", column) for column in ("event_target", "tpEvento", "emit")),
        "manifest does not look into events of NFS-e",
    ),
    ("testSituacaoCanceladoReponseSOAP.xml", "cStat"): "manifest gives the note's protocol, we the event's answer",
    ("51160624686092000173570010000000031000000020-cte.XML", "refs"): "`paper` is infOutros/descOutros, not a key",
}


def of_document(document: Document, row: dict[str, str]) -> Iterator[tuple[str, object, object]]:
    """Columns of the manifest beside what we read."""
    warned = {warning.code: warning.detail for warning in document.warnings}
    emitter, recipient = document.party("emitter"), document.party("recipient")
    yield "key", row["key"], document.access_key or ""
    yield "model", row["model"], document.model or ""
    yield "version", row["version"], document.layout or ""
    yield "tpAmb", row["tpAmb"], document.environment or ""
    yield "cStat", row["cStat"], (document.protocol.cstat if document.protocol else "") or ""
    yield "dhEmi", row["dhEmi"], document.issued_at or ""
    yield "emit", row["emit"], (emitter.tax_id if emitter else "") or ""
    yield "dest", row["dest"].removeprefix("idE:"), (recipient.tax_id if recipient else "") or ""
    yield "items", row["items"] or "0", str(len(document.items))
    if row["key"]:
        length = warned.get(Trait.KEY_LENGTH)
        held = f"len{length}" if length else "BAD" if Trait.BAD_CHECK_DIGIT in warned else "ok"
        yield "key_dv", row["key_dv"], held
    if row["id_matches_fields"]:
        theirs = row["id_matches_fields"].removeprefix("diff:").replace("ok", "")
        ours = [name for name in warned.get(Trait.KEY_FIELDS_DIFFER, "").split(", ") if name and name != "code"]
        yield "id_matches_fields", [FIELDS[name] for name in theirs.split(",") if name], ours
    if document.type is not DocumentType.MDFE:  # it has no value, and the manifest names none of its documents
        total = document.totals.document
        yield "total", row["total"], "" if total is None else f"{total // 100}.{total % 100:02d}"
        theirs_keys = [reference.partition(":")[2] for reference in row["refs"].split(" | ") if reference]
        yield "refs", list(dict.fromkeys(theirs_keys)), [reference.access_key for reference in document.references]


def of_event(event: Event, row: dict[str, str]) -> Iterator[tuple[str, object, object]]:
    yield "event_target", row["event_target"], event.access_key
    yield "tpEvento", row["tpEvento"], event.code
    yield "cStat", row["cStat"], event.cstat or ""
    yield "emit", row["emit"], event.author or ""


def compared(paper: Paper, row: dict[str, str]) -> Iterator[tuple[str, object, object]]:
    yield "root", row["root"], paper.root
    yield "n_docs", row["n_docs"], str(len(paper.documents))
    if paper.documents:
        yield from of_document(paper.documents[0], row)
    elif paper.events:
        yield from of_event(paper.events[0], row)
    elif paper.voidings:
        voiding = paper.voidings[0]
        yield "refs", row["refs"].rpartition(" ")[2], f"{voiding.first}-{voiding.last}"
        yield "emit", row["emit"], voiding.emitter
        yield "cStat", row["cStat"], voiding.cstat or ""
    else:
        yield "event_target", row["event_target"], ""


def test_agrees_with_the_manifest_or_says_why_not() -> None:
    if not FOLDER.is_dir():
        assert SHARED == []  # a clone without the shared files: the packaged ones above stand for them
        return
    with (FOLDER / "manifest.tsv").open(encoding="utf-8", newline="") as manifest:
        rows = list(csv.DictReader(manifest, delimiter="\t"))
    assert len(rows) == len(SHARED)
    explained: set[tuple[str, str]] = set()
    unexplained = []
    for row in rows:
        for column, theirs, ours in compared(read((FOLDER / row["file"]).read_bytes()), row):
            if theirs == ours:
                continue
            reason = next((known for known in EXPLAINED if row["file"].endswith(known[0]) and column == known[1]), None)
            print(f"{row['file']}: {column}: manifest {theirs!r}, ours {ours!r}: {EXPLAINED.get(reason or ('', ''))}")
            if reason is None:
                unexplained.append((row["file"], column, theirs, ours))
            else:
                explained.add(reason)
    assert unexplained == []
    assert explained == set(EXPLAINED)


@pytest.mark.parametrize("path", [*PACKAGED, *SHARED][::4], ids=lambda path: path.name[-60:])
def test_a_file_cut_anywhere_is_a_paper_error(path: Path) -> None:
    data = path.read_bytes().rstrip()
    for part in range(1, 20):
        with pytest.raises(PaperError):
            read(data[: len(data) * part // 20])
