"""Signatures of every paper by an independent program (xmlsec), their digests, and the chain of certificates."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime

import pytest
import xmlsec
from cryptography import x509
from cryptography.x509.verification import ExtensionPolicy, PolicyBuilder, Store
from lxml import etree

from sandbox_hub.paper.document_factory import Authority
from tests.sandbox_hub.paper.cases import CARRIER, LETTERS, NORMAL, SHOP

DSIG = "{http://www.w3.org/2000/09/xmldsig#}"
C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
SIGNED = {"infNFe", "infCte", "infEvento", "infInut"}


def certificate_of(root: etree._Element) -> x509.Certificate:
    (encoded,) = root.iter(f"{DSIG}X509Certificate")
    return x509.load_der_x509_certificate(base64.b64decode(encoded.text or ""))


def verifies(data: bytes) -> bool:
    """What xmlsec says of the one signature, with the key of the certificate that the paper carries."""
    root = etree.fromstring(data)
    xmlsec.tree.add_ids(root, ["Id"])
    (signature,) = root.iter(f"{DSIG}Signature")
    (encoded,) = root.iter(f"{DSIG}X509Certificate")
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(base64.b64decode(encoded.text or ""), xmlsec.KeyFormat.CERT_DER)
    try:
        context.verify(signature)
    except xmlsec.VerificationError:
        return False
    return True


def test_xmlsec_accepts_every_signature(papers: dict[str, bytes]) -> None:
    assert len(papers) > 50
    assert [name for name, data in papers.items() if not verifies(data)] == []


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("note: return", b"<vUnCom>39.90</vUnCom>", b"<vUnCom>39.91</vUnCom>"),
        ("freight: freight, 2026", b"<vTPrest>43.21", b"<vTPrest>43.12"),
        ("event: cancellation", b"estorno", b"Estorno"),
        ("voiding", b"<nNFFin>4715", b"<nNFFin>4716"),
    ],
)
def test_xmlsec_refuses_what_was_changed(papers: dict[str, bytes], name: str, before: bytes, after: bytes) -> None:
    changed = papers[name].replace(before, after, 1)
    assert changed != papers[name]
    assert not verifies(changed)


def test_emitted_form_is_canonical(papers: dict[str, bytes]) -> None:
    """lxml's canonical form of the signed element hashes to the DigestValue, and digVal repeats it."""
    for name, data in papers.items():
        root = etree.fromstring(data)
        (reference,) = root.iter(f"{DSIG}Reference")
        (element,) = root.xpath("//*[@Id=$id]", id=reference.get("URI", "")[1:])
        assert etree.QName(element).localname in SIGNED
        # Re-rooted: canonicalising inside the tree can add a spurious namespace.
        canonical = etree.tostring(etree.fromstring(etree.tostring(element, with_tail=False)), method="c14n")
        digest = base64.b64encode(hashlib.sha1(canonical).digest()).decode()
        assert reference.findtext(f"{DSIG}DigestValue") == digest, name
        protocol_digests = [node.text for node in root.iter("{*}digVal")]
        assert protocol_digests == ([digest] if name.startswith(("note", "freight")) else []), name
        # And the file says the same without its parser's help: only the inherited namespace is missing.
        tag = etree.QName(element)
        written = canonical.replace(f' xmlns="{tag.namespace}"'.encode(), b"", 1)
        assert written in data, name


def test_algorithms_are_the_layouts_own(papers: dict[str, bytes]) -> None:
    root = etree.fromstring(papers["note: return"])
    algorithms = [node.get("Algorithm") for node in root.find(f".//{DSIG}SignedInfo").iter() if node.get("Algorithm")]
    dsig = "http://www.w3.org/2000/09/xmldsig#"
    assert algorithms == [C14N, f"{dsig}rsa-sha1", f"{dsig}enveloped-signature", C14N, f"{dsig}sha1"]


@pytest.mark.parametrize(
    ("name", "tax_id"),
    [
        ("note: return", NORMAL.tax_id),
        ("note: sale by a CNPJ with letters", LETTERS.tax_id),
        ("freight: freight, 2025", CARRIER.tax_id),
        ("event: operation known", SHOP.tax_id),
        ("event: freight cancelled", CARRIER.tax_id),
        ("event: disagreement", NORMAL.tax_id),
        ("voiding by a CNPJ with letters", LETTERS.tax_id),
    ],
)
def test_signer_is_the_author_and_chains_to_the_root(
    papers: dict[str, bytes], authority: Authority, name: str, tax_id: str
) -> None:
    certificate = certificate_of(etree.fromstring(papers[name]))
    (common_name,) = certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    assert str(common_name.value).endswith(f":{tax_id}")
    (organization,) = certificate.subject.get_attributes_for_oid(x509.NameOID.ORGANIZATION_NAME)
    assert organization.value == "Confere Sandbox (sem valor)"

    root = x509.load_pem_x509_certificate(authority.root_pem())
    issuer = x509.load_pem_x509_certificate(authority.issuer_pem())
    root.verify_directly_issued_by(root)
    # The strict profile for the authorities; the web's profile for leaves asks for a host name.
    strict, anything = ExtensionPolicy.webpki_defaults_ca(), ExtensionPolicy.permit_all()
    for moment in ("2025-11-01T00:00:00+00:00", "2026-10-31T23:59:59+00:00"):
        verifier = (
            PolicyBuilder()
            .store(Store([root]))
            .time(datetime.fromisoformat(moment))
            .extension_policies(ca_policy=strict, ee_policy=anything)
            .build_client_verifier()
        )
        assert verifier.verify(certificate, [issuer]).chain == [certificate, issuer, root]
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    (holder,) = names.get_values_for_type(x509.OtherName)
    assert (holder.type_id.dotted_string, holder.value[2:]) == ("2.16.76.1.3.3", tax_id.encode())
