"""What verdicts are judged by: the packaged certificates, the user's folders, an account's roots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA256

from confere.app.authenticity import trust
from confere.errors import EnvironmentFault
from confere.fiscal.authenticity.certificates import certificate_bundles
from confere.fiscal.authenticity.certificates.icp_brasil import ROOTS
from confere.fiscal.authenticity.certificates.trust_chain import may_issue, name_of, vouches
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.authenticity.verdict import Check, Result
from confere.system.paths import Home
from confere.system.resources import resource
from sandbox_hub.paper.document_factory import Authority, note_xml
from tests.fiscal.authenticity.issuing import issue
from tests.sandbox_hub.paper.cases import SALE


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_the_file_of_authorities_holds_the_pinned_roots_and_what_they_vouch_for(home: Home) -> None:
    data = resource("trust", "icp-brasil.pem").read_bytes()
    certificates = certificate_bundles.read(data).certificates
    assert certificate_bundles.read(data).unread == 0
    marks = [certificate.fingerprint(SHA256()).hex() for certificate in certificates]
    assert len(set(marks)) == len(marks) == trust.trust_for(home).count > 300
    kept = {mark: vouched for mark, vouched in zip(marks, certificates, strict=True) if mark in ROOTS}
    assert kept.keys() == ROOTS
    left = [pair for pair in zip(marks, certificates, strict=True) if pair[0] not in ROOTS]
    while left:
        by_name = {name_of(issuer.subject) for issuer in kept.values()}
        led = {
            mark: certificate
            for mark, certificate in left
            if name_of(certificate.issuer) in by_name
            and may_issue(certificate)
            and any(vouches(issuer, certificate) for issuer in kept.values() if issuer.subject == certificate.issuer)
        }
        assert led, [certificate.subject for _, certificate in left]
        kept |= led
        left = [pair for pair in left if pair[0] not in led]


def test_schemas_are_found_without_running_their_package(home: Home) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from confere.app.authenticity import trust; from confere.system.paths import Home\n"
        f"trust.trust_for(Home(Path({str(home.root)!r})))\n"
        "assert 'requests' not in sys.modules and 'nfelib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_users_folder_adds_roots_and_names_what_is_none(home: Home) -> None:
    root = issue("Raiz Nova")
    middle = issue("AC Nova", root)
    folder = home.root / trust.TRUST_FOLDER / "below"
    folder.mkdir(parents=True)
    (folder / "root.PEM").write_bytes(root.pem)
    (folder / "middle.cer").write_bytes(middle.der)
    (folder / "broken.crt").write_bytes(b"no certificate")
    (folder / "half.pem").write_bytes(root.pem + b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    (folder / "notes.txt").write_bytes(b"not looked at")
    holder = issue("LOJA:11222333000181", middle, authority=False)
    found = trust.trust_for(home)
    assert found.chain(holder.certificate, (), None).result is Result.OK
    assert sorted(str(warning) for warning in trust.store(home).warnings) == [
        "broken.crt holds something that is not a certificate.",
        "half.pem holds something that is not a certificate.",
    ]


def test_the_store_has_a_name_that_changes_with_what_is_in_it(tmp_path: Path) -> None:
    plain, richer = Home(tmp_path / "a"), Home(tmp_path / "b")
    (richer.root / trust.TRUST_FOLDER).mkdir(parents=True)
    (richer.root / trust.TRUST_FOLDER / "root.pem").write_bytes(issue("Raiz Nova").pem)
    own = issue("Raiz do Sandbox", organization="Sandbox").pem
    digests = [trust.trust_for(home, roots).digest for home in (plain, richer) for roots in ((), (own,))]
    assert len(set(digests)) == 4
    assert trust.trust_for(plain) is trust.trust_for(plain)
    assert trust.trust_for(Home(tmp_path / "c")).digest == digests[0]


def test_an_accounts_root_is_its_own(home: Home) -> None:
    authority = Authority(7)
    data = note_xml(SALE, authority)
    roots = (authority.root_pem() + authority.issuer_pem(),)
    (judged,) = judge_paper(data, trust.trust_for(home, roots), world=World.SANDBOX)
    assert judged.verdict.result is Result.OK
    (judged,) = judge_paper(data, trust.trust_for(home), world=World.SANDBOX)
    assert judged.verdict.line(Check.CHAIN).result is Result.UNCHECKED
    (judged,) = judge_paper(data, trust.trust_for(home), world=World.PRODUCTION)
    assert judged.verdict.line(Check.CHAIN).result is Result.FAILED


def test_schemas_are_the_packages_and_the_users(home: Home) -> None:
    authority = Authority(7)
    data = note_xml(SALE, authority)
    (judged,) = judge_paper(data, trust.trust_for(home), schemas=trust.schemas_for(home))
    assert judged.verdict.line(Check.SCHEMA).result is Result.OK
    stricter = Home(home.root / "other")
    folder = stricter.root / trust.SCHEMA_FOLDER / "PL_010"
    folder.mkdir(parents=True)
    (folder / "nfe_v4.00.xsd").write_text(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.portalfiscal.inf.br/nfe">'
        '<xs:element name="NFe" type="xs:int"/></xs:schema>'
    )
    (judged,) = judge_paper(data, trust.trust_for(home), schemas=trust.schemas_for(stricter))
    assert judged.verdict.line(Check.SCHEMA).result is Result.FAILED


def test_a_package_that_is_not_there_leaves_its_line_unchecked(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "_SCHEMA_PACKAGE", "confere_has_no_such_package.below")
    data = note_xml(SALE, Authority(7))
    (judged,) = judge_paper(data, trust.trust_for(home), schemas=trust.schemas_for(home))
    assert str(judged.verdict.line(Check.SCHEMA).why) == "No official schemas are installed."


def test_what_is_put_into_the_folder_counts_at_once(home: Home) -> None:
    before = trust.trust_for(home)
    folder = trust.own_folder(home, trust.TRUST_FOLDER)
    assert folder.is_dir()
    assert trust.trust_for(home) is before
    root = issue("Raiz Nova")
    holder = issue("LOJA:11222333000181", root, authority=False)
    (folder / "root.pem").write_bytes(root.pem)
    assert trust.trust_for(home).chain(holder.certificate, (), None).result is Result.OK
    (folder / "root.pem").write_bytes(b"not a certificate any more")
    assert trust.trust_for(home).chain(holder.certificate, (), None).result is not Result.OK
    assert len(trust.store(home).warnings) == 1
    (folder / "root.pem").unlink()
    assert trust.trust_for(home) is before


def test_a_schema_that_is_added_counts_at_once(home: Home) -> None:
    before = trust.schemas_for(home)
    (trust.own_folder(home, trust.SCHEMA_FOLDER) / "nfe_v4.00.xsd").write_text("<xs:schema/>")
    assert trust.schemas_for(home) is not before


def test_a_folder_that_cannot_be_made_is_said(home: Home) -> None:
    (home.root / trust.TRUST_FOLDER).write_text("a file")
    with pytest.raises(EnvironmentFault):
        trust.own_folder(home, trust.TRUST_FOLDER)
