"""`confere trust import` and `doctor --trust`: what becomes of each certificate, in words and in JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from confere.app.authenticity import trust
from confere.fiscal.authenticity.certificates import certificate_bundles, learnable_authorities, signer_certificate
from confere.fiscal.authenticity.certificates.icp_brasil import ROOTS
from confere.system.resources import resource
from tests.app.sandboxed import DOCUMENTS, copied, synced
from tests.cli.running import Call
from tests.fiscal.authenticity.issuing import issue


@pytest.fixture
def genuine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[x509.Certificate]:
    """An authority of ICP-Brasil, where the program carries the roots alone."""
    known = certificate_bundles.read(resource("trust", "icp-brasil.pem").read_bytes()).certificates
    roots = [entry for entry in known if learnable_authorities.fingerprint(entry) in ROOTS]
    (tmp_path / "roots.pem").write_bytes(b"".join(entry.public_bytes(Encoding.PEM) for entry in roots))
    monkeypatch.setattr(trust, "resource", lambda *_: tmp_path / "roots.pem")
    trust._packaged.cache_clear()
    names = {entry.subject for entry in roots}
    yield next(entry for entry in known if entry.issuer in names and entry.subject not in names)
    trust._packaged.cache_clear()


def test_the_command_says_what_became_of_each(call: Call, genuine: x509.Certificate, tmp_path: Path) -> None:
    home, name = tmp_path / "home", signer_certificate.common_name(genuine.subject)
    own = issue("AC Própria", issue("Raiz Própria"))
    (tmp_path / "both.pem").write_bytes(genuine.public_bytes(Encoding.PEM) + own.pem)
    (tmp_path / "own.cer").write_bytes(own.der)
    done = call("trust", "import", tmp_path / "both.pem", "--home", home, "--json")
    expected = {"file": str(tmp_path / "both.pem"), "new": [name], "known": [], "unproved": ["AC Própria"]}
    assert (done.code, done.json["imported"]) == (0, [expected])
    again = call("trust", "import", tmp_path / "both.pem", "--home", home)
    assert again.code == 0
    assert f"Known already: {name}." in again.err
    assert "no root of ICP-Brasil vouches for it: AC Própria." in again.err
    assert call("trust", "import", tmp_path / "own.cer", "--home", home).code == 1
    assert call("trust", "import", tmp_path / "absent.cer", "--home", home).code == 2


def test_the_doctor_tells_of_signers_where_that_is_asked(
    call: Call, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = copied(synced(tmp_path_factory), tmp_path / "home").home.root
    call("verify", "--home", home)
    facts = call("doctor", "--trust", "--home", home, "--json").json["facts"]["trust"]
    assert facts["papers"] == facts["papers_decided"] == facts["papers_reaching"] > DOCUMENTS
    assert facts["signers"] == facts["signers_reaching"] > 1
    assert (facts["missing"], facts["learned"]) == ([], 0)
    assert "signers reach a root of ICP-Brasil" in call("doctor", "--trust", "--home", home).out
