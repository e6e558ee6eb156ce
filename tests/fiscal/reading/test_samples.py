"""Every file at hand, packaged or written for the tests, beside what the standard library reads; or a PaperError."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from confere.errors import PaperError
from confere.fiscal import document_models
from confere.fiscal.model import Document
from confere.fiscal.reading.document import read
from tests.corpus.files import Sample
from tests.samples.folder import label, packaged, written

SAMPLES = (*packaged(), *written())


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


@pytest.mark.parametrize("sample", SAMPLES, ids=label)
def test_agrees_with_the_standard_library(sample: Sample) -> None:
    data = sample.data
    paper = read(data)
    documents = [document for document in paper.documents if document.type not in document_models.OTHERS]
    expected = [oracle(name, body) for name, body in bodies(ElementTree.fromstring(data.strip()))]
    if sample.name.endswith("cte-invalido.xml"):  # nothing but a model: no number, no date
        assert [(document.model, document.number) for document in documents] == [("57", None)]
        return
    assert [facts(document) for document in documents] == expected


def test_the_files_are_there() -> None:
    assert len(packaged()) >= 45
    assert len(written()) >= 80


@pytest.mark.parametrize("sample", SAMPLES[::4], ids=label)
def test_a_file_cut_anywhere_is_a_paper_error(sample: Sample) -> None:
    data = sample.data.rstrip()
    for part in range(1, 20):
        with pytest.raises(PaperError):
            read(data[: len(data) * part // 20])
