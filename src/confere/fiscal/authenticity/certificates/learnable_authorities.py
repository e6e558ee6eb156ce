"""Authorities that may be learned whatever their source: their signatures lead to a pinned root of ICP-Brasil."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256

from confere.fiscal.authenticity.certificates import trust_chain
from confere.fiscal.authenticity.certificates.icp_brasil import ROOTS


def fingerprint(certificate: x509.Certificate) -> str:
    """The SHA-256 of a certificate in hexadecimal: the name by which roots are pinned.

    Source: as `confere.fiscal.authenticity.certificates.icp_brasil` pins its roots.
    """
    return certificate.fingerprint(SHA256()).hex()


def leading_to_a_root(given: Iterable[x509.Certificate]) -> dict[str, x509.Certificate]:
    """Those of `given`, by fingerprint, that may issue and that a pinned root among them vouches for, directly or not.

    May issue: basicConstraints says CA, and keyUsage, where it is there, keyCertSign (RFC 5280, 4.2.1.3 and 4.2.1.9).

    Source: RFC 5280, sections 4.2.1.3 and 4.2.1.9; Medida Provisória 2.200-2/2001 (ICP-Brasil).
    """
    known = {fingerprint(certificate): certificate for certificate in given}
    by_issuer: dict[object, list[str]] = defaultdict(list)
    for mark, certificate in known.items():
        by_issuer[trust_chain.name_of(certificate.issuer)].append(mark)
    kept = {mark: certificate for mark, certificate in known.items() if mark in ROOTS}
    waiting = list(kept)
    while waiting:
        issuer = known[waiting.pop()]
        for mark in by_issuer[trust_chain.name_of(issuer.subject)]:
            certificate = known[mark]
            if mark not in kept and trust_chain.may_issue(certificate) and trust_chain.vouches(issuer, certificate):
                kept[mark] = certificate
                waiting.append(mark)
    return kept


def learned(given: Iterable[x509.Certificate], known: Iterable[x509.Certificate]) -> dict[str, x509.Certificate]:
    """What is new in `given` and leads to a pinned root by way of `given` and `known`; by fingerprint.

    Source: RFC 5280, section 6 (path validation); Medida Provisória 2.200-2/2001 (ICP-Brasil).
    """
    before = {fingerprint(certificate): certificate for certificate in known}
    authorities = leading_to_a_root((*before.values(), *given))
    return {mark: certificate for mark, certificate in authorities.items() if mark not in before}
