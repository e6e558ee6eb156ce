"""Signatures of the other models: the signed element by its Id, and plain words about what cannot be told offline."""

from __future__ import annotations

import pytest

from confere.fiscal.access_keys import check_digit
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import SignedKind, World, judge_paper
from confere.fiscal.authenticity.verdict import Check, Result
from confere.fiscal.model import State
from confere.fiscal.state import StateEvent
from confere.fiscal.state_evidence import Own, ReportedEvent, standing
from sandbox_hub.paper.authority import Authority
from tests.fiscal import heads_made as made
from tests.fiscal.authenticity.signing import DSIG, Way, rsa, signature
from tests.sandbox_hub.paper.cases import NORMAL

SPACES = {"gtve": "cte", "dce": "dce"}


def signed(authority: Authority, covered: str, identity: str) -> str:
    signer = authority.signer(NORMAL)
    return signature(covered, rsa(signer), [signer.certificate_base64], Way(uri=f"#{identity}"))


def signed_document(authority: Authority, name: str) -> str:
    """A document of that model in good order, signed by the emitter."""
    if name == "cfe":
        return made.cfe(signed(authority, made.cfe_body(), f"CFe{made.cfe_key()}"))
    if name == "nfse":
        # In canonical form attributes come by name, after the namespace.
        body = made.nfse_body(declared=f' xmlns="{made.SERVICE}"')
        return made.nfse(signature=signed(authority, body, f"NFS{made.nfse_key()}"))
    whole = getattr(made, name)()
    tag = {"gtve": "infCte", "dce": "infDCe"}[name]
    start, end = whole.index(f"<{tag} "), whole.index(f"</{tag}>") + len(f"</{tag}>")
    space = f"{made.FISCAL}{SPACES[name]}"
    identity = whole[start:].partition('Id="')[2].partition('"')[0]
    layout = whole[start:].partition('versao="')[2].partition('"')[0]
    inside = whole[start:end].partition(">")[2]
    covered = f'<{tag} xmlns="{space}" Id="{identity}" versao="{layout}">{inside}'
    return str(getattr(made, name)(signed(authority, covered, identity)))


def signed_event(authority: Authority) -> str:
    """The registered cancellation of the NFS-e."""
    whole = made.nfse_event(signature="")
    start, end = whole.index("<infEvento "), whole.index("</infEvento>") + len("</infEvento>")
    covered = whole[start:end].replace("<infEvento ", f'<infEvento xmlns="{made.SERVICE}" ', 1)
    return made.nfse_event(signature=signed(authority, covered, f"EVT{made.nfse_key()}101101001"))


def signed_cancellation(authority: Authority) -> str:
    """The coupon that cancels the CF-e."""
    whole = made.cfe_cancelled(signature="")
    start, end = whole.index("<infCFe "), whole.index("</infCFe>") + len("</infCFe>")
    covered = whole[start:end].replace("<dest/>", "<dest></dest>")
    return made.cfe_cancelled(signed(authority, covered, f"CFe{made.cfe_key(42)}"))


def lines(data: str, trust: Trust) -> dict[Check, Result]:
    (judged,) = judge_paper(data.encode(), trust, world=World.SANDBOX)
    return {line.check: line.result for line in judged.verdict.lines}


@pytest.mark.parametrize("name", ["gtve", "dce", "cfe", "nfse"])
def test_what_is_signed_holds_and_one_changed_letter_does_not(
    name: str, authority: Authority, sandbox_trust: Trust
) -> None:
    data = signed_document(authority, name)
    found = lines(data, sandbox_trust)
    assert found[Check.DIGEST] is found[Check.SIGNATURE] is found[Check.CHAIN] is Result.OK
    assert found[Check.CHECK_DIGIT] is found[Check.KEY_FIELDS] is Result.OK
    # Who makes an NFS-e signs it: whether this one may is not known offline.
    assert found[Check.SIGNER] is (Result.UNCHECKED if name == "nfse" else Result.OK)
    assert found[Check.PROTOCOL] is (Result.NOT_APPLICABLE if name in ("cfe", "nfse") else Result.OK)
    assert Result.FAILED not in found.values()
    for was, now in (("Compradora", "Comprador4"), ("Maria", "Mario"), ("Vendedora", "Vendedor4")):
        if was in data:
            assert lines(data.replace(was, now), sandbox_trust)[Check.DIGEST] is Result.FAILED


@pytest.mark.parametrize("name", ["gtve", "dce", "cfe", "nfse"])
def test_fields_that_disagree_with_the_key_fail(name: str, authority: Authority, sandbox_trust: Trust) -> None:
    number = {"gtve": "<nCT>21", "dce": "<nDC>31", "cfe": "<nCFe>000041", "nfse": "<nNFSe>51"}[name]
    data = signed_document(authority, name)
    assert number in data
    assert lines(data.replace(number, f"{number[:-1]}9"), sandbox_trust)[Check.KEY_FIELDS] is Result.FAILED


def test_an_unsigned_document_of_another_model_is_not_authentic(sandbox_trust: Trust) -> None:
    for data in (made.gtve(), made.dce(), made.cfe(signature=""), made.nfse(signature="")):
        assert lines(data, sandbox_trust)[Check.SIGNATURE] is Result.FAILED


def test_an_nfe_cannot_have_the_key_of_a_service_note(sandbox_trust: Trust) -> None:
    data = f'<NFe xmlns="{made.FISCAL}nfe"><infNFe Id="NFe{made.nfse_key()}"><ide><mod>55</mod></ide></infNFe></NFe>'
    assert lines(data, sandbox_trust)[Check.CHECK_DIGIT] is Result.FAILED


def test_events_without_an_answer_of_their_own_are_judged_by_their_signature(
    authority: Authority, sandbox_trust: Trust
) -> None:
    key, event = made.nfse_key(), signed_event(authority)
    (judged,) = judge_paper(event.encode(), sandbox_trust, world=World.SANDBOX)
    found = {line.check: line.result for line in judged.verdict.lines}
    assert (judged.kind, judged.access_key, judged.code, judged.sequence) == (SignedKind.EVENT, key, "101101", 1)
    assert found[Check.DIGEST] is found[Check.SIGNATURE] is found[Check.KEY_FIELDS] is Result.OK
    assert found[Check.PROTOCOL] is Result.NOT_APPLICABLE
    assert Result.FAILED not in found.values()
    for forged in (made.nfse_event(signature=""), event.replace("nao prestado", "nao pago")):
        (judged,) = judge_paper(forged.encode(), sandbox_trust, world=World.SANDBOX)
        assert judged.verdict.result is Result.FAILED
    assert DSIG in event


def test_the_coupon_that_cancels_is_judged_too(authority: Authority, sandbox_trust: Trust) -> None:
    data = signed_cancellation(authority)
    found = lines(data, sandbox_trust)
    assert found[Check.DIGEST] is found[Check.SIGNATURE] is found[Check.SIGNER] is Result.OK
    assert found[Check.KEY_FIELDS] is Result.OK
    # Whose coupon it cancels is signed with all else.
    other = data.replace(f'chCanc="CFe{made.cfe_key()}', f'chCanc="CFe{made.cfe_key(43)}')
    assert lines(other, sandbox_trust)[Check.DIGEST] is Result.FAILED


def test_equipment_is_certified_by_others_than_icp_brasil(authority: Authority, sandbox_trust: Trust) -> None:
    """Not known here is not false; what another vouches for in place of ICP-Brasil still fails, as does a note."""
    nobody = Trust.of()
    for data in (signed_document(authority, "cfe"), signed_cancellation(authority)):
        (judged,) = judge_paper(data.encode(), nobody)
        assert judged.verdict.line(Check.CHAIN).result is Result.UNCHECKED
        assert judged.verdict.result is Result.UNCHECKED
    (judged,) = judge_paper(signed_document(authority, "dce").encode(), nobody)
    assert judged.verdict.line(Check.CHAIN).result is Result.FAILED
    assert lines(signed_document(authority, "cfe"), sandbox_trust)[Check.CHAIN] is Result.OK


def test_equipment_cancels_its_own_coupons_alone(authority: Authority, sandbox_trust: Trust) -> None:
    other = made.cfe_key().replace("900002631", "900002632")
    other = other[:-1] + check_digit(other)
    whole = made.cfe_cancelled(signature="").replace(made.cfe_key(), other)
    start, end = whole.index("<infCFe "), whole.index("</infCFe>") + len("</infCFe>")
    covered = whole[start:end].replace("<dest/>", "<dest></dest>")
    made_signature = signed(authority, covered, f"CFe{made.cfe_key(42)}")
    data = made.cfe_cancelled(made_signature).replace(made.cfe_key(), other)
    found = lines(data, sandbox_trust)
    assert (found[Check.DIGEST], found[Check.KEY_FIELDS]) == (Result.OK, Result.FAILED)


@pytest.mark.parametrize(("code", "state"), [("101101", State.CANCELLED), ("105105", State.AUTHORIZED)])
def test_an_event_of_a_service_note_that_does_not_fail_is_believed(code: str, state: State) -> None:
    assert standing(Own("100", model="nfse"), [ReportedEvent(StateEvent(code, True), 1)]).state is state
    forged = ReportedEvent(StateEvent(code, True), 1, failed=frozenset({Check.SIGNATURE}))
    assert standing(Own("100", model="nfse"), [forged]).state is State.AUTHORIZED
