"""`confere show` in full: everything the paper says, why it stands where it does, and the verdict line by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from confere.app.context import Workspace
from tests.archive.papers import store
from tests.cli.running import Call
from tests.fiscal import made

NOTE, LONG = made.access_key(number=11), made.access_key(number=12)
FREIGHT = made.cte_key()
PAYMENT = "<pag><detPag><tPag>17</tPag><vPag>10.00</vPag></detPag><vTroco>0.50</vTroco></pag>"
BILL = "<cobr><dup><nDup>001</nDup><dVenc>2026-09-07</dVenc><vDup>10.00</vDup></dup></cobr>"
WORDS = "<infAdic><infCpl>Frágil \x9b</infCpl><obsCont xCampo='Vendedor'><xTexto>Ana</xTexto></obsCont></infAdic>"


def note(key: str, *items: str) -> bytes:
    body = made.note(
        key,
        number=str(int(key[25:34])),
        items=items,
        sections=f"<transp><modFrete>0</modFrete></transp>{BILL}{PAYMENT}",
        additional=WORDS,
    )
    return made.nfe_proc(body, made.protocol(key)).encode()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A note with all its parts and a letter of correction, a long one, and a CT-e."""
    folder = tmp_path / "home"
    with Workspace.at(folder).writing("test") as archive:
        store(
            archive,
            note(NOTE, made.item(price="5.1250000000", extra="<vDesc>0.25</vDesc>")),
            note(LONG, *(made.item(number) for number in range(1, 61))),
            made.event_proc(NOTE, code="110110", detail="<xCorrecao>Uma caixa a menos</xCorrecao>").encode(),
            made.cte_proc(made.freight(FREIGHT, documents=[NOTE]), made.protocol(FREIGHT, tag="CTe")).encode(),
        )
    return folder


def test_the_json_has_all_that_the_paper_says(call: Call, home: Path) -> None:
    told = call("show", NOTE, "--home", home, "--json").json
    detail = told["detail"]
    assert detail["payments"][0] | {"fields": []} == {
        "method": "17",
        "amount": "10.00",
        "timing": None,
        "words": None,
        "fields": [],
    }
    assert detail["change"] == "0.50"
    assert detail["billing"]["instalments"] == [{"number": "001", "due_on": "2026-09-07", "amount": "10.00"}]
    (item,) = detail["items"]
    assert (item["item"]["unit_price"], item["discount"], item["item"]["total"]) == ("5.1250000000", "0.25", "10.00")
    (tax,) = item["taxes"]
    assert (tax["name"], tax["group"], tax["cst"], tax["amount"]) == ("ICMS", "ICMS00", "00", "1.80")
    assert {"tag": "vICMS", "text": "1.80"} in tax["fields"]
    assert {"tag": "natOp", "text": "Venda de mercadoria"} in detail["identification"]
    assert detail["words"]["remarks"] == [{"name": "Vendedor", "text": "Ana", "for_authority": False}]
    totals = {group["name"]: group["fields"] for group in detail["totals"]}
    assert {"tag": "vNF", "text": "10.00"} in totals["ICMSTot"]
    assert detail["parties"][0]["address"]["street"] == "Rua das Flores"
    assert told["standing"]["state"] == told["state"] == "authorized"
    assert "cStat 100" in told["standing"]["reason"]
    (event,) = told["events"]
    assert event["text"] == "Uma caixa a menos"
    assert {"tag": "xCorrecao", "text": "Uma caixa a menos"} in event["fields"]
    verdicts = {entry["kind"]: entry for entry in told["verdicts"]}
    assert set(verdicts) == {"document", "event"}
    assert verdicts["document"]["verdict"] != "ok"  # nobody signed it
    assert {"check", "result", "altered", "why"} == verdicts["document"]["lines"][0].keys()


def test_a_freight_says_its_price_and_what_it_carries(call: Call, home: Path) -> None:
    detail = call("show", FREIGHT, "--home", home, "--json").json["detail"]
    assert (detail["service"], detail["service_value"]) == (None, "25.90")
    assert detail["carried"][0]["access_key"] == NOTE
    assert detail["taxes"][0]["amount"] == "3.11"
    shown = call("show", FREIGHT, "--home", home).out
    assert "R$ 25,90" in shown
    assert "Transportes Rápidos" in shown
    assert "R$ 25,90 × 12.00 %  R$ 3,11" in shown


def test_people_read_it_in_words(call: Call, home: Path) -> None:
    shown = call("show", NOTE, "--home", home)
    assert (shown.code, shown.err) == (0, "")
    for words in (
        "Rua das Flores, 1",
        "São Paulo/SP",
        "00 – Taxed in full",
        "R$ 0,25",
        "Pix",
        "Instalment 001",
        "due 2026-09-07  R$ 10,00",
        "Vendedor",
        "Uma caixa a menos",
        "\nAuthenticity\n",
        "cStat 100",
    ):
        assert words in shown.out
    assert "\x9b" not in shown.out


@pytest.mark.parametrize(("given", "count"), [((), 30), (("--items", "2"), 2), (("--items", "all"), 60)])
def test_of_a_long_note_as_many_items_as_one_wants(call: Call, home: Path, given: tuple[str, ...], count: int) -> None:
    shown = call("show", LONG, "--home", home, *given)
    assert shown.code == 0
    assert sum(line.startswith("Item ") for line in shown.out.splitlines()) == count
    assert (f"{count} of 60 items; the others with --items all." in shown.out) is (count < 60)
    assert len(call("show", LONG, "--home", home, "--json", *given).json["detail"]["items"]) == 60


@pytest.mark.parametrize("wrong", ["some", "-1", "", "9" * 40])
def test_another_number_of_items_is_wrong_use(call: Call, home: Path, wrong: str) -> None:
    done = call("show", NOTE, "--home", home, f"--items={wrong}")
    assert (done.code, done.out) == (2, "")
    assert "--items" in done.err


def test_what_is_no_document_has_no_detail(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Workspace.at(home).writing("test") as archive:
        store(archive, b"<something/>", made.event_proc(NOTE).encode())
    other = call("show", "1", "--home", home, "--json").json
    assert (other["detail"], other["verdicts"], other["problems"]) == (None, [], [])
    events = call("show", NOTE, "--home", home, "--json").json
    assert (events["detail"], events["events"][0]["code"]) == (None, "110111")
    assert call("show", NOTE, "--home", home).code == 0


def test_every_sample_is_shown_without_a_fault(call: Call, archived: Path, papers: Path) -> None:
    listed = call("list", "--all", "--home", archived, "--json").json["documents"]
    assert listed
    for entry in listed:
        told = call("show", entry["sha256"], "--home", archived, "--json")
        assert told.code == 0
        if entry["type"] in ("nfe", "nfce", "cte", "cteos"):
            assert told.json["detail"]["identification"]
            assert told.json["problems"] == []
        shown = call("show", entry["sha256"], "--items", "all", "--home", archived)
        assert shown.code == 0


def stored(home: Path, *files: str) -> Path:
    with Workspace.at(home).writing("test") as archive:
        store(archive, *(file.encode() for file in files))
    return home


def facts(text: str) -> dict[str, str]:
    """Each line's label with what stands behind it."""
    lines = (re.split(" {2,}", line.strip(), maxsplit=1) for line in text.splitlines())
    return {line[0]: line[1].strip() for line in lines if len(line) == 2}


def test_a_voiding_says_whose_numbers_and_why(call: Call, tmp_path: Path) -> None:
    asked = (
        f"<cUF>35</cUF><ano>26</ano><CNPJ>{made.EMITTER}</CNPJ><mod>65</mod><serie>3</serie>"
        "<nNFIni>7</nNFIni><nNFFin>9</nNFFin>"
    )
    paper = (
        f'<procInutNFe xmlns="{made.NFE}"><inutNFe><infInut><tpAmb>1</tpAmb><xServ>INUTILIZAR</xServ>{asked}'
        f"<xJust>Salto de numeração</xJust></infInut></inutNFe><retInutNFe><infInut><tpAmb>1</tpAmb>"
        f"<cStat>102</cStat>{asked}<dhRecbto>2026-08-07T12:00:00-03:00</dhRecbto><nProt>135260000000009</nProt>"
        "</infInut></retInutNFe></procInutNFe>"
    )
    shown = call("show", "1", "--home", stored(tmp_path / "home", paper)).out
    told = facts(shown)
    assert "Nature" not in told
    assert shown.count("Salto de numeração") == 1
    assert (
        told
        | {
            "Emitter": "11.222.333/0001-81",
            "Model": "65 – NFC-e",
            "Series": "3",
            "Year": "2026",
            "Numbers": "7 to 9",
            "Reason": "Salto de numeração",
        }
        == told
    )


def test_what_is_not_read_tells_its_root_element(call: Call, tmp_path: Path) -> None:
    told = facts(call("show", "1", "--home", stored(tmp_path / "home", "<pedido><numero>1</numero></pedido>")).out)
    assert told["Root element"] == "pedido"
    assert "Nature" not in told


def test_an_event_tells_its_words_once_and_no_tags(call: Call, tmp_path: Path) -> None:
    letter = (
        "<descEvento>Carta de Correcao</descEvento><xCorrecao>Uma caixa a menos</xCorrecao>"
        "<xCondUso>A Carta de Correcao e disciplinada</xCondUso>"
    )
    cancelled = (
        "<descEvento>Cancelamento</descEvento><nProt>135260000000001</nProt><xJust>Desistência do comprador</xJust>"
    )
    home = stored(
        tmp_path / "home",
        made.event_proc(NOTE, code="110110", detail=letter),
        made.event_proc(NOTE, detail=cancelled),
    )
    shown = call("show", NOTE, "--home", home).out
    told = facts(shown)
    assert told["Correction"] == "Uma caixa a menos"
    assert told["Conditions of use"] == "A Carta de Correcao e disciplinada"
    assert told["Reason"] == "Desistência do comprador"
    assert told["Protocol of the document"] == "135260000000001"
    for once in ("Uma caixa a menos", "Desistência do comprador"):
        assert shown.count(once) == 1
    for tag in ("versao", "descEvento", "nProt", "xCorrecao", "xCondUso", "Text "):
        assert tag not in shown


def test_a_freights_letter_is_told_line_by_line(call: Call, tmp_path: Path) -> None:
    letter = (
        "<evCCeCTe><descEvento>Carta de Correcao</descEvento>"
        "<infCorrecao><grupoAlterado>ide</grupoAlterado><campoAlterado>cfop</campoAlterado>"
        "<valorAlterado>6353</valorAlterado><nroItemAlterado>2</nroItemAlterado></infCorrecao>"
        "<infCorrecao><grupoAlterado>compl</grupoAlterado><campoAlterado>xObs</campoAlterado>"
        "<valorAlterado>Frágil</valorAlterado></infCorrecao><xCondUso>Condições</xCondUso></evCCeCTe>"
    )
    home = stored(tmp_path / "home", made.event_proc(FREIGHT, code="110110", tag="CTe", detail=letter))
    shown = call("show", FREIGHT, "--home", home).out
    assert "ide/cfop (2): 6353" in shown
    assert "compl/xObs: Frágil" in shown
    assert (shown.count("6353"), shown.count("Frágil")) == (1, 1)
    assert facts(shown)["Conditions of use"] == "Condições"
    fields = call("show", FREIGHT, "--home", home, "--json").json["events"][0]["fields"]
    assert {"tag": "evCCeCTe/infCorrecao/nroItemAlterado", "text": "2"} in fields


def test_the_papers_of_a_freight_are_told_once(call: Call, home: Path, tmp_path: Path) -> None:
    shown = call("show", FREIGHT, "--home", home).out
    table = shown[shown.index("Carries") :].split("\n\n")[0]
    assert table.count(NOTE) == 1
    assert [word for word in ("Further", "Value", "Expected on") if word in table] == []
    key = made.cte_key(number=78)
    other = (
        "<infOutros><tpDoc>99</tpDoc><descOutros>Romaneio</descOutros><nDoc>4711</nDoc><vDocFisc>12.30</vDocFisc>"
        "</infOutros>"
    )
    paper = made.cte_proc(
        made.freight(key, documents=[NOTE]).replace("</infDoc>", f"{other}</infDoc>"), made.protocol(key, tag="CTe")
    )
    table = call("show", key, "--home", stored(tmp_path / "other", paper)).out
    table = table[table.index("Carries") :].split("\n\n")[0]
    (line,) = [line for line in table.splitlines() if "4711" in line]
    assert line.count("4711") == 1
    assert line.count("12") == 1
    assert "R$ 12,30" in line
    assert "Romaneio" in line
    assert "Further" in table
    assert "Expected on" not in table


REFORM = (
    "<IBSCBSTot><vBCIBSCBS>10.00</vBCIBSCBS><gIBS><gIBSUF><vDif>0.10</vDif><vIBSUF>1234.50</vIBSUF></gIBSUF>"
    "<gIBSMun><vDif>0.20</vDif><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.02</vIBS><vCredPres>0.01</vCredPres></gIBS>"
    "<gCBS><vDif>0.00</vDif><vCBS>0.09</vCBS><vCredPres>0.00</vCredPres></gCBS></IBSCBSTot>"
)


def test_totals_have_names_and_money_and_no_zeros(call: Call, tmp_path: Path) -> None:
    key = made.access_key(number=13)
    body = made.note(key, number="13").replace("</ICMSTot>", f"</ICMSTot>{REFORM}")
    home = stored(tmp_path / "home", made.nfe_proc(body, made.protocol(key)))
    shown = call("show", key, "--home", home).out
    totals = shown[shown.index("\nTotals\n") : shown.index("\nAll fields\n")]
    told = facts(totals)
    assert told["Amount deferred (State IBS)"] == "R$ 0,10"
    assert told["Amount deferred (Municipal IBS)"] == "R$ 0,20"
    assert told["State IBS amount"] == "R$ 1.234,50"
    assert "Municipal IBS amount" not in told
    assert told["Amount of the presumed credit (IBS totals)"] == "R$ 0,01"  # the other one is zero, and still another
    assert "gIBS" not in totals
    fields = dict(call("show", key, "--home", home, "--json").json["detail"]["totals"][1]).pop("fields")
    assert {"tag": "gCBS/vDif", "text": "0.00"} in fields


KILLED = """
import os
from confere.system.files import atomic_file
atomic_file.os.fsync = lambda _: os.kill(os.getpid(), 9) if os.name == "posix" else os._exit(9)
"""


def test_a_kill_while_the_xml_is_written_leaves_no_half_file(home: Path, tmp_path: Path, child: Call) -> None:
    path = tmp_path / "note.xml"
    arguments = ("show", NOTE, "--xml", "--output", path, "--home", home)
    assert child(*arguments, prelude=KILLED).code in (-9, 9)
    assert not path.exists()
    assert child(*arguments).code == 0
    assert path.read_bytes().startswith(b"<")
    assert child(*arguments).code == 2  # what is there stays
