"""Every signed file at hand, packaged or written for the tests, beside independent programs."""

from __future__ import annotations

import warnings
from collections import Counter

import pytest
import signxml
import xmlsec
from lxml import etree
from signxml.exceptions import InvalidDigest, InvalidInput, InvalidSignature

from confere.errors import PaperError
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result
from tests.corpus.files import Sample
from tests.fiscal.authenticity.signing import DSIG, xmlsec_holds
from tests.samples.folder import packaged, signed_samples, written

FILES = tuple(sample for sample in (*packaged(), *signed_samples()) if b"Signature" in sample.data)


def judged(sample: Sample) -> list[dict[Check, CheckLine]]:
    try:
        return [{line.check: line for line in one.verdict.lines} for one in judge_paper(sample.data, Trust.of())]
    except PaperError:
        return []


def test_the_word_is_xmlsecs_wherever_it_can_read_the_certificate() -> None:
    compared: Counter[bool] = Counter()
    for sample in FILES:
        lines, data = judged(sample), sample.data
        if len(lines) != 1 or data.count(b"<SignatureValue") != 1:
            continue
        both = [lines[0][check] for check in (Check.DIGEST, Check.SIGNATURE)]
        if any(line.result is Result.UNCHECKED for line in both):
            continue
        try:
            theirs = xmlsec_holds(data)
        except (StopIteration, xmlsec.Error):
            continue  # no certificate, or one that it cannot read
        # What holds for the paper alone does not, to the letter, hold where it stands: xmlsec judges that.
        ours = all(line.result is Result.OK and line.why is None for line in both)
        assert ours == theirs, sample.name
        compared[ours] += 1
    assert compared[True] == 4  # a note, a freight, an event and a voided range
    assert compared[False] >= 14


def test_no_genuine_protocol_is_accused() -> None:
    """Of all papers at hand those alone have odd numbers that are made up: their signature or their key fails too."""
    told: Counter[tuple[Result, bool]] = Counter()
    for sample in (*FILES, *written()):
        for lines in judged(sample):
            line = lines[Check.PROTOCOL]
            odd = line.why is not None and line.why.id.startswith("The protocol {number}")
            if odd or line.result is Result.OK:
                told[line.result, odd] += 1
            if odd:
                checks = (Check.DIGEST, Check.SIGNATURE, Check.CHECK_DIGIT, Check.KEY_FIELDS)
                assert any(lines[check].result is Result.FAILED for check in checks), sample.name
    assert told[Result.OK, False] >= 60
    assert told[Result.FAILED, True] + told[Result.UNCHECKED, True] <= 10


def signxml_holds(data: bytes) -> bool:
    root = etree.fromstring(data)
    signed = next(root.iter(f"{{{DSIG}}}Signature")).getparent()
    assert signed is not None
    encoded = next(signed.iter(f"{{{DSIG}}}X509Certificate")).text
    verifier = signxml.XMLVerifier()
    verifier.excise_empty_xmlns_declarations = True
    configuration = signxml.SignatureConfiguration(
        signature_methods=frozenset({signxml.SignatureMethod.RSA_SHA1}),
        digest_algorithms=frozenset({signxml.DigestAlgorithm.SHA1}),
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            verifier.verify(
                signed,
                x509_cert=f"-----BEGIN CERTIFICATE-----\n{encoded}\n-----END CERTIFICATE-----\n",
                id_attribute="Id",
                expect_config=configuration,
            )
    except (InvalidDigest, InvalidInput, InvalidSignature):
        return False
    return True


def test_signxml_says_the_same_of_sandbox_papers(papers: dict[str, bytes], sandbox_trust: Trust) -> None:
    for name in ("note: return", "freight: freight, 2026", "event: cancellation", "voiding", "note: consumer note"):
        whole = papers[name]
        for data in (whole, whole.replace(b"Sandbox", b"sandbox", 1), whole.replace(b"35", b"36", 1)):
            (one,) = judge_paper(data, sandbox_trust, world=World.SANDBOX)
            both = {one.verdict.line(Check.DIGEST).result, one.verdict.line(Check.SIGNATURE).result}
            assert (both == {Result.OK}) == signxml_holds(data), name


BROKEN = {
    "signed-altered.xml": (Result.FAILED, Result.OK, "", ""),
    "signed-digest-altered.xml": (Result.FAILED, Result.FAILED, "", ""),
    "signed-indented.xml": (Result.FAILED, Result.FAILED, "without its indentation", "without its indentation"),
    "signed-in-an-answer.xml": (Result.OK, Result.OK, "alone", ""),
    "signed-no-certificate.xml": (Result.FAILED, Result.FAILED, "", "no certificate"),
    "signed-other-certificate.xml": (Result.FAILED, Result.FAILED, "", "it is not built as certificates are"),
    "signed-reference-lost.xml": (Result.FAILED, Result.FAILED, "", ""),
}


@pytest.mark.parametrize("sample", signed_samples(), ids=lambda sample: sample.name)
def test_how_a_signature_is_broken_is_said(sample: Sample) -> None:
    (lines,) = judged(sample)
    digest, value = lines[Check.DIGEST], lines[Check.SIGNATURE]
    results = BROKEN.get(sample.name, (Result.OK, Result.OK, "", ""))
    assert (digest.result, value.result) == results[:2]
    assert results[2] in str(digest.why or "")
    assert results[3] in str(value.why or "")
    assert sample.row is not None
    answered = {"yes": Result.OK, "no": Result.FAILED, "": Result.NOT_APPLICABLE}[sample.row["digval_match"]]
    assert lines[Check.PROTOCOL_DIGEST].result is answered
