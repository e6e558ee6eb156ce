"""The test authority: keys that OpenSSL accepts, made lazily and once, names that fit."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from sandbox_hub.paper import authority as module
from sandbox_hub.paper.document_factory import Authority
from sandbox_hub.paper.rsa_keys import seeded_key
from tests.sandbox_hub.paper.cases import BUYER, NORMAL, SHOP


@pytest.mark.parametrize("seed", ["1", "2", "acme|x"])
def test_openssl_accepts_a_seeded_key(seed: str) -> None:
    key = seeded_key(seed)
    assert key.key_size == 2048
    # Here with OpenSSL's own check of the primes and of every derived number.
    assert key.private_numbers().private_key(unsafe_skip_rsa_key_validation=False).key_size == 2048
    again = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    loaded = serialization.load_der_private_key(again, None)
    assert isinstance(loaded, RSAPrivateKey)


def test_seed_and_taxpayer_make_the_key() -> None:
    moduli = [seeded_key(seed).public_key().public_numbers().n for seed in ("7|a", "7|b", "8|a", "7|a")]
    assert moduli[0] == moduli[3]
    assert len(set(moduli)) == 3
    # However primes are looked for: a demo of an earlier release keeps its keys.
    assert hashlib.sha256(str(moduli[0]).encode()).hexdigest()[:16] == "07ff0a0527bc76d9"


def test_creating_costs_nothing_and_keys_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real = module.seeded_key

    def counting(seed: str) -> RSAPrivateKey:
        made.append(seed)
        return real(seed)

    monkeypatch.setattr(module, "seeded_key", counting)
    authority = Authority("fresh")
    assert made == []
    with ThreadPoolExecutor(4) as threads:
        signers = list(threads.map(authority.signer, [NORMAL, SHOP] * 8))
    assert len({id(signer) for signer in signers}) == 2
    # Two signers and who issued them; the root is not needed to sign.
    assert sorted(made) == sorted(
        f"fresh|{name}" for name in (NORMAL.tax_id, SHOP.tax_id, "AC de teste do Confere Sandbox")
    )


def test_long_accented_name_leaves_room_for_the_number(authority: Authority) -> None:
    signer = authority.signer(replace(NORMAL, name="Ç" * 60))
    (common_name,) = signer.certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    assert common_name.value == f"{'Ç' * 24}:{NORMAL.tax_id}"


def test_person_is_named_by_cpf(authority: Authority) -> None:
    certificate = authority.signer(BUYER).certificate
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    (holder,) = names.get_values_for_type(x509.OtherName)
    assert (holder.type_id.dotted_string, holder.value[2:]) == ("2.16.76.1.3.1", BUYER.tax_id.encode())
