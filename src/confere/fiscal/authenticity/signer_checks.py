"""The checks of the signer: whose certificate it is, whether it was valid at the time, and its chain of trust."""

from __future__ import annotations

from typing import Final

from cryptography import x509

from confere.errors import Message, message
from confere.fiscal import access_keys, document_models, taxpayers
from confere.fiscal.authenticity import timestamps
from confere.fiscal.authenticity.certificates.signer_certificate import Certificate, common_name
from confere.fiscal.authenticity.certificates.trust_chain import Trust, is_icp
from confere.fiscal.authenticity.signature import Signed, garbled, unreadable
from confere.fiscal.authenticity.signed_parts import Subject
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result, SignedKind
from confere.fiscal.reading.elements import LOCAL

_CNPJ: Final = 14
_ON_ITS_SITE: Final = range(890, 920)
"""Series of notes made on the tax authority's own site (NFA-e), which it signs where procEmi is 1."""
_FOR_OTHERS: Final = {"1": _ON_ITS_SITE, "4": range(1000)}
"""By procEmi the series that others than the emitter sign: the authority, a provider (PAA)."""
_SIMPLIFIED: Final = "3"  # tpEmis of what a provider signs (NFF); in a note before layout 4.00 a contingency
_SIMPLIFIED_SINCE: Final = "4.00"
_EMITTERS_EVENTS: Final = frozenset(
    {"110110", "110111", "110112", "110113", "110140", "110160", "110170", "110180", "110181", "110190", "110191"}
)
"""Events that none but the document's emitter may send: the authorities refuse them from anybody else."""
_TAKERS_EVENTS: Final = frozenset({"610110", "610111"})
_AUTHORITYS_EVENTS: Final = ("24", "3", "4", "5", "6", "7", "8", "9")
"""How the codes of events begin that authorities register, one of them sometimes in another one's name."""
_LONGEST_AUTHOR: Final = 60
_RIGHT_SIGNER: Final = CheckLine(Check.SIGNER, Result.OK)
_IN_TIME: Final = CheckLine(Check.CERTIFICATE_DATES, Result.OK)
_CHECKS: Final = (Check.SIGNER, Check.CERTIFICATE_DATES, Check.CHAIN)


def lines(subject: Subject, signed: Signed, trust: Trust, *, sandbox: bool) -> tuple[CheckLine, CheckLine, CheckLine]:
    """Three checks: the signer is the author, the certificate was valid at signing, its chain ends at a trusted root.

    With `sandbox` the roots that the account brought count too. Where the authority or a provider signs in the
    emitter's place (NFA-e, NFF, NFS-e), another signer is UNCHECKED, not FAILED.

    Source: MOC 7.0, rejection 213 (the CNPJ root of the emitter and of the certificate), NFA-e by series and `procEmi`;
    RFC 5280, section 4.1.2.5 (validity); Medida Provisória 2.200-2/2001 (ICP-Brasil).
    """
    if not signed.present:
        return _all(Result.NOT_APPLICABLE, message("There is no signature."))
    certificate = signed.certificate
    if certificate is None:
        return _all(Result.UNCHECKED, message("The signature carries no certificate."))
    if certificate.is_garbled:
        return _all(Result.UNCHECKED, garbled(certificate))
    if certificate.parsed is None:
        return _all(Result.UNCHECKED, unreadable(certificate))
    when = _signed_at(subject)
    others = tuple(other.parsed for other in signed.others if other.parsed is not None)
    chain = trust.chain(certificate.parsed, others, when, extra=sandbox, signed=certificate.signed)
    if chain.result is Result.FAILED and subject.body is not None and LOCAL[subject.body.tag] == "infCFe":
        chain = _of_equipment(certificate.parsed, chain)
    return _signer(subject, certificate), _dates(certificate, when), chain


def _of_equipment(certificate: x509.Certificate, chain: CheckLine) -> CheckLine:
    """SAT equipment is certified by authorities of its state, which are no part of ICP-Brasil and not at hand here.

    A certificate that vouches for itself, or bears ICP-Brasil's name, is none of theirs. Source: specification of the
    SAT (ER 2.x), AC SAT.
    """
    if certificate.issuer == certificate.subject or is_icp(certificate.issuer):
        return chain
    name = common_name(certificate.issuer)[:_LONGEST_AUTHOR]
    why = message("SAT equipment is certified by authorities of its state ({name}), which are not at hand.", name=name)
    return CheckLine(Check.CHAIN, Result.UNCHECKED, why)


def _all(result: Result, why: Message) -> tuple[CheckLine, CheckLine, CheckLine]:
    signer, dates, chain = (CheckLine(check, result, why) for check in _CHECKS)
    return signer, dates, chain


def _signer(subject: Subject, certificate: Certificate) -> CheckLine:
    author = subject.author
    if author is None:
        return CheckLine(Check.SIGNER, Result.UNCHECKED, message("The paper names no CNPJ or CPF of its author."))
    if not certificate.tax_ids:
        why = message("The certificate of {name} names no CNPJ or CPF.", name=certificate.holder)
        return CheckLine(Check.SIGNER, Result.UNCHECKED, why)
    if subject.kind is SignedKind.EVENT and _is_strangers(subject, author):
        why = message("Only the document's emitter may send this event, not {author}.", author=_shown(author))
        return CheckLine(Check.SIGNER, Result.FAILED, why)
    if "chNFSe" in subject.fields or subject.fields.get("mod") == document_models.SERVICE_MODEL:
        why = message("The system that makes NFS-e signs them, not the provider; {name} did.", name=certificate.holder)
        return CheckLine(Check.SIGNER, Result.UNCHECKED, why)
    if any(_same(author, number) for number in certificate.tax_ids):
        return _RIGHT_SIGNER
    if _may_sign_for_others(subject):
        why = message("An authority or a provider may sign this kind of paper; {name} did.", name=certificate.holder)
        return CheckLine(Check.SIGNER, Result.UNCHECKED, why)
    why = message(
        "Signed by {name} ({number}), not by {author}.",
        name=certificate.holder.rpartition(":")[0] or certificate.holder,
        number=", ".join(map(taxpayers.format_tax_id, sorted(certificate.tax_ids))),
        author=_shown(author),
    )
    return CheckLine(Check.SIGNER, Result.FAILED, why)


def _same(author: str, number: str) -> bool:
    """Whether two CNPJ are of one company, or two CPF of one person."""
    if len(author) == _CNPJ == len(number):
        return author[:8] == number[:8]
    return author == number


def _shown(author: str) -> str:
    return taxpayers.format_tax_id(author)[:_LONGEST_AUTHOR]


def _is_strangers(subject: Subject, author: str) -> bool:
    """Whether the event is one of the emitter's own, and its author of another company."""
    parts = access_keys.parse(subject.access_key or "")
    if parts is None or subject.fields.get("tpEvento") not in _EMITTERS_EVENTS:
        return False
    if parts.model == "55" and parts.series in _ON_ITS_SITE:
        return False
    return not _same(author, parts.emitter_field) and author.rjust(_CNPJ, "0") != parts.emitter_field


def _may_sign_for_others(subject: Subject) -> bool:
    get = subject.fields.get
    if subject.kind is SignedKind.EVENT:
        code = get("tpEvento", "")
        return code.startswith(_AUTHORITYS_EVENTS) and code not in _TAKERS_EVENTS
    if subject.kind is not SignedKind.DOCUMENT:
        return False
    model, series = get("mod"), get("serie", "")
    if model == "55" and access_keys.names_authority(model, series):
        return True
    if get("tpEmis") == _SIMPLIFIED:
        layout = subject.body.get("versao", "") if subject.body is not None else ""
        return model != "55" or layout >= _SIMPLIFIED_SINCE
    known = _FOR_OTHERS.get(get("procEmi", ""), range(0))
    return model == "55" and series.isdecimal() and len(series) <= 3 and int(series) in known


def _signed_at(subject: Subject) -> timestamps.Span | None:
    """When the paper was signed, as near as it can be told: as the authority received it, else as it was issued."""
    answer, fields = subject.answer or {}, subject.fields
    received = timestamps.span(answer.get("dhRecbto") or answer.get("dhRegEvento"))
    return received or timestamps.span(fields.get("dhEmi") or fields.get("dEmi") or fields.get("dhEvento"))


def _dates(certificate: Certificate, when: timestamps.Span | None) -> CheckLine:
    first, last = certificate.not_before, certificate.not_after
    if when is None or first is None or last is None:
        why = message("Nothing says when the paper was signed.")
        return CheckLine(Check.CERTIFICATE_DATES, Result.UNCHECKED, why)
    if timestamps.overlaps(when, first, last):
        return _IN_TIME
    why = message(
        "The certificate counts from {first} to {last}; the paper was signed on {day}.",
        first=first.date().isoformat(),
        last=last.date().isoformat(),
        day=when[0].date().isoformat(),
    )
    return CheckLine(Check.CERTIFICATE_DATES, Result.FAILED, why)
