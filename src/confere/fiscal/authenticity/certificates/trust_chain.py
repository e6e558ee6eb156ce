"""Which certificates are trusted to issue others, and the walk from a signer's certificate up to one of their roots.

Only what names O=ICP-Brasil counts as ICP-Brasil's: general bundles hold the web's roots too. An account of a test
hub brings roots of its own, which count in that world alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import MD5
from cryptography.hazmat.primitives.serialization import Encoding

from confere.errors import Message, message
from confere.fiscal.authenticity import timestamps
from confere.fiscal.authenticity.certificates import certificate_bundles
from confere.fiscal.authenticity.certificates.signer_certificate import (
    REFUSALS,
    common_name,
    extension,
    extensions_are_read,
    is_strong,
    organization,
)
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result

ICP_BRASIL: Final = "ICP-Brasil"
_DEEPEST: Final = 6
"""Authorities above a signer; ICP-Brasil's chains have two or three."""
_MOST_TRIES: Final = 40
"""Signatures of certificates that one walk verifies at most, whatever is put in its way."""
_REMEMBERED: Final = 4_000
_LONGEST_NAME: Final = 200
_MOST_NAMESAKES: Final = 8
_MOST_LOOKED_AT: Final = 10_000

_Name = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Authority:
    """One on the way, and when its certificate counts."""

    name: str
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class Path:
    """Where the walk up from one certificate ended. `extra`: at a root that an account brought."""

    result: Result
    why: Message
    authorities: tuple[_Authority, ...] = ()
    extra: bool = False


@lru_cache(maxsize=_REMEMBERED)
def _facts(certificate: x509.Certificate) -> tuple[bytes, _Name, bool, bool]:
    """Its mark, its name, whether that is ICP-Brasil's, and whether its own key signed it: verifying costs, so kept."""
    subject = certificate.subject
    return _mark(certificate), name_of(subject), is_icp(subject), bool(vouches(certificate, certificate))


class Trust:
    """A store of trusted certificates. Made once and asked often: what it found about a signer it remembers.

    Not to be sent to other processes: each makes its own (a few milliseconds).
    """

    def __init__(
        self,
        certificates: Iterable[x509.Certificate],
        extra: Iterable[x509.Certificate] = (),
        learned: Iterable[x509.Certificate] = (),
    ) -> None:
        """`learned` are authorities that lead to a pinned root (`authorities`): they change no verdict that held."""
        self._issuers: dict[_Name, list[x509.Certificate]] = {}
        self._roots: set[bytes] = set()
        self._extra: set[bytes] = set()
        prints: set[bytes] = set()
        for certificate in certificates:
            if _facts(certificate)[2]:
                prints.add(self._add(certificate))
        for certificate in extra:
            mark = self._add(certificate)
            if mark not in prints:  # ICP-Brasil's own stays what it is
                self._extra.add(mark)
                prints.add(b"+" + mark)
        for certificate in learned:
            self._add(certificate)
        self._looked_at: set[bytes] = set()
        self._met: list[x509.Certificate] = []
        self.digest: Final = hashlib.sha256(b"".join(sorted(prints))).digest()[:8]
        """Eight bytes that name this store but for what was learned: a kept verdict says by what it was judged."""
        self.count: Final = len(prints)
        self._walked = lru_cache(maxsize=_REMEMBERED)(self._walk)

    @classmethod
    def of(
        cls, certificates: Iterable[bytes] = (), extra: Iterable[bytes] = (), learned: Iterable[x509.Certificate] = ()
    ) -> Trust:
        """The store of these certificates, each text PEM (one or many), DER or PKCS #7; what is none is left out."""
        return cls(certificate_bundles.read_all(certificates), certificate_bundles.read_all(extra), learned)

    def chain(
        self,
        signer: x509.Certificate,
        others: tuple[x509.Certificate, ...],
        when: timestamps.Span | None,
        *,
        extra: bool = False,
        signed: bytes | None = None,
    ) -> CheckLine:
        """The line on whether `signer` chains to a trusted root, whose authorities were valid at `when`.

        `others` came along in the signature: they help as authorities in between, as far as one that is trusted
        vouches for them. `extra` lets an account's own roots count. `signed` is what the issuer signed, where
        `signer` was written anew to be read (`lenient`).

        Source: Medida Provisória 2.200-2/2001 (ICP-Brasil); RFC 5280, section 6 (path validation).
        """
        for other in others:
            self._meet(other)
        path = self._walked(signer, others, signed)
        if path.result is Result.FAILED and extra and not self._extra and not is_icp(signer.issuer):
            return CheckLine(Check.CHAIN, Result.UNCHECKED, _NO_TEST_ROOT)
        if path.result is not Result.OK:
            return CheckLine(Check.CHAIN, path.result, path.why)
        if path.extra and not extra:
            return CheckLine(Check.CHAIN, Result.FAILED, path.why)
        if when is not None and not timestamps.overlaps(when, signer.not_valid_before_utc, signer.not_valid_after_utc):
            return CheckLine(Check.CHAIN, Result.OK, path.why)  # the line on the certificate's own dates fails
        for authority in path.authorities:
            if when is not None and not timestamps.overlaps(when, authority.first, authority.last):
                # Authorities renew: the certificate of that time may be another one.
                why = message("The certificate at hand of {name} was not valid at the time.", name=authority.name)
                return CheckLine(Check.CHAIN, Result.UNCHECKED, why)
        return CheckLine(Check.CHAIN, Result.OK, path.why)

    def _meet(self, other: x509.Certificate) -> None:
        """Remember `other`, once, for whoever learns authorities and proves it first."""
        mark = _mark(other)
        if mark in self._looked_at or len(self._looked_at) >= _MOST_LOOKED_AT:
            return
        self._looked_at.add(mark)
        known = other in self._issuers.get(name_of(other.subject), ())
        if not known and is_icp(other.subject) and may_issue(other):
            self._met.append(other)

    def take_met(self) -> tuple[x509.Certificate, ...]:
        """Authorities that came along in signatures since the last call and are not in this store; none is proved."""
        met, self._met = tuple(self._met), []
        return met

    def _add(self, certificate: x509.Certificate) -> bytes:
        mark, name, _, is_root = _facts(certificate)
        known = self._issuers.setdefault(name, [])
        if certificate not in known:
            known.append(certificate)
            if is_root:
                self._roots.add(mark)
        return mark

    def _walk(self, signer: x509.Certificate, others: tuple[x509.Certificate, ...], signed: bytes | None) -> Path:
        return _Walk(self._issuers, self._roots, self._extra, others, signed).up(signer, 0, ())


_NO_TEST_ROOT: Final = message(
    "The certificates of this test hub are not known; `confere account trust NAME FILE` adds them."
)


_OWN_ISSUER: Final = message("Its holder issued it to itself: no authority stands behind it.")
_DISOWNED: Final = Path(Result.FAILED, _OWN_ISSUER)
"""Stands for "its key did not sign it" within a walk; `_impostor` says it of the whole."""


class _Walk:
    """One search for a root, with a bound on its work."""

    def __init__(
        self,
        issuers: dict[_Name, list[x509.Certificate]],
        roots: set[bytes],
        extra: set[bytes],
        others: tuple[x509.Certificate, ...],
        signed: bytes | None,
    ) -> None:
        self._issuers = issuers
        self._roots = roots
        self._extra = extra
        self._others = others
        self._signed = signed
        self._tries = 0

    def up(self, child: x509.Certificate, below: int, passed: tuple[x509.Certificate, ...]) -> Path:
        """The best end of a path from `child`, with `below` authorities under it already."""
        wanted = name_of(child.issuer)
        signed = self._signed if not below else None
        stored = self._issuers.get(wanted, [])
        icp = is_icp(child.issuer)
        if not icp and not stored:
            return Path(Result.FAILED, _foreign(child.issuer))
        if not below and wanted == name_of(child.subject) and child not in stored and vouches(child, child):
            return Path(Result.FAILED, _OWN_ISSUER)
        best: Path | None = None
        disowned = 0
        strangers = [other for other in self._others if other not in stored and name_of(other.subject) == wanted]
        for issuer in (*stored, *strangers):
            trusted = issuer in stored
            path = self._through(child, issuer, below, (*passed, child), trusted=trusted)
            if path is not None and path.result is Result.OK:
                return path
            if path is _DISOWNED:
                disowned += 1
            elif path is not None and (best is None or path.result is Result.FAILED):
                best = path
        if (stored and disowned == len(stored)) or (not stored and self._is_called_like_another(child, signed)):
            return Path(Result.FAILED, _impostor(child.issuer))
        if best is not None:
            return best
        return Path(Result.UNCHECKED, _missing(child.issuer)) if icp else Path(Result.FAILED, _foreign(child.issuer))

    def _is_called_like_another(self, child: x509.Certificate, signed: bytes | None) -> bool:
        """Whether people would read a known authority's name as the issuer's, and no key of that authority signed.

        What people see is the common name; the rest of a name tells no two authorities of ICP-Brasil apart that are
        not both at hand.
        """
        called = _folded(common_name(child.issuer))
        namesakes = [known for each in self._issuers.values() for known in each if _folded(_called(known)) == called]
        namesakes = [known for known in namesakes if is_icp(known.subject)][:_MOST_NAMESAKES]
        return bool(namesakes) and all(vouches(known, child, signed) is False for known in namesakes)

    def _through(
        self,
        child: x509.Certificate,
        issuer: x509.Certificate,
        below: int,
        passed: tuple[x509.Certificate, ...],
        *,
        trusted: bool,
    ) -> Path | None:
        """Where the path by `issuer` ends; None where it is not the one that issued `child`.

        `_DISOWNED` where we know the issuer, and its key did not sign `child`.
        """
        other_key = not trusted and _same_key(child, issuer) is False
        if other_key or issuer in passed or below >= _DEEPEST or self._tries >= _MOST_TRIES:
            return None
        self._tries += 1
        vouched = vouches(issuer, child, self._signed if not below else None)
        if vouched is None and trusted:
            why = message(
                "That {name} signed it cannot be checked: its key or algorithm is not known, or too weak.",
                name=_called(issuer),
            )
            return Path(Result.UNCHECKED, why)
        if not vouched:
            # What came with the paper proves nothing against it; an authority that we know does.
            return _DISOWNED if trusted else None
        if not extensions_are_read(issuer):
            if not trusted:
                return None
            return Path(Result.UNCHECKED, message("The certificate of {name} cannot be read.", name=_called(issuer)))
        if not may_issue(issuer, below):
            why = message("{name} signed it, which may not issue certificates.", name=_called(issuer))
            return Path(Result.FAILED, why)
        here = _Authority(_called(issuer), issuer.not_valid_before_utc, issuer.not_valid_after_utc)
        mark = _mark(issuer)
        if mark in self._roots:
            extra = mark in self._extra
            return Path(Result.OK, _arrived(here.name, extra=extra), (here,), extra)
        onwards = self.up(issuer, below + 1, passed)
        return replace(onwards, authorities=(here, *onwards.authorities))


def vouches(issuer: x509.Certificate, child: x509.Certificate, signed: bytes | None = None) -> bool | None:
    """Whether the key of `issuer` signed `child`; None where its key or a broken algorithm proves nothing.

    An algorithm that is none of this key's kind was not used by it. `signed` stands for the text of `child`.

    Source: RFC 5280, section 6.1.3 (the signature of a certificate by its issuer).
    """
    try:
        key = issuer.public_key()
    except REFUSALS:
        return None
    if not is_strong(key):
        return None
    text = child.tbs_certificate_bytes if signed is None else signed
    try:
        hashing = child.signature_hash_algorithm
        how = child.signature_algorithm_parameters
    except REFUSALS:
        return False  # no algorithm that an authority of ICP-Brasil may sign by (DOC-ICP-01.01)
    try:
        if isinstance(key, RSAPublicKey):
            if hashing is None or not hasattr(how, "name"):
                return False
            key.verify(child.signature, text, how, hashing)  # type: ignore[arg-type]
        elif isinstance(key, EllipticCurvePublicKey):
            if not isinstance(how, ECDSA):
                return False
            key.verify(child.signature, text, how)
        elif isinstance(key, Ed25519PublicKey | Ed448PublicKey):
            key.verify(child.signature, text)
        else:
            return None
    except InvalidSignature:
        return False
    except REFUSALS:
        return None if isinstance(hashing, MD5) else False
    return None if isinstance(hashing, MD5) else True


def may_issue(issuer: x509.Certificate, below: int = 0) -> bool:
    """Whether `issuer` is an authority that may stand above `below` others (RFC 5280, 4.2.1.9 and 4.2.1.3).

    Source: RFC 5280, sections 4.2.1.3 and 4.2.1.9.
    """
    basic = extension(issuer, x509.BasicConstraints)
    if basic is None or not basic.ca or (basic.path_length is not None and below > basic.path_length):
        return False
    usage = extension(issuer, x509.KeyUsage)
    return usage is None or usage.key_cert_sign


def _same_key(child: x509.Certificate, issuer: x509.Certificate) -> bool | None:
    """Whether `child` names the key of `issuer` as its signer's; None where either says nothing."""
    authority_key = extension(child, x509.AuthorityKeyIdentifier)
    given = extension(issuer, x509.SubjectKeyIdentifier)
    if authority_key is None or authority_key.key_identifier is None or given is None:
        return None
    return authority_key.key_identifier == given.digest


def _mark(certificate: x509.Certificate) -> bytes:
    return hashlib.sha256(certificate.public_bytes(Encoding.DER)).digest()


def name_of(name: x509.Name) -> _Name:
    """A name as it is compared: whatever string types and spaces it is written with (RFC 5280, 7.1).

    Source: RFC 5280, section 7.1.
    """
    return tuple((part.oid.dotted_string, " ".join(str(part.value).split()).casefold()) for part in name)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _called(certificate: x509.Certificate) -> str:
    return common_name(certificate.subject)[:_LONGEST_NAME]


def is_icp(name: x509.Name) -> bool:
    """Whether the name says that it is of ICP-Brasil, which anybody can write.

    Source: Medida Provisória 2.200-2/2001 (ICP-Brasil) (O=ICP-Brasil in the names of its certificates).
    """
    return " ".join(organization(name).split()).casefold() == ICP_BRASIL.casefold()


def _arrived(root: str, *, extra: bool) -> Message:
    if extra:
        return message("Chains to {root}, trusted for sandbox accounts only.", root=root)
    return message("Chains to {root}.", root=root)


def _foreign(issuer: x509.Name) -> Message:
    return message("Issued by {name}, which is not part of ICP-Brasil.", name=common_name(issuer)[:_LONGEST_NAME])


def _impostor(issuer: x509.Name) -> Message:
    return message(
        "The certificate bears the name of {name}, which did not sign it.", name=common_name(issuer)[:_LONGEST_NAME]
    )


def _missing(issuer: x509.Name) -> Message:
    return message(
        "The certificate of {name}, which issued it, is not at hand.", name=common_name(issuer)[:_LONGEST_NAME]
    )
