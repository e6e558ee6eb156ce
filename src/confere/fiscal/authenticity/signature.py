"""The signature of a paper: the digest of what it covers, recomputed, and its value, by the certificate's key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from lxml.etree import _Element

from confere.errors import Message, message
from confere.fiscal.authenticity import algorithms, canonical, fast_path
from confere.fiscal.authenticity.certificates import signer_certificate
from confere.fiscal.authenticity.certificates.signer_certificate import Certificate
from confere.fiscal.authenticity.signed_parts import Subject
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result
from confere.fiscal.reading.elements import LOCAL

_SIGNATURE: Final = f"{{{algorithms.DSIG}}}Signature"
_LONGEST_VALUE: Final = 8_000
"""Characters of a SignatureValue; a key of 16,384 bits, the largest there is, needs 2,732."""
_MOST_CERTIFICATES: Final = 8

_Form = tuple[str, tuple[str, ...]]  # a canonical form and its prefixes
_Test = Callable[[bytes | None], bool]  # of a canonical text, where there is one


@dataclass(slots=True)
class Signed:
    """The result of checking a signature; where there is none, `present` is False and the rest is empty.

    `certificate` is the signer's: the one whose key fits, else the first; `others` came along with it.
    """

    digest: CheckLine
    value: CheckLine
    present: bool = True
    written_digest: str = ""  # DigestValue, without white space
    certificate: Certificate | None = None
    others: tuple[Certificate, ...] = ()


@dataclass(slots=True)
class _Info:
    """A `SignedInfo`, taken apart."""

    element: _Element
    canonicalization: _Form = ("", ())
    method: str = ""
    references: int = 0
    uri: str = ""
    transforms: list[_Form] = field(default_factory=list)
    digest_method: str = ""
    digest_value: str = ""


def examine(subject: Subject) -> Signed:
    """Checks digest and value of the signature of `subject`, which has the element that its author signed.

    Source: W3C XML Signature Syntax and Processing (RFC 3275), section 3.2 (core validation); MOC 7.0 (one signature,
    which covers the Id and carries its X509Certificate).
    """
    if not subject.signatures:
        return Signed(_digest(Result.NOT_APPLICABLE, _ABSENT), _value(Result.FAILED, _ABSENT), present=False)
    if len(subject.signatures) > 1:
        return _unusable(message("There are {count} signatures where one belongs.", count=len(subject.signatures)))
    taken = fast_path.take(subject) if subject.alone else None
    if taken is not None and fast_path.holds(taken, subject):
        return Signed(_nothing_beside(_DIGEST_HOLDS, subject), _VALUE_HOLDS, True, taken.digest, taken.certificate)
    info, written = _take_apart(subject.signatures[0])
    if info is None:
        return _unusable(message("The signature has no SignedInfo."))
    certificates_given = _certificates(subject.signatures[0])
    if subject.element is None or canonical.is_crowded(subject.element):
        first = certificates_given[0] if certificates_given else None
        return Signed(
            _digest(Result.UNCHECKED, _CROWDED), _value(Result.UNCHECKED, _CROWDED), True, info.digest_value, first
        )
    value, signer = _check_value(info, subject.element, written, certificates_given)
    others = tuple(other for other in certificates_given if other is not signer)
    digest = _nothing_beside(_check_digest(subject, info), subject)
    return Signed(digest, value, True, info.digest_value, signer, others)


def unreadable(certificate: Certificate) -> Message:
    """The reason why a line is unchecked: the certificate cannot be parsed, which does not make it false.

    Source: RFC 5280 (what strict parsers refuse of old certificates is no proof against them).
    """
    return message("The certificate cannot be read: {words}", words=certificate.broken or "?")


def garbled(certificate: Certificate) -> Message:
    """The reason for a line where `X509Certificate` holds something that is not a certificate.

    Source: MOC 7.0, annex I, XS16 (`X509Certificate`).
    """
    return message("What stands in the certificate's place is none: {words}", words=certificate.broken or "?")


# -- taking apart ----------------------------------------------------------------------------------------


def _take_apart(signature: _Element) -> tuple[_Info | None, str]:
    info: _Info | None = None
    value = ""
    for part in signature:
        name = LOCAL[part.tag]
        if name == "SignedInfo" and info is None:
            info = _info(part)
        elif name == "SignatureValue":
            value = _unspaced(part)
    return info, value


def _info(element: _Element) -> _Info:
    info = _Info(element)
    for part in element:
        name = LOCAL[part.tag]
        if name == "CanonicalizationMethod":
            info.canonicalization = _form(part)
        elif name == "SignatureMethod":
            info.method = part.get("Algorithm") or ""
        elif name == "Reference":
            info.references += 1
            _reference(part, info)
    return info


def _reference(element: _Element, info: _Info) -> None:
    info.uri = element.get("URI", "?")
    for part in element:
        name = LOCAL[part.tag]
        if name == "Transforms":
            info.transforms = [_form(transform) for transform in part]
        elif name == "DigestMethod":
            info.digest_method = part.get("Algorithm") or ""
        elif name == "DigestValue":
            info.digest_value = _unspaced(part)


def _form(method: _Element) -> _Form:
    """A method and, of an exclusive canonical form, its PrefixList."""
    for part in method:
        if LOCAL[part.tag] == "InclusiveNamespaces":
            return method.get("Algorithm") or "", tuple((part.get("PrefixList") or "").split())
    return method.get("Algorithm") or "", ()


def _unspaced(element: _Element) -> str:
    """The base64 of `element`; pretty printers put white space into it."""
    return "".join((element.text or "").split())


def _certificates(signature: _Element) -> list[Certificate]:
    given: list[Certificate] = []
    for element in signature.iter("{*}X509Certificate"):
        given.append(signer_certificate.read(element.text or ""))
        if len(given) == _MOST_CERTIFICATES:
            break
    return given


# -- the digest ------------------------------------------------------------------------------------------


def _check_digest(subject: Subject, info: _Info) -> CheckLine:
    covered = _covered(subject, info)
    if isinstance(covered, Message):
        return _digest(Result.FAILED, covered)
    hashing = algorithms.DIGESTS.get(info.digest_method)
    if hashing is None:
        return _digest(Result.UNCHECKED, _unknown(info.digest_method))
    forms = [form for form in info.transforms if form[0] != algorithms.ENVELOPED]
    unknown = [form for form in forms if not canonical.is_known(form[0])]
    if unknown or len(forms) > 1:
        return _digest(Result.UNCHECKED, _unknown((unknown or forms)[-1][0]))
    written = algorithms.decoded(info.digest_value)
    if written is None:
        return _digest(Result.FAILED, message("The digest in the signature cannot be read."))
    form = forms[0] if forms else (canonical.INCLUSIVE, ())

    def holds(text: bytes | None) -> bool:
        return text is not None and hashing(text).digest() == written

    line = _holding_line(Check.DIGEST, covered, subject.element, form, holds)
    if line is not None:
        wrapped = (
            covered is not subject.body and subject.element is not None and subject.element.getparent() is not None
        )
        return CheckLine(Check.DIGEST, Result.OK, _DETACHED) if wrapped else line
    why = _INDENTED if _holds_unindented(covered, form, holds) else _CHANGED
    return CheckLine(Check.DIGEST, Result.FAILED, why, altered=True)


def _nothing_beside(line: CheckLine, subject: Subject) -> CheckLine:
    """`line`, where all that is shown of the paper is what it is about."""
    if line.result is not Result.OK or not subject.beside:
        return line
    why = message("Beside the signed part stands what nobody signed: {names}.", names=subject.beside)
    return _digest(Result.UNCHECKED, why)


def _covered(subject: Subject, info: _Info) -> _Element | Message:
    """What the signature covers, where that is the paper that was read and nothing else."""
    body, element = subject.body, subject.element
    if subject.bodies > 1:
        return message("{count} elements claim to be the signed one.", count=subject.bodies)
    if info.references != 1:
        return message("The signature covers {count} parts where one belongs.", count=info.references)
    if body is not None and subject.identity and info.uri == "#" + subject.identity:
        return body
    enveloped = any(form[0] == algorithms.ENVELOPED for form in info.transforms)
    if element is not None and info.uri == "" and enveloped:  # all of the file, as its author had it
        return canonical.without(element, _SIGNATURE)
    return message("The signature covers {uri}, which is not the paper itself.", uri=info.uri[:80] or "—")


# -- the value -------------------------------------------------------------------------------------------


def _check_value(
    info: _Info, element: _Element | None, written: str, given: list[Certificate]
) -> tuple[CheckLine, Certificate | None]:
    """The line on the value, and the signer's certificate."""
    first = given[0] if given else None
    if algorithms.is_shared_secret(info.method):
        why = message("The value was made with a shared secret ({algorithm}): nobody signed.", algorithm=info.method)
        return _value(Result.FAILED, why), first
    if not algorithms.is_signature(info.method):
        return _value(Result.UNCHECKED, _unknown(info.method)), first
    if not canonical.is_known(info.canonicalization[0]):
        return _value(Result.UNCHECKED, _unknown(info.canonicalization[0])), first
    if first is None:
        # Source: MOC 7.0, annex I, XS16: every signature of these layouts carries its X509Certificate.
        return _value(Result.FAILED, message("The signature carries no certificate.")), None
    value = algorithms.decoded(written) if len(written) <= _LONGEST_VALUE else None
    if value is None:
        return _value(Result.FAILED, message("The value of the signature cannot be read.")), first
    for certificate in given:
        line = _holding_line(
            Check.SIGNATURE, info.element, element, info.canonicalization, _by(certificate, info, value)
        )
        if line is not None:
            return line, certificate
    if first.is_garbled:
        return _value(Result.FAILED, garbled(first)), first
    if first.key is None:
        return _value(Result.UNCHECKED, unreadable(first)), first
    unindented = _holds_unindented(info.element, info.canonicalization, _by(first, info, value))
    return CheckLine(Check.SIGNATURE, Result.FAILED, _INDENTED if unindented else _NOT_BY_KEY, altered=True), first


def _by(certificate: Certificate, info: _Info, value: bytes) -> _Test:
    key = certificate.key

    def holds(text: bytes | None) -> bool:
        return key is not None and text is not None and algorithms.fits(key, info.method, value, text)

    return holds


# -- where it holds --------------------------------------------------------------------------------------


def _holding_line(
    check: Check, element: _Element, paper: _Element | None, form: _Form, holds: _Test
) -> CheckLine | None:
    """An OK line where `holds` accepts the canonical form of `element`: here, or with nothing around `paper`.

    What programs wrap around a paper after signing can put its namespaces in scope of the signed text; the
    authority received the paper alone.
    """
    alone = holds(canonical.alone(element, *form))
    if not canonical.inherits(element):
        return CheckLine(check, Result.OK) if alone else None
    if holds(canonical.in_place(element, *form)):
        return CheckLine(check, Result.OK)
    if alone or (paper is not None and holds(canonical.in_paper(element, paper, *form))):
        return CheckLine(check, Result.OK, _DETACHED)
    return None


def _holds_unindented(element: _Element, form: _Form, holds: _Test) -> bool:
    return holds(canonical.alone(canonical.without_indentation(element), *form))


_ABSENT: Final = message("There is no signature.")
_CHANGED: Final = message("The signed text was changed after signing.")
_INDENTED: Final = message("The signed text was changed after signing: without its indentation it would hold.")
_NOT_BY_KEY: Final = message("The signature was not made by the key of its certificate, or was changed since.")
_CROWDED: Final = message("It is built so that checking it would take too long.")
_DETACHED: Final = message("It holds for the paper alone, as it was sent, not inside what stands around it now.")
_DIGEST_HOLDS: Final = CheckLine(Check.DIGEST, Result.OK)
_VALUE_HOLDS: Final = CheckLine(Check.SIGNATURE, Result.OK)


def _unusable(why: Message) -> Signed:
    return Signed(_digest(Result.FAILED, why), _value(Result.FAILED, why))


def _unknown(algorithm: str) -> Message:
    return message("The algorithm {algorithm} cannot be checked.", algorithm=algorithm[:120] or "—")


def _digest(result: Result, why: Message) -> CheckLine:
    return CheckLine(Check.DIGEST, result, why)


def _value(result: Result, why: Message) -> CheckLine:
    return CheckLine(Check.SIGNATURE, result, why)
