"""A recorder's file holds no value of the account's, everything in it agrees, and a hub replayed from it syncs."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.context import EMBEDDED, Workspace
from confere.archive.documents import documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.fiscal import access_keys, taxpayers
from confere.fiscal.anonymization.text import PROTOCOL
from confere.hub.session import HubSession
from confere.hub.traits.anonymized_answers import FORMAT, Anonymiser, recording_file
from confere.hub.traits.recording import RecordedAnswer, Recording
from confere.hub.traits.sampling import Samples, sample
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.hub.json.test_json_reader import JSON
from tests.hub.replayed import ReplayedHub
from tests.intake.served import serving

# What a paper says in codes of the law: these stay.
_CODES = """
tpAmb mod tpNF idDest tpImp tpEmis finNFe indFinal indPres indIntermed procEmi CFOP CST CSOSN orig modBC modFrete
cUF UF UFIni UFFim cStat tpEvento verEvento descEvento xEvento nSeqEvento CRT indIEDest cPais xPais NCM uCom uTrib
indTot tPag indPag tpCTe tpServ modal toma versao cOrgao tpAutor retira indIEToma indGlobalizado cfop ncm
"""
CODES = set(_CODES.split())
PROTOCOL_WORDS = {word for entry in PROTOCOL for word in entry.split("_")}
ATTRIBUTES = {"versao", "versaoModal", "Algorithm", "nItem"}
WHEN = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?")
ADDRESS = "https://hub.example.com/v2"


def leaves(data: bytes) -> Iterator[tuple[str, Any]]:
    """Each value of a JSON or an XML, read by another reader than the program's, with the name it stands under."""
    try:
        yield from _json_leaves("", json.loads(data, parse_float=Decimal))
        return
    except ValueError:
        pass
    if data[:2] == b"\x1f\x8b":  # packed bytes begin alike wherever the text in them does: the text is what counts
        yield from leaves(gzip.decompress(data))
        return
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError:
        yield "", data.decode("utf-8", "replace")
        return
    for element in root.iter():
        yield element.tag.rpartition("}")[2], element.text or ""
        for name, value in element.attrib.items():
            yield (name if name not in ATTRIBUTES else "versao"), value


def _json_leaves(name: str, value: object) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for inner, held in value.items():
            yield from _json_leaves("paging" if name == "page" else inner, held)
    elif isinstance(value, list):
        for held in value:
            yield from _json_leaves(name, held)
    elif isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9+/]{200,}=*", value):
        yield from leaves(base64.b64decode(value))
    elif value is not None and not isinstance(value, bool):
        yield name, value


def values(bodies: list[bytes]) -> tuple[set[str], set[Decimal]]:
    """Texts of four characters and more, and amounts, that say something of somebody."""
    texts: set[str] = set()
    amounts: set[Decimal] = set()
    for body in bodies:
        for name, value in leaves(body):
            if name in CODES or name == "paging":
                continue
            if isinstance(value, Decimal):
                amounts.add(value.normalize())
            elif isinstance(value, str) and re.fullmatch(r"\d+\.\d{2,}", value):
                amounts.add(Decimal(value).normalize())
            else:
                texts.add(WHEN.sub(" ", str(value)).strip())
    small = {amount for amount in amounts if amount == amount.to_integral_value() and amount < 1000}
    return {text for text in texts if len(text) >= 4}, amounts - small  # a quantity of 2 is nobody's


def words(texts: set[str]) -> set[str]:
    """Words of three letters or four digits and more, without zeros in front, apart from what is the protocol's."""
    found = {word.casefold().lstrip("0") for text in texts for word in re.findall(r"[^\W_]+", text)}
    return {word for word in found if len(word) >= (4 if not word.isalpha() else 3)} - PROTOCOL_WORDS


def bodies_of(file: Path) -> list[bytes]:
    told = json.loads(file.read_text(encoding="utf-8"))["answers"]
    return [
        base64.b64decode(entry["base64"]) if "base64" in entry else entry.get("body", "").encode() for entry in told
    ]


def hold_nothing_of(file: Path, answers: tuple[RecordedAnswer, ...]) -> None:
    """Neither a text, nor a word of one, nor an amount of the answers stands in the file."""
    texts, amounts = values([answer.body for answer in answers])
    made_texts, made_amounts = values(bodies_of(file))
    assert len(texts) > 10
    assert amounts & made_amounts == set()
    protocol = {text for text in texts if text.casefold() in PROTOCOL or not words({text})}
    assert (texts - protocol) & made_texts == set()
    assert words(texts) & words(made_texts) == set()
    whole = file.read_text(encoding="utf-8")
    assert [text for text in texts - protocol if len(text) >= 10 and json.dumps(text)[1:-1] in whole] == []


@pytest.fixture(scope="module")
def sampled() -> Samples:
    with (
        running(SandboxOptions(documents=120, seed=5)) as hub,
        HubSession(hub.address, hub.token, "test") as session,
    ):
        return sample(session)


@pytest.fixture(scope="module")
def file(sampled: Samples, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded") / "hub.json"
    address = "http://127.0.0.1:1/v2"
    path.write_text(recording_file(sampled.answers, Anonymiser(sampled.answers, address), sampled.trimmed))
    return path


def test_no_value_of_a_world_is_in_its_recording(sampled: Samples, file: Path) -> None:
    hold_nothing_of(file, sampled.answers)
    told = json.loads(file.read_text())
    assert list(told)[:2] == ["about", "format"]
    assert told["format"] == FORMAT
    assert {entry["status"] for entry in told["answers"]} == {200, 400, 404}
    kinds = {entry["path"].split("/")[1] for entry in told["answers"]}
    assert kinds == {"fiscalDocuments", "orders", "returns"}
    assert (sampled.documents > 15, sampled.files > sampled.documents, sampled.orders > 5) == (True, True, True)


def test_everything_in_a_recording_agrees(file: Path) -> None:
    found = 0
    for body in bodies_of(file):
        if not body.startswith(b"<"):
            continue
        root = ElementTree.fromstring(body)
        spaced = {"n": root.tag[1:].partition("}")[0]}
        info = root.find("n:NFe/n:infNFe", spaced)
        if info is None:
            continue
        parts = access_keys.parse(info.attrib["Id"].removeprefix("NFe"))
        assert parts is not None and parts.check_digit_holds
        said = {name: info.findtext(f"n:{name}", "", spaced) for name in ("ide/n:nNF", "ide/n:serie", "ide/n:dhEmi")}
        assert parts.number == int(said["ide/n:nNF"])
        assert parts.series == int(said["ide/n:serie"])
        assert parts.period == said["ide/n:dhEmi"][:7]
        assert parts.emitter == info.findtext("n:emit/n:CNPJ", "", spaced)
        buyer = info.findtext("n:dest/n:CPF", "", spaced)
        assert not buyer or taxpayers.is_cpf(buyer)
        found += 1
    assert found > 10


def test_a_hub_replayed_from_a_recording_syncs(sampled: Samples, file: Path, tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "home")
    with serving(ReplayedHub(file)) as hub:
        accounts.add(workspace, NewAccount("replayed", hub.address, "test", EMBEDDED), "token-of-a-test")
        result = sync_accounts(workspace)
        assert (result.listed, result.new, result.downloaded) == (sampled.documents, sampled.documents, sampled.files)
        assert (result.failures, result.stopped) == ([], False)
        assert result.orders is not None and result.orders.listed == sampled.orders
        quiet = sync_accounts(workspace)
        assert (quiet.downloaded, quiet.new, quiet.updated) == (0, 0, 0)
    with workspace.reading() as archive, archive.reading() as transaction:
        assert documents.summary(transaction, DocumentQuery()).count == sampled.documents
        keyed = transaction.fetch("SELECT access_key FROM hub_document")
        assert {row[0] for row in keyed} <= {row.access_key for row in documents.walk(transaction, DocumentQuery())}


KEY = "35261011222333000181550010000000071000000071"
PLANTED_XML = (
    '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe>'
    f'<infNFe Id="NFe{KEY}" versao="4.00"><ide><cUF>35</cUF><natOp>Venda para Zuleica</natOp><mod>55</mod>'
    "<serie>1</serie><nNF>7</nNF><dhEmi>2026-10-31T22:00:00-03:00</dhEmi><tpNF>1</tpNF></ide>"
    "<emit><CNPJ>11222333000181</CNPJ><xNome>Ferragens Tupã</xNome><IE>110042490114</IE></emit>"
    "<dest><CPF>11144477735</CPF><xNome>Li Wu</xNome><enderDest><xLgr>Rua Girassol</xLgr><nro>4711</nro>"
    "<CEP>05433001</CEP><UF>SP</UF></enderDest></dest><det nItem=\"1\"><prod><cProd>SKU-77</cProd>"
    "<xProd>Furadeira Bravata</xProd><CFOP>5102</CFOP><vProd>1234.50</vProd><xPed>MA-7</xPed></prod></det>"
    "<infAdic><infCpl>Pedido MA-7 / 2000003508419013 de ZULEICA, CPF 111.444.777-35, fone (11) 98888-7766,"
    " zuleica@correio.net; R$ 1.234,50 em 31/10/2026</infCpl></infAdic></infNFe></NFe></nfeProc>"
).encode()  # fmt: skip


def planted() -> tuple[RecordedAnswer, ...]:
    """A small account with the same values in many places and forms."""
    record = {
        "id": "doc-90210-x",
        "documentKey": KEY,
        "createdAt": "2026-10-31T22:00:00-03:00",
        "orderId": 2000003508419013,
        "metadata": {"number": 7, "emitter": "11222333000181", "external": "SALE-sale-2000003508419013-1"},
        "documents": [{"type": "AUTHORIZATION", "path": f"{ADDRESS}/fiscalDocuments/download/doc-90210-x"}],
    }
    order = {
        "id": 2000003508419013,
        "marketPlaceNumber": "MA-7",
        "total": 1234.5,
        "gross": 1200,
        "freight": 34,
        "buyer": {"name": "Zuleica", "document": "***.444.777-**", "email": "zuleica@correio.net"},
        "payments": [{"method": "PIX", "value": "1234.50"}],
        "variations": {"Cor da Zuleica": "Azul"},
        "placedAt": 1793491200000,
        "note": "Rua Girassol, 4711",
    }
    wrapped = {"file": base64.b64encode(PLANTED_XML).decode()}

    def answer(path: str, body: bytes, status: int = 200, **query: str) -> RecordedAnswer:
        return RecordedAnswer(path, query, status, {"content-type": "x", "set-cookie": "zuleica=1"}, body)

    return (
        answer("/fiscalDocuments", json.dumps({"content": [record], "page": {"totalElements": 1234}}).encode()),
        answer("/fiscalDocuments/doc-90210-x", json.dumps({"data": record}).encode()),
        answer("/fiscalDocuments/download/doc-90210-x", PLANTED_XML),
        answer("/fiscalDocuments/download/again", gzip.compress(PLANTED_XML)),
        answer("/fiscalDocuments/download/wrapped", json.dumps(wrapped).encode()),
        answer("/fiscalDocuments/download/noise", bytes(range(128, 256))),
        answer("/orders", json.dumps([order]).encode(), createdAfter="2026-10-31T22:00:00-03:00"),
        answer("/orders/2000003508419013", b"<html><body>Zuleica</body>", 404),
    )


def test_planted_values_are_nowhere_and_their_replacements_agree_everywhere(tmp_path: Path) -> None:
    answers = planted()
    path = tmp_path / "planted.json"
    path.write_text(recording_file(answers, Anonymiser(answers, ADDRESS, private=["loja"]), {}), encoding="utf-8")
    hold_nothing_of(path, answers)
    text = path.read_text(encoding="utf-8").casefold()
    found = (
        "zuleica tupã girassol furadeira bravata correio 4711 05433001 110042490114 11144477735 111.444.777 444.777"
        " 98888 7766 1234.5 1.234,50 1200 2000003508419013 ma-7 sku-77 90210 li*wu hub.example.com 11222333 2026-10"
    )
    whole = (rf"(?<![0-9a-z]){re.escape(word.replace('*', ' '))}(?![0-9a-z])" for word in found.split())
    assert [word for word in whole if re.search(word, text)] == []

    told = json.loads(path.read_text(encoding="utf-8"))["answers"]
    listed = json.loads(told[0]["body"])
    record, detail = listed["content"][0], json.loads(told[1]["body"])["data"]
    assert record == detail
    assert listed["page"] == {"totalElements": 1234}
    assert told[1]["path"] == f"/fiscalDocuments/{record['id']}"
    assert record["documents"][0]["path"] == f"{{base}}/fiscalDocuments/download/{record['id']}"
    order = json.loads(told[6]["body"])[0]
    number = str(order["id"])
    assert number == str(record["orderId"])
    assert record["metadata"]["external"] == f"SALE-sale-{number}-1"
    assert told[7]["path"] == f"/orders/{number}"
    assert told[6]["query"]["createdAfter"] == record["createdAt"]
    assert told[5]["omitted"] == "128 bytes that are no text"
    assert told[0]["headers"] == {"content-type": "x", "set-cookie": ""}

    xml = told[2]["body"]
    assert gzip.decompress(base64.b64decode(told[3]["base64"])).decode() == xml
    assert base64.b64decode(json.loads(told[4]["body"])["file"]).decode() == xml
    root = ElementTree.fromstring(xml.encode())
    one = {element.tag.rpartition("}")[2]: element.text or "" for element in root.iter()}
    assert root.find(".//{*}infNFe").attrib["Id"] == f"NFe{record['documentKey']}"  # type: ignore[union-attr]
    assert (one["CFOP"], one["UF"], one["mod"]) == ("5102", "SP", "55")
    assert one["xPed"] == order["marketPlaceNumber"]
    assert f"{one['xPed']} / {number} " in one["infCpl"]
    assert f"{one['CPF'][:3]}.{one['CPF'][3:6]}.{one['CPF'][6:9]}-{one['CPF'][9:]}" in one["infCpl"]
    assert order["buyer"]["document"] == f"***.{one['CPF'][3:6]}.{one['CPF'][6:9]}-**"
    assert order["buyer"]["email"] in one["infCpl"]
    assert order["buyer"]["name"].upper() in one["infCpl"]
    assert Decimal(str(order["total"])) == Decimal(one["vProd"]) == Decimal(order["payments"][0]["value"])
    assert one["dhEmi"] == record["createdAt"]
    day = one["dhEmi"][8:10] + "/" + one["dhEmi"][5:7] + "/" + one["dhEmi"][:4]
    assert day in one["infCpl"]


@settings(max_examples=60)
@given(st.recursive(JSON, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12))
def test_no_json_is_too_odd_for_it(value: object) -> None:
    answers = (RecordedAnswer("/orders", {"limit": "5"}, 200, {}, json.dumps(value).encode()),)
    (told,) = json.loads(recording_file(answers, Anonymiser(answers, ADDRESS), {}))["answers"]
    made = json.loads(told["body"])
    assert type(made) is type(value) or isinstance(value, int | float)
    if isinstance(value, str) and len(re.findall(r"[A-Za-z]", value)) > 3 and value.casefold() not in PROTOCOL:
        assert made != value


@settings(max_examples=60)
@given(st.binary(max_size=300))
def test_no_bytes_are_too_odd_for_it(body: bytes) -> None:
    answers = (RecordedAnswer("/fiscalDocuments/download/x", {}, 200, {}, body),)
    assert json.loads(recording_file(answers, Anonymiser(answers, ADDRESS), {}))["answers"][0]["status"] == 200


def test_a_tax_id_and_a_telephone_in_groups_do_not_stay() -> None:
    told = {"cpf": "529 982 247 25", "phone": "+55 11 345 678 901", "few": "10 20 30"}
    found = RecordedAnswer("/orders", {}, 200, {}, json.dumps(told).encode())
    made = json.loads(Anonymiser([found], ADDRESS).answer(found)["body"])
    for name in ("cpf", "phone"):
        assert made[name] != told[name]
        assert [len(part) for part in made[name].split()] == [len(part) for part in told[name].split()]
        assert not any(part in made[name] for part in ("529 982", "982 247", "345 678", "678 901"))
    assert made["few"] == told["few"]


def test_replacements_are_made_anew_each_time() -> None:
    answers = planted()
    assert recording_file(answers, Anonymiser(answers, ADDRESS), {}) != recording_file(
        answers, Anonymiser(answers, ADDRESS), {}
    )


def test_a_recording_is_bounded() -> None:
    kept = Recording(most_bytes=10)
    for size in (6, 6, 4):
        kept.keep(f"/{size}", {}, _Answer(b"x" * size))  # type: ignore[arg-type]
    kept.keep("/6", {}, _Answer(b"again"))  # type: ignore[arg-type]
    assert [answer.path for answer in kept.answers] == ["/6", "/4"]
    kept.keep("/7", {}, _Answer(b"x"))  # type: ignore[arg-type]
    assert kept.left_out == 1


class _Answer:
    status = 200
    headers: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, body: bytes) -> None:
        self.body = body
