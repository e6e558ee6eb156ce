"""Authorities learned from signatures and files: proved up to a pinned root, and what lacked them judged again."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

from confere.app.authenticity import learn_authorities, trust, verify
from confere.app.context import Workspace
from confere.app.documents import import_files
from confere.app.maintenance.doctor import examine
from confere.errors import UsageFault
from confere.fiscal.authenticity.certificates import learnable_authorities
from confere.fiscal.authenticity.verdict import Check, Result
from confere.system.paths import Home
from tests.fiscal.authenticity.issuing import Holder, issue
from tests.fiscal.authenticity.numbered import signed

OWNER = "LOJA LTDA:11222333000181"


@pytest.fixture(scope="module")
def root() -> Holder:
    return issue("Raiz de Teste", may_sign_certificates=True)


@pytest.fixture(scope="module")
def middle(root: Holder) -> Holder:
    return issue("AC Principal", root, may_sign_certificates=True)


@pytest.fixture(scope="module")
def below(middle: Holder) -> Holder:
    return issue("AC Emissora", middle, may_sign_certificates=True)


@pytest.fixture
def home(root: Holder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A data folder of a program that carries, and pins, the root alone."""
    (tmp_path / "icp-brasil.pem").write_bytes(root.pem)
    monkeypatch.setattr(trust, "resource", lambda *_: tmp_path / "icp-brasil.pem")
    monkeypatch.setattr(
        learnable_authorities, "ROOTS", frozenset({learnable_authorities.fingerprint(root.certificate)})
    )
    trust._packaged.cache_clear()
    yield Home(tmp_path / "home").ensure()
    trust._packaged.cache_clear()


def chains(workspace: Workspace) -> list[Result]:
    return [entry.document.verdict.line(Check.CHAIN).result for entry in verify.stored(workspace)]


def brought(workspace: Workspace, folder: Path, *papers: bytes) -> None:
    folder.mkdir()
    for number, data in enumerate(papers):
        (folder / f"{number}.xml").write_bytes(data)
    import_files.import_paths(workspace, [folder])


def test_an_authority_in_a_signature_serves_every_paper_after_and_before(
    home: Home, middle: Holder, below: Holder, tmp_path: Path
) -> None:
    workspace = Workspace.at(home.root)
    first, second = issue(OWNER, below, authority=False), issue(OWNER, below, authority=False)
    brought(workspace, tmp_path / "alone", signed(1, first), signed(2, issue(OWNER, middle, authority=False)))
    summary = verify.verify(workspace)
    assert chains(workspace) == [Result.UNCHECKED, Result.UNCHECKED]
    assert summary.judged.all == 2
    brought(workspace, tmp_path / "with", signed(3, second, below, middle))
    summary = verify.verify(workspace)
    assert chains(workspace) == [Result.OK] * 3
    assert summary.judged.all == 3  # the new one, and the two that lacked what came with it
    assert len(trust.learned(home)) == 2
    assert verify.verify(workspace).judged.all == 0
    assert verify.verify(workspace, again=True).judged.all == 3


def test_only_what_lacked_a_learned_authority_is_judged_again(
    home: Home, root: Holder, middle: Holder, below: Holder, tmp_path: Path
) -> None:
    workspace = Workspace.at(home.root)
    well = issue(OWNER, root, authority=False)
    brought(workspace, tmp_path / "in", signed(1, well), signed(2, issue(OWNER, below, authority=False)))
    verify.verify(workspace)
    (tmp_path / "chain.p7b").write_bytes(
        pkcs7.serialize_certificates([below.certificate, middle.certificate], Encoding.DER)
    )
    (imported,) = learn_authorities.import_files(home, [tmp_path / "chain.p7b"])
    assert (imported.new, imported.known, imported.unproved) == (("AC Emissora", "AC Principal"), (), ())
    summary = verify.verify(workspace)
    assert summary.judged.all == 1
    assert sorted(chains(workspace)) == [Result.OK, Result.OK]


def test_files_teach_what_a_pinned_root_vouches_for_and_nothing_else(
    home: Home, root: Holder, middle: Holder, below: Holder, tmp_path: Path
) -> None:
    own_root = issue("Raiz de Teste")  # of the same name
    own_middle = issue("AC Própria", own_root)
    no_signer = issue("AC Sem Direito", root, may_sign_certificates=False)
    no_authority = issue("LOJA:1", root, authority=False)
    liar = issue("AC Mentirosa", root, signing=own_root.key)
    bad = (own_root, own_middle, no_signer, no_authority, liar, issue("AC Acima", no_signer))
    (tmp_path / "bad.pem").write_bytes(b"".join(each.pem for each in bad))
    (found,) = learn_authorities.import_files(home, [tmp_path / "bad.pem"])
    assert (found.new, found.known, len(found.unproved)) == ((), (), len(bad))
    assert not home.authorities.exists()
    # One whose issuer is in another file, or came before.
    for name, data in (("below.cer", below.der), ("middle.crt", middle.pem), ("root.der", root.der)):
        (tmp_path / name).write_bytes(data)
    (alone,) = learn_authorities.import_files(home, [tmp_path / "below.cer"])
    assert alone.unproved == ("AC Emissora",)
    both = learn_authorities.import_files(
        home, [tmp_path / "below.cer", tmp_path / "middle.crt", tmp_path / "root.der"]
    )
    assert [entry.new for entry in both] == [("AC Emissora",), ("AC Principal",), ()]
    assert both[2].known == ("Raiz de Teste",)
    (again,) = learn_authorities.import_files(home, [tmp_path / "below.cer"])
    assert again.known == ("AC Emissora",)
    holder = issue(OWNER, below, authority=False)
    assert trust.trust_for(home).chain(holder.certificate, (), None).result is Result.OK
    (tmp_path / "none.pem").write_bytes(b"nothing")
    for name in ("none.pem", "absent.pem"):
        with pytest.raises(UsageFault):
            learn_authorities.import_files(home, [tmp_path / name])


def test_certificates_among_imported_files_teach_too(home: Home, middle: Holder, below: Holder, tmp_path: Path) -> None:
    workspace = Workspace.at(home.root)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "middle.cer").write_bytes(middle.der)
    (folder / "own.crt").write_bytes(issue("AC Própria", issue("Raiz Própria")).pem)
    (folder / "no.pem").write_bytes(b"-----BEGIN PRIVATE KEY-----\n")
    (folder / "note.xml").write_bytes(signed(1, issue(OWNER, below, authority=False)))
    with zipfile.ZipFile(folder / "more.zip", "w") as packed:
        packed.writestr("below.p7b", pkcs7.serialize_certificates([below.certificate], Encoding.PEM))
    result = import_files.import_paths(workspace, [folder])
    assert (result.authorities, result.files, result.ignored, result.unreadable) == (2, 1, 0, 0)
    verify.verify(workspace)
    assert chains(workspace) == [Result.OK]


def test_what_somebody_writes_into_the_file_is_proved_when_it_is_read(home: Home, middle: Holder) -> None:
    own_root = issue("Raiz Própria")
    own = issue("AC Própria", own_root)
    home.authorities.write_bytes(own_root.pem + own.pem + middle.pem + b"-----BEGIN CERTIFICATE-----\nAAAA\n")
    assert [entry.subject for entry in trust.learned(home)] == [middle.certificate.subject]
    line = trust.trust_for(home).chain(issue(OWNER, own, authority=False).certificate, (), None)
    assert line.result is Result.UNCHECKED
    home.authorities.unlink()
    assert trust.learned(home) == ()


def test_the_doctor_counts_signers_that_reach_a_root_and_names_what_is_missing(
    home: Home, root: Holder, below: Holder, tmp_path: Path
) -> None:
    workspace = Workspace.at(home.root)
    assert examine(workspace, trust=True).well  # no archive yet
    lost = [signed(number, issue(OWNER, below, authority=False)) for number in (1, 2)]
    brought(workspace, tmp_path / "in", *lost, signed(3, issue(OWNER, root, authority=False)))
    found = examine(workspace, trust=True)
    assert found.facts["trust"]["papers"] == 0
    verify.verify(workspace)
    facts = examine(workspace, trust=True).facts["trust"]
    assert json.loads(json.dumps(facts)) == facts
    assert facts["missing"] == [{"authority": "AC Emissora", "papers": 2, "signers": 1}]
    assert (facts["papers"], facts["papers_decided"], facts["papers_reaching"]) == (3, 1, 1)
    assert (facts["signers"], facts["signers_reaching"]) == (1, 0)
    assert "trust" not in examine(workspace).facts
    sentences = [str(entry.what) for entry in examine(workspace, trust=True).findings if entry.topic == "trust"]
    assert sentences == [
        "0 of 1 signers reach a root of ICP-Brasil; 1 of 3 chains are decided.",
        "The certificate of AC Emissora is missing: papers 2, signers 1. `confere trust import` adds it.",
    ]
