"""Whole verdicts: the sandbox's papers in both worlds, numbered as the reader numbers them; and each line's reasons."""

from __future__ import annotations

import base64
import gzip
import re

import pytest

from confere.errors import PaperError
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import JudgedDocument, World, judge_paper
from confere.fiscal.authenticity.verdict import NO_GATE, Check, CheckLine, Result, SignedKind, Verdict
from confere.fiscal.reading.document import read
from sandbox_hub.paper.authority import Authority
from tests.fiscal.authenticity.judged import inside, one, told
from tests.fiscal.authenticity.signing import KEY, body, note, rsa, signature
from tests.samples.folder import packaged, signed_samples, written
from tests.sandbox_hub.paper.cases import CARRIER, NORMAL

NOTE = "note: sale between states, 2026"


def test_every_paper_of_the_sandbox_is_ok_there(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    for name, data in papers.items():
        (judged,) = judge_paper(data, sandbox_trust, world=World.SANDBOX)
        refused = "refused" in name
        expected = Result.FAILED if refused else Result.OK
        assert judged.verdict.result is expected, (name, judged.verdict)
        failing = [line.check for line in judged.verdict.lines if line.result is Result.FAILED]
        assert failing == ([Check.PROTOCOL] if refused else [])
        assert told(judged.verdict.line(Check.ENVIRONMENT))[1].endswith("as everything of a sandbox account.")
        assert "trusted for sandbox accounts only" in str(judged.verdict.line(Check.CHAIN).why)


def test_for_a_production_account_the_same_papers_fail_twice(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    for trust in (sandbox_trust, Trust.of()):
        lines = one(papers[NOTE], trust, World.PRODUCTION)
        assert {check for check, line in lines.items() if line.result is Result.FAILED} == {Check.CHAIN}
        assert told(lines[Check.ENVIRONMENT]) == (Result.TEST, "Issued in the test environment: no fiscal value.")


def test_a_test_document_is_called_one_and_no_forgery(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    def whole(lines: dict[Check, Result]) -> Verdict:
        return Verdict(tuple(CheckLine(check, lines.get(check, Result.OK)) for check in Check))

    assert whole({Check.ENVIRONMENT: Result.TEST}).word == "test"
    assert whole({Check.ENVIRONMENT: Result.TEST, Check.CHAIN: Result.UNCHECKED}).result is Result.TEST
    assert whole({Check.ENVIRONMENT: Result.TEST, Check.CHAIN: Result.FAILED}).word == "failed"
    # One that was changed is still that.
    text = papers[NOTE].decode().replace("<natOp>", "<natOp>X", 1)
    (judged,) = judge_paper(text.encode(), sandbox_trust)
    assert (judged.verdict.line(Check.ENVIRONMENT).result, judged.verdict.word) == (Result.TEST, "altered")
    assert judged.verdict.result is Result.FAILED


def test_a_verdict_is_as_bad_as_its_worst_line_that_counts(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    text = papers[NOTE].decode()
    (judged,) = judge_paper(text.encode(), sandbox_trust, world=World.SANDBOX)
    assert judged.verdict.line(Check.SCHEMA).result is Result.UNCHECKED
    assert {Check.SCHEMA} == NO_GATE
    assert judged.verdict.result is Result.OK
    alone = text[text.index("<NFe ") : text.index("</NFe>") + 6]
    (judged,) = judge_paper(alone.encode(), sandbox_trust, world=World.SANDBOX)
    assert judged.verdict.result is Result.UNCHECKED
    (judged,) = judge_paper(alone.replace("4711", "4712").encode(), sandbox_trust, world=World.SANDBOX)
    assert judged.verdict.result is Result.FAILED


def test_papers_are_numbered_as_the_reader_numbers_them() -> None:
    trust = Trust.of()
    seen = 0
    for sample in (*packaged(), *written(), *signed_samples()):
        data = sample.data
        try:
            paper = read(data)
        except PaperError:
            with pytest.raises(PaperError):
                judge_paper(data, trust)
            continue
        expected = [
            (SignedKind.DOCUMENT, position, document.access_key, None, None)
            for position, document in enumerate(paper.documents)
        ]
        expected += [
            (SignedKind.EVENT, position, event.access_key, event.code, event.sequence)
            for position, event in enumerate(paper.events)
        ]
        expected += [(SignedKind.VOIDING, position, None, None, None) for position, _ in enumerate(paper.voidings)]
        judged = judge_paper(data, trust)
        assert [(j.kind, j.position, j.access_key, j.code, j.sequence) for j in judged] == expected, sample.name
        seen += len(judged)
        for verdict in judged:
            for line in verdict.verdict.lines:
                assert line.why is not None or line.result in (Result.OK, Result.NOT_APPLICABLE)
    assert seen > 110


def test_each_paper_of_a_lot_has_its_own_verdict(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    good, other = inside(papers[NOTE].decode()), inside(papers["note: return"].decode())
    bad = good.replace("<nNF>4711", "<nNF>4712")
    lot = f'<?xml version="1.0"?><lot>{good}{bad}{other}{inside(papers["event: cancellation"].decode())}</lot>'
    judged = judge_paper(lot.encode(), sandbox_trust, world=World.SANDBOX)
    assert [(j.kind, j.position, j.verdict.result) for j in judged] == [
        (SignedKind.DOCUMENT, 0, Result.OK),
        (SignedKind.DOCUMENT, 1, Result.FAILED),
        (SignedKind.DOCUMENT, 2, Result.OK),
        (SignedKind.EVENT, 0, Result.OK),
    ]
    soap = '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>{}</s:Body></s:Envelope>'
    (wrapped,) = judge_paper(soap.format(good).encode(), sandbox_trust, world=World.SANDBOX)
    assert wrapped.verdict.result is Result.OK
    assert "alone" in str(wrapped.verdict.line(Check.DIGEST).why)
    (cdata,) = judge_paper(soap.format(f"<![CDATA[{good}]]>").encode(), sandbox_trust, world=World.SANDBOX)
    packed = base64.b64encode(gzip.compress(papers[NOTE])).decode()
    zipped = f'<retDistDFeInt><loteDistDFeInt><docZip NSU="1">{packed}</docZip></loteDistDFeInt></retDistDFeInt>'
    (unpacked,) = judge_paper(zipped.encode(), sandbox_trust, world=World.SANDBOX)
    for judged_alone in (cdata, unpacked):
        assert judged_alone.verdict.result is Result.OK
        assert judged_alone.verdict.line(Check.DIGEST).why is None


def test_what_is_no_paper_has_no_verdict(sandbox_trust: Trust) -> None:
    assert judge_paper(b"<a><b/></a>", sandbox_trust) == ()
    assert judge_paper(b"<NFe><infNFeX/></NFe>", sandbox_trust) == ()
    with pytest.raises(PaperError):
        judge_paper(b"no", sandbox_trust)


# -- line by line ----------------------------------------------------------------------------------------


def replaced(text: str, *changes: tuple[str, str]) -> str:
    for before, after in changes:
        changed = re.sub(before, after, text, count=1)
        assert changed != text, before
        text = changed
    return text


@pytest.mark.parametrize(
    ("changes", "result", "words"),
    [
        ([(r"<cStat>100", "<cStat>150")], Result.OK, ""),
        ([(r"<cStat>100", "<cStat>302")], Result.OK, "denied (302)"),
        ([(r"<cStat>100", "<cStat>101")], Result.OK, "registers its cancellation"),
        ([(r"<cStat>100", "<cStat>539")], Result.FAILED, "539 Autorizado"),
        ([], Result.OK, "Claimed by the file, not provable offline"),
        ([(r"<nProt>\d+</nProt>", "")], Result.UNCHECKED, "no protocol number"),
        ([(r"<nProt>1352", "<nProt>1412")], Result.UNCHECKED, "names the state 41, not the key's"),
        ([(r"<nProt>1352", "<nProt>1912")], Result.OK, "Claimed by the file"),
        ([(r"<nProt>135260000000123", "<nProt>3352600000001230")], Result.OK, "Claimed by the file"),
        ([(r"<nProt>135260000000123", "<nProt>13526000000000123")], Result.OK, "Claimed by the file"),
        ([(r"<nProt>13526", "<nProt>1352")], Result.FAILED, "no number of 15 to 17 digits"),
        ([(r"<nProt>13526", "<nProt>1352x")], Result.FAILED, "no number of 15 to 17 digits"),
        ([(r"<nProt>13526", "<nProt>13525")], Result.FAILED, "of the year 2025, the answer that it stands in of 2026"),
        (
            [(r"<dhRecbto>2026-..-..T", "<dhRecbto>2027-01-01T")],
            Result.OK,
            "Claimed",
        ),
        (
            [(r"<nProt>13526", "<nProt>13524"), (r"<dhRecbto>2026-..-..T", "<dhRecbto>2024-05-01T")],
            Result.FAILED,
            "of the year 2024, before the document's own, 2026",
        ),
        ([(r"<cStat>100", "<cStat>302"), (r"<nProt>1352", "<nProt>1412")], Result.UNCHECKED, "names the state 41"),
        ([(r"<cStat>100</cStat>", "")], Result.UNCHECKED, "no status"),
        ([(r"(<infProt.*)<chNFe>\d+</chNFe>", r"\1")], Result.UNCHECKED, "no access key"),
        ([(r"(<infProt.*<chNFe>\d{43})\d", r"\g<1>0")], Result.FAILED, "another paper"),
        ([(r"<protNFe.*</protNFe>", "")], Result.UNCHECKED, "no answer"),
        ([(r"<infProt.*</infProt>", "")], Result.UNCHECKED, "no answer"),
    ],
)
def test_the_protocol(
    papers: dict[str, bytes], sandbox_trust: Trust, changes: list[tuple[str, str]], result: Result, words: str
) -> None:
    lines = one(replaced(papers[NOTE].decode(), *changes), sandbox_trust)
    assert lines[Check.PROTOCOL].result is result
    assert words in told(lines[Check.PROTOCOL])[1]
    assert lines[Check.DIGEST].result is Result.OK


@pytest.mark.parametrize(
    ("name", "changes", "result"),
    [
        ("event: cancellation", [(r"<cStat>135", "<cStat>155")], Result.OK),
        ("event: cancellation", [(r"<cStat>135", "<cStat>134")], Result.FAILED),
        ("event: freight cancelled", [(r"<cStat>135", "<cStat>134")], Result.OK),
        ("event: freight cancelled", [(r"<cStat>135", "<cStat>155")], Result.FAILED),
        ("event: cancellation", [(r"(<retEvento.*<tpEvento>11011)1", r"\g<1>0")], Result.FAILED),
        ("event: cancellation", [(r"(<retEvento.*<nSeqEvento>)1", r"\g<1>01")], Result.OK),
        ("event: cancellation", [(r"(<retEvento.*)<nSeqEvento>1</nSeqEvento>", r"\1")], Result.OK),
        ("event: cancellation", [(r"<retEvento.*</retEvento>", "")], Result.UNCHECKED),
        ("event: cancellation", [(r"(<retEvento.*<nProt>)135", r"\g<1>141")], Result.UNCHECKED),
        ("event: cancellation", [(r"(<retEvento.*<nProt>)13526", r"\g<1>89126")], Result.OK),  # the national one
        ("event: cancellation", [(r"(<retEvento.*<nProt>)13526", r"\g<1>13523")], Result.FAILED),
        ("voiding", [(r"<nProt>13526", "<nProt>13519")], Result.FAILED),
        ("voiding", [(r"<cStat>102", "<cStat>241")], Result.FAILED),
        ("voiding", [(r"(<retInutNFe.*<nNFFin>471)5", r"\g<1>6")], Result.FAILED),
        ("voiding", [(r"(<retInutNFe.*)<nNFFin>4715</nNFFin>", r"\1")], Result.OK),
        ("voiding", [(r"<retInutNFe.*</retInutNFe>", "")], Result.UNCHECKED),
    ],
)
def test_answers_to_events_and_voided_ranges(
    papers: dict[str, bytes], sandbox_trust: Trust, name: str, changes: list[tuple[str, str]], result: Result
) -> None:
    lines = one(replaced(papers[name].decode(), *changes), sandbox_trust)
    assert lines[Check.PROTOCOL].result is result
    assert lines[Check.DIGEST].result is Result.OK
    assert lines[Check.PROTOCOL_DIGEST].result is Result.NOT_APPLICABLE


def test_an_answer_alone_is_the_authoritys_word_and_no_more(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    for name, tag in (("event: cancellation", "retEvento"), ("voiding", "retInutNFe")):
        text = papers[name].decode()
        lines = one(text[text.index(f"<{tag} ") : text.index(f"</{tag}>") + len(tag) + 3], sandbox_trust)
        assert lines[Check.PROTOCOL].result is Result.OK
        assert {lines[check].result for check in (Check.DIGEST, Check.SIGNATURE)} == {Result.UNCHECKED}
        assert {lines[check].result for check in (Check.KEY_FIELDS, Check.SIGNER, Check.CHAIN)} == {
            Result.NOT_APPLICABLE
        }


def test_the_digest_that_was_answered_for(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    text = papers[NOTE].decode()
    spaced = replaced(text, (r"<digVal>(....)", "<digVal>\n \\1 "))
    assert one(spaced, sandbox_trust)[Check.PROTOCOL_DIGEST].result is Result.OK
    absent = replaced(text, (r"<digVal>[^<]*</digVal>", ""))
    assert told(one(absent, sandbox_trust)[Check.PROTOCOL_DIGEST]) == (
        Result.NOT_APPLICABLE,
        "The authority's answer names no digest.",
    )
    strange = replaced(text, (r"<digVal>[^<]*</digVal>", "<digVal>ção</digVal>"))
    assert one(strange, sandbox_trust)[Check.PROTOCOL_DIGEST].result is Result.FAILED
    unsigned = replaced(text, (r"<Signature.*</Signature>", ""))
    assert one(unsigned, sandbox_trust)[Check.PROTOCOL_DIGEST].result is Result.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("ours", "theirs", "world", "result"),
    [
        ("1", "1", World.PRODUCTION, Result.OK),
        ("2", "2", World.PRODUCTION, Result.TEST),
        ("2", "", World.PRODUCTION, Result.TEST),
        ("1", "1", World.SANDBOX, Result.OK),
        ("2", "2", World.SANDBOX, Result.OK),
        ("2", "1", World.PRODUCTION, Result.FAILED),
        ("1", "2", World.PRODUCTION, Result.FAILED),
        ("1", "2", World.SANDBOX, Result.FAILED),
        ("2", "", World.SANDBOX, Result.OK),
        ("1", "", World.PRODUCTION, Result.OK),
        ("", "1", World.PRODUCTION, Result.UNCHECKED),
        ("3", "3", World.PRODUCTION, Result.FAILED),
    ],
)
def test_the_environment(
    papers: dict[str, bytes], sandbox_trust: Trust, ours: str, theirs: str, world: World, result: Result
) -> None:
    before, answer = papers[NOTE].decode().split("<protNFe")
    text = (
        before.replace("<tpAmb>2<", f"<tpAmb>{ours}<") + "<protNFe" + answer.replace("<tpAmb>2<", f"<tpAmb>{theirs}<")
    )
    assert one(text, sandbox_trust, world)[Check.ENVIRONMENT].result is result


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ([(r"<cUF>35", "<cUF>33")], "cUF"),
        ([(r"<dhEmi>2026-03", "<dhEmi>2026-04")], "dhEmi"),
        ([(r"<mod>55", "<mod>65")], "mod"),
        ([(r"<serie>1", "<serie>2")], "serie"),
        ([(r"<nNF>4711", "<nNF>47110")], "nNF"),
        ([(r"<tpEmis>1", "<tpEmis>6")], "tpEmis"),
        ([(r"<cNF>1020", "<cNF>1030")], "cNF"),
        ([(r"<cDV>8", "<cDV>7")], "cDV"),
        ([(r'Id="NFe', 'Id="CTe')], "Id"),
        ([(r'Id="NFe', 'Id="')], "Id"),
        ([(r'Id="NFe', 'Id="nfe')], "Id"),
        ([(r"<serie>1</serie>", ""), (r"<cUF>35</cUF>", "")], ""),
        ([(r"<cUF>35", "<cUF>33"), (r"<serie>1", "<serie>2")], "cUF, serie"),
    ],
)
def test_the_fields_that_the_key_repeats(
    papers: dict[str, bytes], sandbox_trust: Trust, changes: list[tuple[str, str]], fields: str
) -> None:
    line = one(replaced(papers[NOTE].decode(), *changes), sandbox_trust)[Check.KEY_FIELDS]
    if fields == "Id":
        assert line.result is Result.FAILED
        assert "Id" in str(line.why)
    elif fields:
        assert told(line) == (Result.FAILED, f"These fields disagree with the key: {fields}.")
    else:
        assert line.result is Result.OK


def test_the_identity_of_events_and_voided_ranges(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    event = papers["event: cancellation"].decode()
    identity = re.search(r'<infEvento Id="(ID\d+)"', event)[1]
    for other, result in (
        (identity[:-2] + "001", Result.OK),
        (identity[:-1], Result.FAILED),
        (identity[:-1] + "2", Result.FAILED),
        (identity.replace("110111", "110110"), Result.FAILED),
    ):
        line = one(event.replace(f'<infEvento Id="{identity}"', f'<infEvento Id="{other}"'), sandbox_trust)
        assert line[Check.KEY_FIELDS].result is result, other
    voiding = papers["voiding"].decode()
    identity = re.search(r'<infInut Id="(ID\d+)"', voiding)[1]
    for other, result in (
        (identity[:4] + identity[6:], Result.OK),  # older layouts leave the year out
        (identity[:-1] + "9", Result.FAILED),
    ):
        line = one(voiding.replace(f'<infInut Id="{identity}"', f'<infInut Id="{other}"'), sandbox_trust)
        assert line[Check.KEY_FIELDS].result is result, other
    lost = replaced(voiding, (r'<infInut Id="ID\d+"', "<infInut"))
    assert one(lost, sandbox_trust)[Check.KEY_FIELDS].result is Result.FAILED


def test_a_code_of_nine_digits_stood_in_keys_without_an_emission_type(sandbox_trust: Trust) -> None:
    for code, result in ((KEY[34:43], Result.OK), ("999999999", Result.FAILED)):
        ide = f"<ide><cUF>35</cUF><cNF>{code}</cNF><tpEmis>9</tpEmis><dEmi>2026-03-31</dEmi></ide>"
        assert one(note(body(ide, declared="")), sandbox_trust)[Check.KEY_FIELDS].result is result


@pytest.mark.parametrize(
    ("key", "result", "words"),
    [
        (KEY, Result.OK, ""),
        (KEY[:-1] + str((int(KEY[-1]) + 1) % 10), Result.FAILED, f"should end in {KEY[-1]}"),
        (KEY[:41], Result.FAILED, "has not the form"),
        (KEY + "0", Result.FAILED, "has not the form"),
        (KEY.replace("1122", "11ab"), Result.FAILED, "has not the form"),
        (None, Result.FAILED, "no access key"),
    ],
)
def test_the_check_digit(sandbox_trust: Trust, key: str | None, result: Result, words: str) -> None:
    attributes = f'Id="NFe{key}" versao="4.00"' if key is not None else 'versao="4.00"'
    line = one(note(body(attributes=attributes, declared="")), sandbox_trust)[Check.CHECK_DIGIT]
    assert line.result is result
    assert words in str(line.why or "")


def test_who_signed(authority: Authority, sandbox_trust: Trust) -> None:
    company, carrier = authority.signer(NORMAL), authority.signer(CARRIER)

    def line(
        emitter: str, signer: object = company, series: str = "1", model: str = "55", more: str = ""
    ) -> tuple[Result, str]:
        ide = f"<ide><mod>{model}</mod><serie>{series}</serie>{more}</ide><emit>{emitter}</emit>"
        made = signature(body(ide), rsa(signer), [signer.certificate_base64])
        return told(one(note(body(ide, declared="") + made), sandbox_trust)[Check.SIGNER])

    assert line("<CNPJ>11222333000181</CNPJ>") == (Result.OK, "")
    assert line("<CNPJ>11.222.333/0009-99</CNPJ>") == (Result.OK, "")  # another branch of the company
    result, words = line("<CNPJ>11222333000181</CNPJ>", carrier)
    assert result is Result.FAILED
    assert "60.746.948/0001-12" in words
    assert "11.222.333/0001-81" in words
    assert line("<CPF>52998224725</CPF>")[0] is Result.FAILED
    assert line("<CPF>11222333000</CPF>")[0] is Result.FAILED  # eight equal characters are no company's here
    assert line("<xNome>X</xNome>")[0] is Result.UNCHECKED
    stranger = "<CNPJ>60746948000112</CNPJ>"
    on_its_site, by_a_provider = "<procEmi>1</procEmi>", "<procEmi>4</procEmi>"
    for series, more, result in (
        ("890", "", Result.UNCHECKED),
        ("900", on_its_site, Result.UNCHECKED),
        ("919", on_its_site, Result.UNCHECKED),
        ("919", "<procEmi>2</procEmi>", Result.FAILED),
        ("920", on_its_site, Result.FAILED),
        ("1", on_its_site, Result.FAILED),
        ("1", by_a_provider, Result.UNCHECKED),
        ("1", "<tpEmis>3</tpEmis>", Result.UNCHECKED),  # of layout 4.00
        ("1", "<tpEmis>4</tpEmis>", Result.FAILED),
    ):
        assert line(stranger, series=series, more=more)[0] is result, (series, more)
    assert line(stranger, series="890", model="65")[0] is Result.FAILED
    # Who signs for another has not signed in his own name either.
    assert line("<CNPJ>11222333000181</CNPJ>", series="900", more=on_its_site) == (Result.OK, "")


def test_when_it_was_signed(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    """The certificate counts from October 2025 to October 2028; the answer's time counts, else the paper's own."""
    text = papers[NOTE].decode()

    def line(received: str | None, issued: str = "2026-03-31T22:59:59-04:00") -> tuple[Result, str]:
        answered = "" if received is None else f"<dhRecbto>{received}</dhRecbto>"
        changed = re.sub(r"<dhRecbto>[^<]*</dhRecbto>", answered, text)
        changed = re.sub(r"<dhEmi>[^<]*", f"<dhEmi>{issued}", changed)
        return told(one(changed, sandbox_trust)[Check.CERTIFICATE_DATES])

    assert line("2026-03-31T23:00:03-04:00") == (Result.OK, "")
    result, words = line("2029-01-01T00:00:00-03:00")
    assert result is Result.FAILED
    assert words == "The certificate counts from 2025-10-01 to 2028-10-01; the paper was signed on 2029-01-01."
    assert line("2025-09-30T21:00:01-03:00")[0] is Result.OK  # an instant later in UTC
    assert line("2025-09-30T20:59:59-03:00")[0] is Result.FAILED
    assert line("2025-09-30T22:30:00")[0] is Result.OK  # no zone: it may have been
    assert line(None) == (Result.OK, "")
    assert line(None, "2025-09-30")[0] is Result.OK
    assert line(None, "2024-09-30")[0] is Result.FAILED
    assert line(None, "soon")[0] is Result.UNCHECKED
    assert line("never", "2024-09-30")[0] is Result.FAILED


def test_two_verdicts_are_equal_when_their_lines_are(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    first = judge_paper(papers[NOTE], sandbox_trust, world=World.SANDBOX)
    assert first == judge_paper(papers[NOTE], sandbox_trust, world=World.SANDBOX)
    assert isinstance(first[0], JudgedDocument)
