"""Digest and value of signatures made in many ways, xmlsec's word on each; and attacks, none of which passes."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable

import pytest
from lxml import etree

from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result
from sandbox_hub.paper.authority import Authority, Signer
from tests.fiscal.authenticity.signing import (
    ATTRIBUTES,
    C14N,
    DSIG,
    ENC,
    ENVELOPED,
    EXCLUSIVE,
    IDE,
    KEY,
    MORE,
    NFE,
    Way,
    body,
    note,
    rsa,
    signature,
    signed_note,
    xmlsec_holds,
)
from tests.sandbox_hub.paper.cases import CARRIER, NORMAL


@pytest.fixture(scope="module")
def signer(authority: Authority) -> Signer:
    return authority.signer(NORMAL)


@pytest.fixture(scope="module")
def other(authority: Authority) -> Signer:
    return authority.signer(CARRIER)


Judge = Callable[[bytes], tuple[CheckLine, CheckLine]]


@pytest.fixture(scope="module")
def lines(sandbox_trust: Trust) -> Judge:
    """Digest and signature of the one paper in the data."""

    def judged(data: bytes) -> tuple[CheckLine, CheckLine]:
        (found,) = judge_paper(data, sandbox_trust, world=World.SANDBOX)
        return found.verdict.line(Check.DIGEST), found.verdict.line(Check.SIGNATURE)

    return judged


def results(lines: tuple[CheckLine, CheckLine]) -> tuple[Result, Result]:
    return lines[0].result, lines[1].result


HOLDS = (Result.OK, Result.OK)
WAYS = {
    "of the layouts": Way(),
    "sha256": Way(digest=ENC + "sha256", method=MORE + "rsa-sha256"),
    "sha384": Way(digest=MORE + "sha384", method=MORE + "rsa-sha384"),
    "sha512": Way(digest=ENC + "sha512", method=MORE + "rsa-sha512"),
    "exclusive": Way(canonicalization=EXCLUSIVE, transforms=(ENVELOPED, EXCLUSIVE)),
    "with comments": Way(canonicalization=C14N + "#WithComments", transforms=(ENVELOPED, C14N + "#WithComments")),
    "no canonical form named": Way(transforms=(ENVELOPED,)),
    "prefixed": Way(prefix="ds:"),
    "prefixed, exclusive": Way(prefix="ds:", canonicalization=EXCLUSIVE, transforms=(ENVELOPED, EXCLUSIVE)),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_to_sign_holds_and_a_change_does_not(signer: Signer, lines: Judge, way: Way) -> None:
    data = signed_note(signer, way)
    assert xmlsec_holds(data)
    assert results(lines(data)) == HOLDS
    changed = data.replace(b"<nNF>4711", b"<nNF>4712")
    assert not xmlsec_holds(changed)
    assert results(lines(changed)) == (Result.FAILED, Result.OK)
    wrapped = b'<nfeProc xmlns="%b">%b</nfeProc>' % (NFE.encode(), data)
    assert results(lines(wrapped)) == HOLDS


WRITTEN = {
    "attributes in another order": lambda text: text.replace(ATTRIBUTES, f"versao='4.00'  Id='NFe{KEY}'"),
    "a declaration again": lambda text: text.replace("<infNFe ", f'<infNFe xmlns="{NFE}" '),
    "CDATA": lambda text: text.replace("A &amp; B &lt;C&gt;", "<![CDATA[A & B <C>]]>"),
    "references": lambda text: text.replace("São", "S&#xE3;&#111;").replace("&gt;", "&#62;"),
    "empty elements": lambda text: text.replace("<xCpl></xCpl>", "<xCpl />").replace("></Transform>", "/>"),
    "comments": lambda text: text.replace("<emit>", "<!-- who --><emit>"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*WRITTEN, "ISO-8859-1"])
def test_what_a_program_writes_differently_is_the_same_text(signer: Signer, lines: Judge, name: str) -> None:
    content = f'{IDE}<x a="1" b="A&gt;B">São A &amp; B &lt;C&gt; "D"</x><xCpl></xCpl>'.replace('"A&gt;B"', '"A>B"')
    text = signed_note(signer, content=content).decode()
    if name == "ISO-8859-1":
        data = f'<?xml version="1.0" encoding="ISO-8859-1"?>{text}'.encode("latin-1")
    else:
        data = WRITTEN[name](text).encode()
        assert data != text.encode()
    assert xmlsec_holds(data)
    assert results(lines(data)) == HOLDS
    assert results(lines(data.replace(b"<nNF>4711", b"<nNF>4712"))) == (Result.FAILED, Result.OK)


def test_an_instruction_and_a_line_of_white_space_are_signed_text(signer: Signer, lines: Judge) -> None:
    for content in (IDE + "<?a b?><x></x>", IDE + "\n  <x>\n</x>", IDE + "<x>tab&#x9;in text, return&#xD;</x>"):
        plain = content.replace("&#x9;", "\t")
        data = signed_note(signer, content=plain)
        assert xmlsec_holds(data)
        assert results(lines(data)) == HOLDS
    gone = signed_note(signer, content=IDE + "<?a b?><x></x>").replace(b"<?a b?>", b"")
    assert results(lines(gone)) == (Result.FAILED, Result.OK)


def test_namespaces_in_scope_are_signed_and_those_of_a_wrapper_are_not(signer: Signer, lines: Judge) -> None:
    scope = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    own = signature(body(declared=f' xmlns="{NFE}"{scope}'), rsa(signer), [signer.certificate_base64], Way(scope=scope))
    declared_by_its_author = note(body(declared="") + own, scope)
    assert xmlsec_holds(declared_by_its_author)
    judged = lines(declared_by_its_author)
    assert results(judged) == HOLDS
    assert judged[0].why is None

    wrapped = b'<w:lot xmlns:w="urn:w"%b xmlns:z="urn:z">%b</w:lot>' % (scope.encode(), signed_note(signer))
    assert not xmlsec_holds(wrapped)  # to the letter it holds for the note alone
    judged = lines(wrapped)
    assert results(judged) == HOLDS
    assert all("alone" in str(line.why) for line in judged)
    changed = wrapped.replace(b"<nNF>4711", b"<nNF>4712")
    assert results(lines(changed)) == (Result.FAILED, Result.OK)

    both = b'<w:lot xmlns:w="urn:w">%b</w:lot>' % declared_by_its_author
    assert results(lines(both)) == HOLDS


def test_a_space_attribute_around_it_is_inherited(signer: Signer, lines: Judge) -> None:
    canonical = body(attributes=f'Id="NFe{KEY}" versao="4.00" xml:space="preserve"')
    own = signature(canonical, rsa(signer), [signer.certificate_base64], Way(scope=' xml:space="preserve"'))
    data = note(body(declared="") + own, ' xml:space="preserve"')
    assert xmlsec_holds(data)
    assert results(lines(data)) == HOLDS


def test_a_signature_may_cover_the_whole_file(signer: Signer, lines: Judge) -> None:
    whole = note(body(declared="")).decode()
    made = signature(whole, rsa(signer), [signer.certificate_base64], Way(uri=""))
    data = note(body(declared="") + made)
    assert xmlsec_holds(data)
    assert results(lines(data)) == HOLDS
    assert results(lines(data.replace(b"<nNF>4711", b"<nNF>4712"))) == (Result.FAILED, Result.OK)
    wrapped = b'<nfeProc xmlns="%b" versao="4.00">%b</nfeProc>' % (NFE.encode(), data)
    judged = lines(wrapped)
    assert results(judged) == HOLDS
    assert "alone" in str(judged[0].why)
    # Without the enveloped transform it would have to cover itself.
    bare = signature(whole, rsa(signer), [signer.certificate_base64], Way(uri="", transforms=(C14N,)))
    assert lines(note(body(declared="") + bare))[0].result is Result.FAILED


def test_indentation_after_signing_breaks_it_and_is_named(signer: Signer, lines: Judge) -> None:
    root = etree.fromstring(signed_note(signer))
    etree.indent(root)
    data = etree.tostring(root)
    assert not xmlsec_holds(data)
    for line in lines(data):
        assert line.result is Result.FAILED
        assert "without its indentation it would hold" in str(line.why)
    both = data.replace(b"<nNF>4711", b"<nNF>4712")
    assert "indentation" not in str(lines(both)[0].why)


def test_white_space_in_base64_is_nobodys_doing(signer: Signer, lines: Judge) -> None:
    text = signed_note(signer).decode()
    for tag in ("SignatureValue", "X509Certificate"):
        start = text.index(f"<{tag}>") + len(tag) + 2
        text = f"{text[:start]}\n{text[start : start + 64]}\r\n{text[start + 64 :]}"
    assert xmlsec_holds(text.encode())
    assert results(lines(text.encode())) == HOLDS


# -- what nobody may pass with ---------------------------------------------------------------------------


def forged(content: str = IDE, identity: str = f"NFe{KEY}") -> str:
    return body(content.replace("4711", "4712"), f'Id="{identity}" versao="4.00"', declared="")


def test_wrapping_the_signed_element_away_fails(signer: Signer, lines: Judge) -> None:
    """The signature holds for an element somewhere in the file; it is not the one that is read."""
    genuine = body(declared="")
    made = signature(body(), rsa(signer), [signer.certificate_base64])
    attacks = {
        "two of the same Id, forged one last": genuine + forged() + made,
        "two of the same Id, forged one first": forged() + genuine + made,
        "another Id": forged(identity="NFe" + KEY[:-1] + "0") + made,
        "the signed one inside the signature": forged()
        + made.replace("</KeyInfo>", f'</KeyInfo><Object xmlns="{NFE}">{genuine}</Object>'),
        "the signed one inside the forged one": forged(IDE + f"<z>{genuine}</z>") + made,
        "the signed one in a sibling": forged() + made + f"<z>{genuine}</z>",
        "the signed one in a sibling before": f"<z>{genuine}</z>" + forged() + made,
        "the signed one in what may stand between": forged() + f"<infNFeSupl>{genuine}</infNFeSupl>" + made,
    }
    for name, inside in attacks.items():
        digest, _ = lines(note(inside))
        assert digest.result is Result.FAILED, name
        wrapped = b'<nfeProc xmlns="%b">%b</nfeProc>' % (NFE.encode(), note(inside))
        assert lines(wrapped)[0].result is Result.FAILED, name


def test_a_signature_hidden_before_the_real_one_does_not_count(signer: Signer, lines: Judge) -> None:
    made = signature(body(), rsa(signer), [signer.certificate_base64])
    broken = made.replace("<SignatureValue>", "<SignatureValue>AAAA")
    hidden = body(declared="") + f"<infNFeSupl>{made}</infNFeSupl>" + broken
    assert lines(note(hidden))[1].result is Result.FAILED
    assert results(lines(note(body(declared="") + made + made))) == (Result.FAILED, Result.FAILED)


def test_nothing_in_an_instruction_counts(signer: Signer, lines: Judge) -> None:
    """What stands in one looks like XML, and is none."""
    made = signature(body(), rsa(signer), [signer.certificate_base64])
    broken = made.replace("<SignatureValue>", "<SignatureValue>AAAA")
    genuine = body(declared="")
    for between in (f"<?x {made}?>", f"<infNFeSupl><?x {made}?></infNFeSupl>"):
        assert results(lines(note(genuine + between + broken))) == (Result.OK, Result.FAILED)
    for before in (f"<?x {genuine}?>", f"<?x {genuine}{made}?>"):
        assert results(lines(note(before + forged() + made))) == (Result.FAILED, Result.OK)
        assert results(lines(note(before + genuine + made))) == HOLDS
        assert results(lines(before.encode() + note(forged() + made))) == (Result.FAILED, Result.OK)


def test_the_answer_to_an_event_cannot_stand_for_what_was_asked(
    papers: dict[str, bytes], sandbox_trust: Trust, lines: Judge
) -> None:
    text = papers["event: cancellation"].decode()
    request, answer = text.index("<evento "), text.index("<retEvento ")
    swapped = text[:request] + text[answer:].replace("</procEventoNFe>", "") + text[request:answer] + "</procEventoNFe>"
    assert results(lines(swapped.encode())) == HOLDS  # the order says nothing
    forged_answer = swapped.replace('<infEvento Id="ID1352', '<infEvento Id="ID1101', 1)
    assert results(lines(forged_answer.encode())) == HOLDS
    changed = swapped.replace("estorno", "Estorno")
    assert results(lines(changed.encode())) == (Result.FAILED, Result.OK)


def test_two_references_or_none_fail(signer: Signer, lines: Judge) -> None:
    text = signed_note(signer).decode()
    reference = text[text.index("<Reference") : text.index("</Reference>") + len("</Reference>")]
    assert lines(text.replace(reference, reference + reference).encode())[0].result is Result.FAILED
    assert lines(text.replace(reference, "").encode())[0].result is Result.FAILED
    assert lines(text.replace(f'URI="#NFe{KEY}"', "").encode())[0].result is Result.FAILED
    info = text[text.index("<SignedInfo") : text.index("</SignedInfo>") + len("</SignedInfo>")]
    assert results(lines(text.replace(info, "").encode())) == (Result.FAILED, Result.FAILED)


def test_a_shared_secret_is_no_signature(signer: Signer, lines: Judge) -> None:
    """Algorithm confusion: keyed by the certificate, which everybody has."""
    secret = base64.b64decode(signer.certificate_base64)
    made = signature(
        body(),
        lambda text: hmac.digest(secret, text, "sha1"),
        [signer.certificate_base64],
        Way(method=DSIG + "hmac-sha1"),
    )
    digest, value = lines(note(body(declared="") + made))
    assert digest.result is Result.OK
    assert value.result is Result.FAILED
    assert "shared secret" in str(value.why)


@pytest.mark.parametrize(
    "way",
    [
        Way(method=MORE + "rsa-ripemd160"),
        Way(method="", canonicalization=C14N),
        Way(canonicalization="http://www.w3.org/2006/12/xml-c14n11"),
    ],
)
def test_an_unknown_way_to_sign_is_unchecked(signer: Signer, lines: Judge, way: Way) -> None:
    made = signature(body(), rsa(signer), [signer.certificate_base64], way)
    assert results(lines(note(body(declared="") + made))) == (Result.OK, Result.UNCHECKED)


@pytest.mark.parametrize(
    "transforms",
    [
        (ENVELOPED, "http://www.w3.org/TR/1999/REC-xpath-19991116"),
        (ENVELOPED, C14N, C14N),
        ("http://www.w3.org/TR/1999/REC-xslt-19991116",),
    ],
)
def test_an_unknown_transform_is_unchecked(signer: Signer, lines: Judge, transforms: tuple[str, ...]) -> None:
    digest, value = lines(signed_note(signer, Way(transforms=transforms)))
    assert (digest.result, value.result) == (Result.UNCHECKED, Result.OK)
    assert "cannot be checked" in str(digest.why)


def test_a_method_of_another_kind_of_key_fails(signer: Signer, lines: Judge) -> None:
    way = Way(method=MORE + "ecdsa-sha256")
    made = signature(body(), rsa(signer), [signer.certificate_base64], way)
    assert lines(note(body(declared="") + made))[1].result is Result.FAILED


def test_the_signer_is_the_certificate_whose_key_fits(
    signer: Signer, other: Signer, lines: Judge, sandbox_trust: Trust
) -> None:
    certificates = [other.certificate_base64, signer.certificate_base64]
    data = note(body(declared="") + signature(body(), rsa(signer), certificates))
    (judged,) = judge_paper(data, sandbox_trust, world=World.SANDBOX)
    for check in (Check.SIGNATURE, Check.SIGNER, Check.CHAIN):
        assert judged.verdict.line(check).result is Result.OK
    strangers = note(body(declared="") + signature(body(), rsa(signer), [other.certificate_base64]))
    (judged,) = judge_paper(strangers, sandbox_trust, world=World.SANDBOX)
    assert judged.verdict.line(Check.SIGNATURE).result is Result.FAILED
    assert judged.verdict.line(Check.SIGNER).result is Result.FAILED
    # What is no certificate at all cannot have been the signer's.
    with_unread = note(body(declared="") + signature(body(), rsa(signer), ["AAAA", other.certificate_base64]))
    assert lines(with_unread)[1].result is Result.FAILED


def test_without_signature_or_certificate(signer: Signer, sandbox_trust: Trust) -> None:
    (judged,) = judge_paper(note(body(declared="")), sandbox_trust)
    told = {line.check: line.result for line in judged.verdict.lines}
    assert told[Check.SIGNATURE] is Result.FAILED
    assert {told[check] for check in (Check.DIGEST, Check.SIGNER, Check.CERTIFICATE_DATES, Check.CHAIN)} == {
        Result.NOT_APPLICABLE
    }
    for held in (signature(body(), rsa(signer), []), signature(body(), rsa(signer), [""])):
        (judged,) = judge_paper(note(body(declared="") + held), sandbox_trust)
        told = {line.check: line.result for line in judged.verdict.lines}
        assert told[Check.DIGEST] is Result.OK
        assert told[Check.SIGNATURE] is Result.FAILED
        assert {told[check] for check in (Check.SIGNER, Check.CERTIFICATE_DATES, Check.CHAIN)} == {Result.UNCHECKED}
        assert judged.verdict.result is Result.FAILED
        assert not judged.verdict.altered


def test_altered_is_said_where_digest_or_value_do_not_match_and_nowhere_else(
    signer: Signer, other: Signer, sandbox_trust: Trust
) -> None:
    def word(data: bytes | str) -> str:
        data = data.encode() if isinstance(data, str) else data
        (found,) = judge_paper(data, sandbox_trust, world=World.SANDBOX)
        return found.verdict.word

    good = signed_note(signer).decode()
    assert word(good) == "unchecked"  # it has no answer
    start = good.index("<SignatureValue>") + 16
    swapped = good.replace(signer.certificate_base64, other.certificate_base64)
    for changed in (good.replace("<nNF>4711", "<nNF>4712"), good[:start] + "AAAA" + good[start + 4 :], swapped):
        assert word(changed) == "altered"
    for lacking in (
        note(body(declared="")),
        good.replace(signer.certificate_base64, ""),
        good.replace(signer.certificate_base64, "not base64"),
        good.replace("4711", "4712", 1).replace(signer.certificate_base64, "AAAA").replace("4712", "4711", 1),
        note(
            body(declared="")
            + signature(body(), rsa(signer), [other.certificate_base64], Way(method=DSIG + "hmac-sha1"))
        ),
        good.replace(f'URI="#NFe{KEY}"', 'URI="#other"'),
    ):
        assert word(lacking) == ("altered" if 'URI="#other"' in str(lacking) else "failed")
    # Whoever changes a value and removes the certificate, so that nobody may check it, has still altered it.
    removed = good.replace("<nNF>4711", "<nNF>4712").replace(signer.certificate_base64, "")
    assert word(removed) == "altered"


def test_huge_and_strange_values_end_quickly(signer: Signer, lines: Judge) -> None:
    text = signed_note(signer).decode()
    value = text[text.index("<SignatureValue>") + 16 : text.index("</SignatureValue>")]
    for strange in ("A" * 3_000_000, "A" * 8_000, "", "=", "ção", value[:-4], "AAAA" + value):
        assert lines(text.replace(value, strange).encode())[1].result is Result.FAILED
    certificate = signer.certificate_base64
    for strange in ("A" * 3_000_000, "ção", "MIIB", base64.b64encode(b"0\x84\xff\xff\xff\xff").decode()):
        digest, line = lines(text.replace(certificate, strange).encode())
        assert (digest.result, line.result) == (Result.OK, Result.FAILED)
        assert "is none" in str(line.why)
    many = text.replace(
        f"<X509Certificate>{certificate}</X509Certificate>", "<X509Certificate>AAAA</X509Certificate>" * 5000
    )
    assert lines(many.encode())[1].result is Result.FAILED


def test_a_namespace_that_is_no_address_has_no_canonical_form(signer: Signer, lines: Judge) -> None:
    """The digest of nothing must not pass for the digest of a text that cannot be written."""
    empty = base64.b64encode(hashlib.sha1(b"").digest()).decode()
    text = signed_note(signer).decode().replace(f'xmlns="{NFE}"', 'xmlns="nfe"')
    start, end = text.index("<DigestValue>") + 13, text.index("</DigestValue>")
    digest, _ = lines((text[:start] + empty + text[end:]).encode())
    assert digest.result is Result.FAILED
