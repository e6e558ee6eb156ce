"""The short way over plain papers and the long one find the same canonical text and the same verdict."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confere.errors import PaperError
from confere.fiscal.authenticity import canonical, fast_path, signed_parts
from confere.fiscal.authenticity import signature as authenticity_signature
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge, judge_paper
from confere.fiscal.authenticity.signed_parts import Subject
from confere.fiscal.authenticity.verdict import Check, Result, SignedKind
from confere.fiscal.reading import envelopes, xml
from sandbox_hub.paper.authority import Authority
from tests.fiscal.authenticity.signing import ATTRIBUTES, DSIG, IDE, KEY, NFE, Way, note, rsa, signature, signed_note
from tests.sandbox_hub.paper.cases import NORMAL


def the_subject(data: bytes) -> Subject:
    found = envelopes.find(xml.parse(data))
    for kind, parts in (
        (SignedKind.DOCUMENT, found.documents),
        (SignedKind.EVENT, found.events),
        (SignedKind.VOIDING, found.voidings),
    ):
        for part in parts:
            subject = signed_parts.read(part, kind)
            assert subject is not None
            return subject
    raise AssertionError("no paper")


def test_every_sandbox_paper_is_plain_and_its_text_canonical(papers: dict[str, bytes]) -> None:
    for name, data in papers.items():
        subject = the_subject(data)
        taken = fast_path.take(subject)
        assert taken is not None, name
        assert subject.body is not None
        assert taken.body == canonical.in_place(subject.body, canonical.INCLUSIVE)
        assert taken.body == canonical.alone(subject.body, canonical.INCLUSIVE)
        info = next(subject.signatures[0].iter(f"{{{DSIG}}}SignedInfo"))
        assert taken.info == canonical.in_place(info, canonical.INCLUSIVE)
        assert fast_path.holds(taken, subject)


def test_both_ways_give_the_same_verdict(
    papers: dict[str, bytes], sandbox_trust: Trust, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = {name + "!": data.replace(b"Sandbox", b"sandbox", 1) for name, data in papers.items()}
    changed |= {name + "?": data.replace(b"<SignatureValue>A", b"<SignatureValue>B") for name, data in papers.items()}
    both = papers | changed
    short = {name: judge_paper(data, sandbox_trust, world=World.SANDBOX) for name, data in both.items()}
    monkeypatch.setattr(fast_path, "take", lambda subject: None)
    assert {name: judge_paper(data, sandbox_trust, world=World.SANDBOX) for name, data in both.items()} == short
    (part,) = envelopes.find(xml.parse(papers["note: return"])).documents
    assert judge(part, SignedKind.DOCUMENT, sandbox_trust, world=World.SANDBOX) == short["note: return"][0].verdict


names = st.sampled_from(["a", "b", "infNFe", "x", "Signature", "ds:z", "SignedInfo"])
texts = st.text(st.sampled_from("ab <>&\"'?/!-\t\n\ré€ xmlns=:;#"), max_size=12)
attributes = st.lists(
    st.tuples(st.sampled_from(["n", "b", "xml:lang", "ds:q"]), texts), max_size=2, unique_by=lambda p: p[0]
)


def escaped(text: str) -> str:
    for character, written in (("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;"), ("\r", "&#13;"), ("]]>", "]]&gt;")):
        text = text.replace(character, written)
    return text


def written(name: str, given: list[tuple[str, str]], inside: str, declared: bool) -> str:
    start = name + "".join(f' {key}="{escaped(value)}"' for key, value in given)
    start += f' xmlns="{NFE}"' if declared else ""
    return f"<{start}>{inside}</{name}>" if inside else f"<{start}/>"


leaves = st.one_of(
    texts.map(escaped),
    texts.filter(lambda text: "]]>" not in text and "\r" not in text).map(lambda text: f"<![CDATA[{text}]]>"),
    st.just("<?p i?>"),
    st.just("<!-- c -->"),
)
contents = st.recursive(
    leaves,
    lambda inner: st.builds(written, names, attributes, st.lists(inner, max_size=3).map("".join), st.booleans()),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(content=contents, around=st.booleans(), order=st.booleans())
def test_what_the_short_way_takes_is_canonical_whatever_is_inside(content: str, around: bool, order: bool) -> None:
    inside = f"<infNFe {ATTRIBUTES if order else ' '.join(reversed(ATTRIBUTES.split()))}>{IDE}<q>{content}</q></infNFe>"
    made = signature("", lambda text: b"", ["AAAA"])
    declared = f' xmlns:ds="{DSIG}"' if "ds:" in content or around else ""
    try:
        subject = the_subject(note(inside + made, declared))
    except PaperError:
        return
    taken = fast_path.take(subject)
    if taken is not None:
        assert subject.body is not None
        assert taken.body == canonical.in_place(subject.body, canonical.INCLUSIVE)


def test_the_short_way_is_open_to_papers_as_programs_write_them(authority: Authority) -> None:
    signer = authority.signer(NORMAL)
    text = signed_note(signer, content=IDE + "<xCpl></xCpl>").decode()
    for data in (
        text,
        text.replace("<xCpl></xCpl>", "<xCpl/>"),
        text.replace("></Transform>", "/>").replace("></DigestMethod>", " />"),
        text.replace(ATTRIBUTES, " ".join(reversed(ATTRIBUTES.split()))),
        f'<?xml version="1.0" encoding="UTF-8"?>\n<nfeProc versao="4.00" xmlns="{NFE}">{text}\n</nfeProc>',
        text.replace("<Signature ", "<infNFeSupl><qrCode>https://a.b/c?d=e&amp;f</qrCode></infNFeSupl><Signature "),
    ):
        subject = the_subject(data.encode())
        taken = fast_path.take(subject)
        assert taken is not None
        assert fast_path.holds(taken, subject)


def test_a_signature_that_refers_to_something_else_does_not_hold(authority: Authority, sandbox_trust: Trust) -> None:
    """Digest and value are of this very note: only what the signature says that it covers differs."""
    data = signed_note(authority.signer(NORMAL), Way(uri=f"#NFe{KEY[:-1]}9"))
    subject = the_subject(data)
    taken = fast_path.take(subject)
    assert taken is not None
    assert not fast_path.holds(taken, subject)
    (judged,) = judge_paper(data, sandbox_trust, world=World.SANDBOX)
    assert judged.verdict.line(Check.DIGEST).result is Result.FAILED


def test_a_text_that_cannot_be_canonical_is_left_to_the_long_way(authority: Authority) -> None:
    """Signed as it was written, not as its canonical form: no other program accepts it, and neither do we."""
    signer = authority.signer(NORMAL)
    for odd in ('<x b="1" a="2"></x>', "<x/>", '<x a="&gt;"></x>', f'<x xmlns="{NFE}"></x>'):
        covered = f'<infNFe xmlns="{NFE}" {ATTRIBUTES}>{IDE}{odd}</infNFe>'
        made = signature(covered, rsa(signer), [signer.certificate_base64])
        subject = the_subject(note(covered.replace(f' xmlns="{NFE}"', "", 1) + made))
        subject.alone = True
        signed = authenticity_signature.examine(subject)
        assert (signed.digest.check, signed.digest.result) == (Check.DIGEST, Result.FAILED), odd
        assert signed.value.result is Result.OK
