"""The sandbox's certificate authority: deterministic test keys and certificates, made when first needed.

The chain has three steps like the real one (root, issuing authority, taxpayer) and names no real authority:
nothing signed here can be mistaken for ICP-Brasil.
"""

from __future__ import annotations

import base64
import hashlib
import threading
from dataclasses import dataclass
from datetime import UTC, datetime

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

from sandbox_hub.paper.facts import Taxpayer
from sandbox_hub.paper.rsa_keys import seeded_key

ORGANIZATION = "Confere Sandbox (sem valor)"
ROOT_NAME = "Raiz de teste do Confere Sandbox"
ISSUER_NAME = "AC de teste do Confere Sandbox"

# ICP-Brasil's places for the holder's number (DOC-ICP-04): a company's CNPJ, a person's CPF.
CNPJ_OID = ObjectIdentifier("2.16.76.1.3.3")
CPF_OID = ObjectIdentifier("2.16.76.1.3.1")

# The sandbox's calendar runs from November 2025 to October 2026, and its clock can be moved on from there.
_ROOT_VALIDITY = (datetime(2020, 1, 1, tzinfo=UTC), datetime(2045, 1, 1, tzinfo=UTC))
_ISSUER_VALIDITY = (datetime(2022, 1, 1, tzinfo=UTC), datetime(2040, 1, 1, tzinfo=UTC))
_SIGNER_VALIDITY = (datetime(2025, 10, 1, tzinfo=UTC), datetime(2028, 10, 1, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Signer:
    """A taxpayer's key with its certificate."""

    key: RSAPrivateKey
    certificate: x509.Certificate
    certificate_base64: str  # DER, one line, as `X509Certificate` holds it

    def sign(self, signed_info: bytes) -> str:
        """RSA with SHA-1 and PKCS #1 v1.5, what NF-e and CT-e ask for; base64 on one line."""
        # SHA-1 is the layouts' rule, not a choice.
        return base64.b64encode(self.key.sign(signed_info, PKCS1v15(), SHA1())).decode()  # noqa: S303


class Authority:
    """Root, issuing authority and signers, all a function of `seed`; creating one costs nothing.

    A signer's key is made when it first signs (a fraction of a second) and kept. Threads may share one.
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = seed
        self._making = threading.RLock()
        self._keys: dict[str, RSAPrivateKey] = {}
        self._authorities: dict[str, x509.Certificate] = {}
        self._signers: dict[tuple[str, str], Signer] = {}

    def signer(self, taxpayer: Taxpayer) -> Signer:
        """The signer of a taxpayer; its certificate names it as `NAME:CNPJ`."""
        identity = (taxpayer.tax_id, taxpayer.name)
        found = self._signers.get(identity)
        if found is None:
            with self._making:
                found = self._signers.get(identity) or self._make_signer(taxpayer)
                self._signers[identity] = found
        return found

    def root_pem(self) -> bytes:
        """The certificate that everything here chains to."""
        return self._authority(ROOT_NAME).public_bytes(Encoding.PEM)

    def issuer_pem(self) -> bytes:
        """The intermediate certificate, which documents do not carry."""
        return self._authority(ISSUER_NAME).public_bytes(Encoding.PEM)

    # -- making --------------------------------------------------------------------------------------------

    def _key(self, identity: str) -> RSAPrivateKey:
        with self._making:
            if identity not in self._keys:
                self._keys[identity] = seeded_key(f"{self.seed}|{identity}")
            return self._keys[identity]

    def _authority(self, name: str) -> x509.Certificate:
        with self._making:
            if name not in self._authorities:
                root = name == ROOT_NAME
                builder = self._builder(name, ROOT_NAME, name, _ROOT_VALIDITY if root else _ISSUER_VALIDITY)
                builder = builder.add_extension(
                    x509.BasicConstraints(ca=True, path_length=1 if root else 0), critical=True
                ).add_extension(_key_usage(authority=True), critical=True)
                self._authorities[name] = builder.sign(self._key(ROOT_NAME), SHA256())
            return self._authorities[name]

    def _make_signer(self, taxpayer: Taxpayer) -> Signer:
        company = len(taxpayer.tax_id) == 14
        # X.520 ends a common name at 64 (counted in bytes here); the number must survive the cut.
        room = 63 - len(taxpayer.tax_id)
        name = taxpayer.name.encode()[:room].decode(errors="ignore")
        common_name = f"{name}:{taxpayer.tax_id}"
        holder = x509.OtherName(
            CNPJ_OID if company else CPF_OID, b"\x13" + bytes([len(taxpayer.tax_id)]) + taxpayer.tax_id.encode()
        )
        builder = (
            self._builder(common_name, ISSUER_NAME, taxpayer.tax_id, _SIGNER_VALIDITY)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(authority=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName([holder]), critical=False)
        )
        certificate = builder.sign(self._key(ISSUER_NAME), SHA256())
        encoded = base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()
        return Signer(self._key(taxpayer.tax_id), certificate, encoded)

    def _builder(
        self, subject: str, issuer: str, identity: str, validity: tuple[datetime, datetime]
    ) -> x509.CertificateBuilder:
        """What every certificate has; `identity` names the subject's key."""
        public = self._key(identity).public_key()
        serial = hashlib.sha256(f"{self.seed}|{subject}|serial".encode()).digest()[:15]
        issuing = self._key(issuer).public_key()
        return (
            x509.CertificateBuilder()
            .subject_name(_name(subject))
            .issuer_name(_name(issuer))
            .public_key(public)
            .serial_number(int.from_bytes(serial, "big") | 1)
            .not_valid_before(validity[0])
            .not_valid_after(validity[1])
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuing), critical=False)
        )


def _name(common_name: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.COUNTRY_NAME, "BR"),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, ORGANIZATION),
            x509.NameAttribute(NameOID.COMMON_NAME, common_name),
        ]
    )


def _key_usage(*, authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not authority,
        content_commitment=not authority,
        key_encipherment=not authority,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=authority,
        crl_sign=authority,
        encipher_only=False,
        decipher_only=False,
    )
