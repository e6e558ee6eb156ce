"""Notes that somebody forged or altered, told by `confere verify` in a word and by its exit code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from confere.fiscal.authenticity.certificates import certificate_bundles, signer_certificate
from confere.system.resources import resource
from tests.cli.running import Call
from tests.fiscal.authenticity.issuing import Holder, issue
from tests.fiscal.authenticity.numbered import signed

OWNER = "LOJA LTDA:11222333000181"
KNOWN = "AC SERASA RFB v5"


def note(number: int, issuer: Holder, **more: str) -> bytes:
    return signed(number, issue(OWNER, issuer, authority=False), **more)


def certificate(data: bytes, to: bytes) -> bytes:
    return re.sub(rb"<X509Certificate>[^<]*", b"<X509Certificate>" + to, data)


def value(data: bytes) -> bytes:
    return data.replace(b"<mod>55</mod>", b"<mod>55</mod><vNF>99999.99</vNF>")


UNKNOWN = issue("AC de Nome Desconhecido")
OF_KNOWN_NAME = issue(KNOWN)
GENUINE = next(
    entry
    for entry in certificate_bundles.read(resource("trust", "icp-brasil.pem").read_bytes()).certificates
    if signer_certificate.common_name(entry.subject) == KNOWN
)
UNDER_ITS_NAME = Holder(OF_KNOWN_NAME.key, GENUINE)
CASES: dict[str, tuple[Callable[[], bytes], str, dict[str, int]]] = {
    "of an unknown authority": (lambda: note(1, UNKNOWN), "unchecked", {"failed": 0, "unchecked": 1}),
    "a known one's name, and another key": (lambda: note(1, OF_KNOWN_NAME), "failed", {"altered": 0, "failed": 1}),
    "its full name, and another key": (lambda: note(1, UNDER_ITS_NAME), "failed", {"altered": 0, "failed": 1}),
    "the certificate removed": (
        lambda: certificate(note(1, UNKNOWN), b""), "failed", {"altered": 0, "failed": 1}
    ),
    "the certificate garbled": (
        lambda: certificate(note(1, UNKNOWN), b"no base64!"), "failed", {"altered": 0, "failed": 1}
    ),
    "no certificate in base64": (
        lambda: certificate(note(1, UNKNOWN), b"QUJDRA=="), "failed", {"altered": 0, "failed": 1}
    ),
    "a value altered": (lambda: value(note(1, UNKNOWN)), "altered", {"altered": 1, "failed": 1}),
    "a value altered, the certificate removed": (
        lambda: value(certificate(note(1, UNKNOWN), b"")), "altered", {"altered": 1, "failed": 1}
    ),
    "another certificate put in": (
        lambda: certificate(note(1, UNKNOWN), issue(OWNER, UNKNOWN, authority=False).text.encode()),
        "altered",
        {"altered": 1, "failed": 1},
    ),
    "a test": (lambda: note(1, UNKNOWN, environment="2"), "test", {"failed": 0, "unchecked": 0}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_was_done_to_a_note_is_told_by_word_and_exit_code(call: Call, tmp_path: Path, case: str) -> None:
    made, word, codes = CASES[case]
    path = tmp_path / "note.xml"
    path.write_bytes(made())
    home = tmp_path / "home"
    assert call("import", path, "--home", home).code == 0
    for worst, code in codes.items():
        assert call("verify", "--fail-on", worst, "--home", home).code == code, worst
    (listed,) = call("list", "--json", "--home", home).json["documents"]
    assert (listed["verdict"], listed["altered"]) == ("failed" if word == "altered" else word, word == "altered")
    assert call("list", "--verdict", word, "--json", "--home", home).json["total"] == 1
    (shown,) = call("verify", listed["access_key"], "--json", "--home", home).json["documents"]
    assert (shown["verdict"], shown["altered"]) == (listed["verdict"], listed["altered"])


def test_a_test_document_is_no_part_of_a_package(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for number, environment in ((1, "1"), (2, "2")):
        path = tmp_path / f"{number}.xml"
        path.write_bytes(note(number, UNKNOWN, environment=environment))
        assert call("import", path, "--home", home).code == 0
    call("verify", "--home", home)
    chosen = ("export", "--company", "11222333000181", "--month", "2026-03", "--home", home, "--json", "--to")
    (package,) = call(*chosen, tmp_path / "out").json["packages"]
    assert package["verdicts"] == {"unchecked": 1}
    assert any("not authentic" in said for said in package["missing"])
    (package,) = call(*chosen, tmp_path / "all", "--with-not-authentic").json["packages"]
    assert package["verdicts"] == {"unchecked": 1, "test": 1}
