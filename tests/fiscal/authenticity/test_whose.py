"""Whose a paper is: what is shown is what is judged, and nobody speaks for another."""

from __future__ import annotations

import pytest

from confere.fiscal.access_keys import check_digit
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result
from confere.fiscal.reading.document import read
from confere.fiscal.warnings import Trait
from sandbox_hub.paper.authority import Authority
from sandbox_hub.paper.facts import Taxpayer
from tests.fiscal.authenticity.judged import inside, one, told
from tests.fiscal.authenticity.signing import KEY, NFE, Way, body, note, rsa, signature
from tests.sandbox_hub.paper.cases import CARRIER, NORMAL

NOTE = "note: sale between states, 2026"


def test_whose_number_is_shown_is_whose_is_judged(authority: Authority, sandbox_trust: Trust) -> None:
    """A holder signs in good order a paper that names him where a judge looks, and another where a reader does."""
    mine, another = "<CNPJ>11222333000181</CNPJ>", "<CNPJ>60746948000112</CNPJ>"
    signer = authority.signer(NORMAL)
    for content in (
        f"<emit>{mine}</emit><emit>{another}</emit>",
        f"<emit>{another}</emit><emit>{mine}</emit>",
        f"<emit><CPF>52998224725</CPF>{mine}</emit>",
        f"<emit><a>{another}</a>{mine}</emit>",
        f"<emit>{mine}{another}</emit>",
    ):
        ide = f"<ide><mod>55</mod><serie>1</serie></ide>{content}"
        made = signature(body(ide), rsa(signer), [signer.certificate_base64])
        data = note(body(ide, declared="") + made)
        (emitter,) = (party.tax_id for party in read(data).documents[0].parties if party.role == "emitter")
        expected = Result.OK if emitter == "11222333000181" else Result.FAILED
        assert one(data, sandbox_trust)[Check.SIGNER].result is expected, content
    twice = "<ide><tpAmb>1</tpAmb></ide><emit><CNPJ>1</CNPJ></emit><ide><tpAmb>2</tpAmb></ide>"
    data = note(body(twice, declared=""))
    assert read(data).documents[0].environment == "2"
    assert one(data, sandbox_trust, World.PRODUCTION)[Check.ENVIRONMENT].result is Result.TEST


def test_the_key_of_a_note_that_the_authority_issues_is_the_authoritys(sandbox_trust: Trust) -> None:
    head = KEY[:6] + "60746948000112" + "55" + "890" + KEY[25:43]
    key = head + check_digit(head)
    ide = "<ide><mod>55</mod><serie>890</serie></ide><emit><CPF>52998224725</CPF></emit>"
    data = note(body(ide, f'Id="NFe{key}" versao="4.00"', declared=""))
    assert one(data, sandbox_trust)[Check.KEY_FIELDS].result is Result.UNCHECKED
    assert Trait.KEY_FIELDS_DIFFER not in {warning.code for warning in read(data).documents[0].warnings}
    wrong = ide.replace("<mod>", "<cUF>33</cUF><mod>")
    line = one(note(body(wrong, f'Id="NFe{key}" versao="4.00"', declared="")), sandbox_trust)[Check.KEY_FIELDS]
    assert told(line) == (Result.FAILED, "These fields disagree with the key: cUF, CNPJ.")


def event(authority: Authority, who: Taxpayer, code: str, author: str, key: str = KEY) -> bytes:
    """An event in good order, registered, by `who`, who calls himself `author`."""
    signer = authority.signer(who)
    head = f'Id="ID{code}{key}01"'
    inside = (
        f"<tpAmb>1</tpAmb>{author}<chNFe>{key}</chNFe><dhEvento>2026-04-01T10:00:00-03:00</dhEvento>"
        f"<tpEvento>{code}</tpEvento><nSeqEvento>1</nSeqEvento>"
    )
    made = signature(
        f'<infEvento xmlns="{NFE}" {head}>{inside}</infEvento>',
        rsa(signer),
        [signer.certificate_base64],
        Way(uri=f"#ID{code}{key}01"),
    )
    return (
        f'<procEventoNFe xmlns="{NFE}"><evento><infEvento {head}>{inside}</infEvento>{made}</evento>'
        f"<retEvento><infEvento><tpAmb>1</tpAmb><cStat>135</cStat><chNFe>{key}</chNFe><tpEvento>{code}</tpEvento>"
        "<nSeqEvento>1</nSeqEvento><nProt>135260000000009</nProt></infEvento></retEvento></procEventoNFe>"
    ).encode()


def test_nobody_else_cancels_a_note(authority: Authority, sandbox_trust: Trust) -> None:
    mine, carriers = "<CNPJ>11222333000181</CNPJ>", f"<CNPJ>{CARRIER.tax_id}</CNPJ>"
    assert KEY[6:20] == NORMAL.tax_id == "11222333000181"
    (judged,) = judge_paper(event(authority, NORMAL, "110111", mine), sandbox_trust, world=World.SANDBOX)
    assert judged.verdict.result is Result.OK
    for code in ("110110", "110111", "110112"):
        line = one(event(authority, CARRIER, code, carriers), sandbox_trust)[Check.SIGNER]
        assert line.result is Result.FAILED
        assert "Only the document's emitter" in str(line.why)
    # In the emitter's name by another one's certificate.
    line = one(event(authority, CARRIER, "110111", mine), sandbox_trust)[Check.SIGNER]
    assert line.result is Result.FAILED
    # A recipient's word, a carrier's, an authority's are their own.
    for code in ("210200", "110150", "610600"):
        assert one(event(authority, CARRIER, code, carriers), sandbox_trust)[Check.SIGNER].result is Result.OK
    # Authorities sign for one another; a recipient signs himself.
    assert one(event(authority, CARRIER, "610600", mine), sandbox_trust)[Check.SIGNER].result is Result.UNCHECKED
    for code in ("610110", "610111"):  # the taker's, though it begins as an authority's
        assert one(event(authority, CARRIER, code, mine), sandbox_trust)[Check.SIGNER].result is Result.FAILED
    assert one(event(authority, CARRIER, "210200", mine), sandbox_trust)[Check.SIGNER].result is Result.FAILED
    # What the authority issued it cancels too, by whatever number stands in the key.
    head = KEY[:22] + "890" + KEY[25:43]
    key = head + check_digit(head)
    assert one(event(authority, CARRIER, "110111", carriers, key), sandbox_trust)[Check.SIGNER].result is Result.OK


@pytest.mark.parametrize(
    ("emitter", "result"),
    [
        ("11222333000181", Result.OK),
        ("11222333000262", Result.OK),  # another establishment
        ("11222344000149", Result.FAILED),  # another company, its first six digits alike
        ("11222333", Result.FAILED),
    ],
)
def test_a_company_is_known_by_its_eight_digits(
    authority: Authority, sandbox_trust: Trust, emitter: str, result: Result
) -> None:
    content = f"<ide><mod>55</mod><serie>1</serie></ide><emit><CNPJ>{emitter}</CNPJ></emit>"
    made = signature(body(content), rsa(authority.signer(NORMAL)), [authority.signer(NORMAL).certificate_base64])
    lines = one(note(body(content, declared="") + made), sandbox_trust)
    assert lines[Check.DIGEST].result is Result.OK
    assert lines[Check.SIGNER].result is result


def test_an_event_is_judged_by_the_code_that_is_shown(authority: Authority, sandbox_trust: Trust) -> None:
    """What was signed names no code or sequence: the reader takes the answer's, so the judge must."""
    data = event(authority, CARRIER, "110111", f"<CNPJ>{CARRIER.tax_id}</CNPJ>").decode()
    request, answer = data.split("<retEvento>")
    for code, sequence in (("", ""), ("", "<nSeqEvento>1</nSeqEvento>"), ("<tpEvento>110111</tpEvento>", "")):
        asked = request.replace("<tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>", code + sequence)
        changed = f"{asked}<retEvento>{answer}"
        (found,) = read(changed.encode()).events
        (judged,) = judge_paper(changed.encode(), sandbox_trust, world=World.SANDBOX)
        assert (judged.code, judged.sequence) == (found.code, found.sequence) == ("110111", 1)
        assert judged.verdict.line(Check.SIGNER).result is Result.FAILED
    bare = request.replace("<nSeqEvento>1</nSeqEvento>", "") + "</procEventoNFe>"
    (found,) = read(bare.encode()).events
    (judged,) = judge_paper(bare.encode(), sandbox_trust, world=World.SANDBOX)
    assert judged.sequence == found.sequence == 1


def test_a_cancellation_of_before_events_is_the_emitters(authority: Authority, sandbox_trust: Trust) -> None:
    for who, result in ((NORMAL, Result.OK), (CARRIER, Result.FAILED)):
        signer = authority.signer(who)
        inside = f"<tpAmb>1</tpAmb><xServ>CANCELAR</xServ><chNFe>{KEY}</chNFe><nProt>1</nProt><xJust>Erro</xJust>"
        made = signature(
            f'<infCanc xmlns="{NFE}" Id="ID{KEY}">{inside}</infCanc>',
            rsa(signer),
            [signer.certificate_base64],
            Way(uri=f"#ID{KEY}"),
        )
        data = (
            f'<procCancNFe xmlns="{NFE}"><cancNFe><infCanc Id="ID{KEY}">{inside}</infCanc>{made}</cancNFe>'
            f"<retCancNFe><infCanc><tpAmb>1</tpAmb><cStat>101</cStat><chNFe>{KEY}</chNFe>"
            "<dhRecbto>2026-04-01T10:00:00</dhRecbto></infCanc></retCancNFe></procCancNFe>"
        )
        lines = one(data, sandbox_trust)
        assert lines[Check.DIGEST].result is Result.OK
        assert lines[Check.SIGNER].result is result


def test_what_nobody_signed_beside_the_paper_is_told(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    """A reader shows it: somebody else's bill put beside a genuine note would look like a part of it."""
    text = papers[NOTE].decode()
    added = text.replace("</infNFe>", "</infNFe><cobr><fat><nFat>1</nFat></fat></cobr>")
    for data in (added, f"<lot>{inside(added)}{inside(text)}</lot>"):
        judged = judge_paper(data.encode(), sandbox_trust, world=World.SANDBOX)[0]
        line = judged.verdict.line(Check.DIGEST)
        assert told(line) == (Result.UNCHECKED, "Beside the signed part stands what nobody signed: cobr.")
        assert judged.verdict.result is Result.UNCHECKED
    supplement = text.replace("</infNFe>", "</infNFe><infNFeSupl><qrCode>x</qrCode></infNFeSupl>")
    assert one(supplement, sandbox_trust)[Check.DIGEST] == CheckLine(Check.DIGEST, Result.OK)
