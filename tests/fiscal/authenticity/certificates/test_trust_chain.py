"""The walk from a signer to a root: what is trusted, what is refused, and what could not be told."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import certifi
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

from confere.fiscal.authenticity import timestamps
from confere.fiscal.authenticity.certificates import certificate_bundles
from confere.fiscal.authenticity.certificates.trust_chain import Trust, may_issue
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result
from tests.fiscal.authenticity.issuing import FIRST, LAST, Holder, issue, name

BEARS_THE_NAME = "The certificate bears the name of AC do Meio, which did not sign it."
NOW = timestamps.span("2026-03-31T12:00:00-03:00")


@pytest.fixture(scope="module")
def root() -> Holder:
    return issue("Autoridade Certificadora Raiz de Teste")


@pytest.fixture(scope="module")
def middle(root: Holder) -> Holder:
    return issue("AC do Meio", root)


@pytest.fixture(scope="module")
def signer(middle: Holder) -> Holder:
    return issue("LOJA LTDA:11222333000181", middle, authority=False)


def chain(
    trust: Trust, signer: Holder, *others: Holder, when: timestamps.Span | None = NOW, extra: bool = False
) -> CheckLine:
    line = trust.chain(signer.certificate, tuple(other.certificate for other in others), when, extra=extra)
    assert line.check is Check.CHAIN
    assert line.why is not None
    return line


def test_a_whole_chain_is_ok_and_names_its_root(root: Holder, middle: Holder, signer: Holder) -> None:
    line = chain(Trust.of([root.pem, middle.der]), signer)
    assert line.result is Result.OK
    assert str(line.why) == "Chains to Autoridade Certificadora Raiz de Teste."
    assert chain(Trust.of([root.pem + middle.pem]), signer) == line
    packed = pkcs7.serialize_certificates([root.certificate, middle.certificate], Encoding.DER)
    assert chain(Trust.of([packed]), signer) == line
    packed = pkcs7.serialize_certificates([root.certificate, middle.certificate], Encoding.PEM)
    assert chain(Trust.of([packed]), signer) == line


def test_what_is_missing_is_named_and_unchecked(root: Holder, middle: Holder, signer: Holder) -> None:
    for store, missing in (([], "AC do Meio"), ([root.pem], "AC do Meio"), ([middle.pem], "Raiz de Teste")):
        line = chain(Trust.of(store), signer)
        assert line.result is Result.UNCHECKED
        assert missing in str(line.why)


def test_what_came_with_the_paper_helps_but_is_never_trusted(root: Holder, middle: Holder, signer: Holder) -> None:
    assert chain(Trust.of([root.pem]), signer, middle).result is Result.OK
    assert chain(Trust.of([root.pem]), signer, root, middle).result is Result.OK
    assert chain(Trust.of(), signer, middle, root).result is Result.UNCHECKED


def test_a_root_of_ones_own_under_the_real_name_is_never_ok(root: Holder, middle: Holder, signer: Holder) -> None:
    own_root = issue("Autoridade Certificadora Raiz de Teste")
    own_middle = issue("AC do Meio", own_root)
    forged = issue("LOJA LTDA:11222333000181", own_middle, authority=False)
    trust = Trust.of([root.pem, middle.pem])
    line = chain(trust, forged, own_middle, own_root)
    assert (line.result, str(line.why)) == (Result.FAILED, BEARS_THE_NAME)
    assert chain(trust, forged).result is Result.FAILED
    line = chain(trust, issue("LOJA LTDA:11222333000181"))
    assert (line.result, "issued it to itself" in str(line.why)) == (Result.FAILED, True)
    # Named as issued by the real key, and not: that is a lie, not a gap.
    liar = issue("LOJA LTDA:11222333000181", middle, authority=False, signing=own_middle.key)
    line = chain(trust, liar)
    assert line.result is Result.FAILED
    assert "AC do Meio, which did not sign it" in str(line.why)
    assert chain(trust, liar, own_middle).result is Result.FAILED
    vague = issue("LOJA LTDA:11222333000181", middle, authority=False, signing=own_middle.key, key_ids=False)
    assert chain(trust, vague).result is Result.FAILED
    # Of a name that nobody here knows it may be an authority that is not at hand.
    unknown = issue("AC Desconhecida", own_root)
    line = chain(Trust.of([middle.pem]), issue("LOJA:1", unknown, authority=False), unknown)
    assert line.result is Result.UNCHECKED
    assert chain(trust, issue("LOJA:1", unknown, authority=False)).result is Result.UNCHECKED
    line = chain(trust, issue("LOJA:1", unknown, authority=False), unknown)  # whose own issuer bears the root's name
    assert (line.result, "Raiz de Teste, which did not sign" in str(line.why)) == (Result.FAILED, True)


def test_a_holder_cannot_issue(root: Holder, middle: Holder, signer: Holder) -> None:
    forged = issue("OUTRA LTDA:99888777000100", signer, authority=False)
    for trust in (Trust.of([root.pem, middle.pem]), Trust.of([root.pem, middle.pem, signer.pem])):
        line = chain(trust, forged, signer)
        assert line.result is Result.FAILED
        assert "may not issue" in str(line.why)


@pytest.mark.parametrize(("may", "result"), [(True, Result.OK), (False, Result.FAILED), (None, Result.OK)])
def test_an_authority_whose_key_may_not_sign_certificates_issues_none(
    root: Holder, may: bool | None, result: Result
) -> None:
    limited = issue("AC de Assinaturas", root, may_sign_certificates=may)
    line = chain(Trust.of([root.pem, limited.pem]), issue("LOJA:1", limited, authority=False))
    assert line.result is result
    assert chain(Trust.of([root.pem]), issue("LOJA:1", limited, authority=False), limited).result is result


def test_a_path_longer_than_allowed_fails(root: Holder) -> None:
    short = issue("Raiz Curta", path_length=0)
    below = issue("AC Abaixo", short)
    line = chain(Trust.of([short.pem, below.pem]), issue("X:1", below, authority=False))
    assert line.result is Result.FAILED


def test_a_chain_to_a_public_web_root_fails(root: Holder, middle: Holder, signer: Holder) -> None:
    """Real roots of the web, as a bundle holds them, in the store and as the signer's own; and a made one."""
    bundle = Path(certifi.where()).read_bytes()
    web = certificate_bundles.read(bundle)
    assert len(web.certificates) > 100
    trust = Trust.of([root.pem, middle.pem, bundle])
    assert trust.count == 2
    for certificate in web.certificates[:40]:
        line = trust.chain(certificate, (certificate,), NOW)
        assert line.result is Result.FAILED
        assert "not part of ICP-Brasil" in str(line.why)

    web_root = issue("Public Web Root", organization="Web Trust Inc")
    site = issue("www.loja.example", web_root, organization="Loja", authority=False)
    for store in ([root.pem], [root.pem, web_root.pem]):
        assert chain(Trust.of(store), site).result is Result.FAILED
        assert chain(Trust.of(store), site, web_root).result is Result.FAILED
    # Even where the one in between bears the right name, in the user's own folder.
    bridge = issue("AC Ponte", web_root)
    line = chain(Trust.of([root.pem, bridge.pem, web_root.pem]), issue("LOJA:1", bridge, authority=False))
    assert line.result is Result.FAILED
    assert "Public Web Root" in str(line.why)


def test_a_bundle_of_icp_brasil_counts_for_what_names_it(root: Holder) -> None:
    almost = issue("Raiz Parecida", organization="ICP-Brasil Ltda")
    assert Trust.of([almost.pem]).count == 0
    assert Trust.of([root.pem, root.der]).count == 1


def test_an_accounts_root_counts_in_its_world_alone(root: Holder, middle: Holder, signer: Holder) -> None:
    own = issue("Raiz do Sandbox", organization="Sandbox")
    below = issue("AC do Sandbox", own, organization="Sandbox")
    holder = issue("TESTE:11222333000181", below, organization="Sandbox", authority=False)
    trust = Trust.of([root.pem, middle.pem], [own.pem + below.pem])
    line = chain(trust, holder, extra=True)
    assert line.result is Result.OK
    assert str(line.why) == "Chains to Raiz do Sandbox, trusted for sandbox accounts only."
    assert chain(trust, holder).result is Result.FAILED
    assert chain(trust, signer, extra=True).result is Result.OK
    # Nothing is known of this account's own certificates: a gap, and no lie.
    unknown = chain(Trust.of([root.pem]), holder, extra=True)
    assert unknown.result is Result.UNCHECKED
    assert "account trust" in str(unknown.why)
    # Another sandbox of the same names, with other keys.
    twin = issue("AC do Sandbox", issue("Raiz do Sandbox", organization="Sandbox"), organization="Sandbox")
    stranger = issue("TESTE:11222333000181", twin, organization="Sandbox", authority=False)
    assert chain(trust, stranger, extra=True).result is Result.FAILED


def test_authorities_must_have_been_valid_at_the_time(root: Holder) -> None:
    old = issue("AC Antiga", root, first=datetime(2010, 1, 1, tzinfo=UTC), last=datetime(2022, 1, 1, tzinfo=UTC))
    holder = issue("LOJA:11222333000181", old, authority=False)
    trust = Trust.of([root.pem, old.pem])
    line = chain(trust, holder)
    assert line.result is Result.UNCHECKED
    assert "AC Antiga" in str(line.why)
    assert chain(trust, holder, when=timestamps.span("2021-05-05T10:00:00-03:00")).result is Result.OK
    assert chain(trust, holder, when=None).result is Result.OK
    # A renewed certificate of the same key stands beside it.
    renewed = issue("AC Antiga", root, key=old.key)
    assert chain(Trust.of([root.pem, renewed.pem]), holder).result is Result.OK


def test_another_generation_of_an_authority_is_not_taken_for_it(root: Holder, middle: Holder, signer: Holder) -> None:
    newer = issue("AC do Meio", root)
    line = chain(Trust.of([root.pem, newer.pem]), signer)
    assert (line.result, str(line.why)) == (Result.FAILED, BEARS_THE_NAME)
    assert chain(Trust.of([root.pem, newer.pem, middle.pem]), signer).result is Result.OK
    assert chain(Trust.of([root.pem, newer.pem]), signer, middle).result is Result.OK


def test_circles_and_crowds_end(root: Holder) -> None:
    one = issue("AC Um")
    two = issue("AC Dois", one)
    crossed = issue("AC Um", two, key=one.key)
    holder = issue("LOJA:1", two, authority=False)
    trust = Trust([two.certificate, crossed.certificate])
    assert chain(trust, holder).result is Result.UNCHECKED
    crowd = [issue("AC Multidão", root, key_ids=False) for _ in range(60)]
    lost = issue("LOJA:1", issue("AC Multidão", root, key_ids=False), authority=False, key_ids=False)
    assert chain(Trust([root.certificate, *(each.certificate for each in crowd)]), lost).result is Result.UNCHECKED
    assert chain(Trust.of([root.pem]), lost, *crowd).result is Result.UNCHECKED


def test_names_are_compared_as_the_standard_says(root: Holder) -> None:
    spaced = issue("AC  do   MEIO", root)
    subject = issue("AC do Meio", root, key=spaced.key)
    holder = issue("LOJA:1", spaced, authority=False)
    assert chain(Trust.of([root.pem, subject.pem]), holder).result is Result.OK


def test_the_digest_names_the_store(root: Holder, middle: Holder) -> None:
    stores = [Trust.of(), Trust.of([root.pem]), Trust.of([root.pem, middle.pem]), Trust.of([root.pem], [middle.pem])]
    assert len({trust.digest for trust in stores}) == 4
    assert all(len(trust.digest) == 8 for trust in stores)
    assert Trust.of([middle.pem, root.pem]).digest == stores[2].digest


BAD = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"


@pytest.mark.parametrize("data", [b"", b"no", BAD, b"0\x82"])
def test_a_file_that_is_no_certificate_is_left_out(data: bytes) -> None:
    assert certificate_bundles.read(data).certificates == ()
    assert Trust.of([data]).count == 0


def test_a_bad_entry_does_not_spoil_its_file(root: Holder) -> None:
    key = b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
    found = certificate_bundles.read(b"some words\n" + BAD + root.pem + key)
    assert found.unread == 1
    assert found.certificates == (root.certificate,)


def test_icp_brasils_own_root_stays_what_it_is_when_an_account_brings_it(
    root: Holder, middle: Holder, signer: Holder
) -> None:
    line = chain(Trust.of([root.pem, middle.pem], [root.pem]), signer)
    assert (line.result, str(line.why)) == (Result.OK, "Chains to Autoridade Certificadora Raiz de Teste.")


def test_the_name_counts_in_whatever_letters(root: Holder) -> None:
    loud = issue("AC Antiga", root, organization="ICP-BRASIL")
    assert Trust.of([loud.pem]).count == 1
    assert chain(Trust.of(), issue("LOJA:1", loud, authority=False)).result is Result.UNCHECKED


def patched(certificate: x509.Certificate, before: bytes, after: bytes) -> x509.Certificate:
    """`certificate` with some bytes of its DER exchanged for as many others."""
    encoded = certificate.public_bytes(Encoding.DER)
    assert len(before) == len(after)
    assert before in encoded
    return x509.load_der_x509_certificate(encoded.replace(before, after))


SHA256_RSA, MD5_RSA = (bytes.fromhex("06092a864886f70d0101") + last for last in (b"\x0b", b"\x04"))
SHA256_ECDSA, UNKNOWN_ECDSA = (bytes.fromhex("06082a8648ce3d0403") + last for last in (b"\x02", b"\x09"))


def test_an_algorithm_of_ones_own_choice_is_no_way_out(root: Holder) -> None:
    """The issuer is at hand and names the right key: that it signed by what nobody can check is not taken."""
    key = rsa.generate_private_key(65537, 2048)
    builder = x509.CertificateBuilder(name("AC RSA"), name("AC RSA"), key.public_key(), 1, FIRST, LAST)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    own = builder.sign(key, SHA256())
    holder = x509.CertificateBuilder(name("AC RSA"), name("LOJA:1"), key.public_key(), 2, FIRST, LAST)
    holder = holder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
    signed = holder.sign(key, SHA256())
    trust = Trust([own, root.certificate])
    assert trust.chain(signed, (), NOW).result is Result.OK
    line = trust.chain(patched(signed, SHA256_RSA, MD5_RSA), (), NOW)
    assert (line.result, "did not sign it" in str(line.why)) == (Result.FAILED, True)
    strange = patched(issue("LOJA:1", root, authority=False).certificate, SHA256_ECDSA, UNKNOWN_ECDSA)
    line = trust.chain(strange, (), NOW)
    assert (line.result, "did not sign it" in str(line.why)) == (Result.FAILED, True)


def test_an_authority_whose_extensions_cannot_be_read_may_still_be_one(root: Holder) -> None:
    middle = issue("AC Torta", root)
    place = bytes.fromhex("0603551d130101ff0405")  # BasicConstraints, critical, of five bytes
    torn = patched(middle.certificate, place + b"\x30\x03", place + b"\x31\x03")
    holder = issue("LOJA:1", middle, authority=False)
    # It came with the paper, so it helps nothing; the user's own is at least named.
    assert Trust.of([root.pem]).chain(holder.certificate, (torn,), NOW).result is Result.UNCHECKED
    line = Trust([root.certificate, torn]).chain(holder.certificate, (), NOW)
    assert (line.result, str(line.why)) == (Result.UNCHECKED, "The certificate of AC Torta cannot be read.")


def test_a_certificate_that_breaks_when_looked_into_is_left_out(root: Holder, signer: Holder) -> None:
    """The parser reads names only when asked."""
    encoded = root.der
    place = encoded.index(b"Autoridade")
    torn = encoded[:place] + b"\xff" + encoded[place + 1 :]
    assert certificate_bundles.read(torn).unread == 1
    trust = Trust.of([torn, root.pem])
    assert trust.count == 1
    for place in range(0, len(encoded), 3):
        store = Trust.of([encoded[:place] + b"\xff" + encoded[place + 1 :]])
        assert chain(store, signer).result in (Result.UNCHECKED, Result.FAILED)


@pytest.mark.parametrize(
    ("path_length", "below", "may"), [(0, 0, True), (0, 1, False), (1, 1, True), (1, 2, False), (None, 9, True)]
)
def test_an_authority_stands_above_as_many_others_as_it_says(path_length: int | None, below: int, may: bool) -> None:
    authority = issue("AC", path_length=path_length).certificate
    assert may_issue(authority, below) is may
    assert may_issue(authority)
