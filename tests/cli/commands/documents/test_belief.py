"""What is said of a note by others: only what holds changes its state, in whatever order the files come."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from confere.fiscal.access_keys import check_digit
from sandbox_hub.paper.authority import Signer
from sandbox_hub.paper.facts import Taxpayer
from tests.archive.older import made_older
from tests.cli.running import Call
from tests.fiscal.authenticity.issuing import issue
from tests.fiscal.authenticity.signing import IDE, KEY, NFE, Way, rsa, signature, signed_note
from tests.sandbox_hub.paper.cases import CARRIER, NORMAL

_OTHER_HEAD = KEY[:34] + "110203041"
OTHER = _OTHER_HEAD + check_digit(_OTHER_HEAD)
PROTOCOL = (
    f'<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>{KEY}</chNFe><dhRecbto>2026-03-31T23:00:00-03:00'
    "</dhRecbto><nProt>135260000000001</nProt><cStat>100</cStat><xMotivo>Autorizado</xMotivo></infProt></protNFe>"
)
CANCELLED = ("cancelled", "cancelled_late")


class Signers:
    """Companies whose certificates are of an authority that nobody here knows: the chain cannot be checked."""

    def __init__(self) -> None:
        self._issuer = issue("AC de um teste")
        self._made: dict[str, Signer] = {}

    def signer(self, who: Taxpayer) -> Signer:
        if who.tax_id not in self._made:
            key = generate_private_key(65537, 2048)
            made = issue(f"{who.name}:{who.tax_id}", self._issuer, authority=False, key=key)  # type: ignore[arg-type]
            self._made[who.tax_id] = Signer(key, made.certificate, made.text)
        return self._made[who.tax_id]


@pytest.fixture(scope="module")
def authority() -> Signers:
    return Signers()


def base(authority: Signers, content: str = IDE, protocol: str = PROTOCOL) -> bytes:
    inside = signed_note(authority.signer(NORMAL), content=content).decode()
    return f'<nfeProc xmlns="{NFE}" versao="4.00">{inside}{protocol}</nfeProc>'.encode()


def cancellation(
    authority: Signers,
    *,
    who: Taxpayer = NORMAL,
    author: str = NORMAL.tax_id,
    about: str = KEY,
    answered: str = KEY,
    answered_code: str = "110111",
    is_signed: bool = True,
    is_asked: bool = True,
    is_answered: bool = True,
) -> bytes:
    head = f'Id="ID110111{about}01"'
    inside = (
        f"<tpAmb>1</tpAmb><CNPJ>{author}</CNPJ><chNFe>{about}</chNFe><dhEvento>2026-04-01T10:00:00-03:00</dhEvento>"
        "<tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>"
    )
    made = ""
    if is_signed:
        signer = authority.signer(who)
        covered = f'<infEvento xmlns="{NFE}" {head}>{inside}</infEvento>'
        made = signature(covered, rsa(signer), [signer.certificate_base64], Way(uri=f"#ID110111{about}01"))
    asked = f"<evento><infEvento {head}>{inside}</infEvento>{made}</evento>" if is_asked else ""
    told = (
        f"<retEvento><infEvento><tpAmb>1</tpAmb><cStat>135</cStat><chNFe>{answered}</chNFe>"
        f"<tpEvento>{answered_code}</tpEvento><nSeqEvento>1</nSeqEvento>"
        "<dhRegEvento>2026-04-01T10:00:05-03:00</dhRegEvento><nProt>135260000000009</nProt></infEvento></retEvento>"
    )
    answer = told if is_answered else ""
    return f'<procEventoNFe xmlns="{NFE}">{asked}{answer}</procEventoNFe>'.encode()


Make = Callable[[Signers], bytes]
FORGED: dict[str, tuple[Make, str]] = {
    "without a signature": (lambda a: cancellation(a, is_signed=False), "authorized"),
    "by another company": (lambda a: cancellation(a, who=CARRIER, author=CARRIER.tax_id), "authorized"),
    "in its name, by another's certificate": (lambda a: cancellation(a, who=CARRIER), "authorized"),
    "changed after signing": (
        lambda a: cancellation(a, about=OTHER).replace(OTHER.encode(), KEY.encode()),
        "authorized",
    ),
    "an answer alone": (lambda a: cancellation(a, is_asked=False), "authorized"),
    # What was asked holds, what was answered does not: sent, and not registered.
    "an answer about another key": (lambda a: cancellation(a, answered=OTHER), "unregistered"),
    "an answer about another type": (lambda a: cancellation(a, answered_code="110110"), "unregistered"),
}


def stored(call: Call, folder: Path, home: Path, *files: bytes) -> None:
    folder.mkdir()
    for number, data in enumerate(files):
        path = folder / f"{number}.xml"
        path.write_bytes(data)
        assert call("import", path, "--home", home).code == 0


def state(call: Call, home: Path) -> str:
    (document,) = call("list", "--all", "--json", "--home", home).json["documents"]
    return str(document["state"])


@pytest.mark.parametrize("name", FORGED)
@pytest.mark.parametrize("forged_first", [False, True])
def test_what_does_not_hold_changes_nothing(
    call: Call, tmp_path: Path, authority: Signers, name: str, forged_first: bool
) -> None:
    make, expected = FORGED[name]
    files = [base(authority), make(authority)]
    home = tmp_path / "home"
    stored(call, tmp_path / "in", home, *(reversed(files) if forged_first else files))
    assert state(call, home) == expected  # judged as it comes, and again with everything else
    call("verify", "--home", home)
    assert state(call, home) == expected
    (told,) = call("list", "--not-believed", "--json", "--home", home).json["not_believed"]
    assert (told["access_key"], told["code"]) == (KEY, "110111")
    assert told["why"]
    shown = call("show", KEY, "--json", "--home", home).json
    (event,) = shown["events"]
    assert event["not_believed"] == told["why"]
    done = call("export", "--company", NORMAL.tax_id, "--month", "2026-03", "--to", tmp_path / "out", "--home", home)
    assert done.code in (0, 1)


def test_what_holds_does(call: Call, tmp_path: Path, authority: Signers) -> None:
    for number, files in enumerate(
        (
            [cancellation(authority)],
            [cancellation(authority, is_answered=False), cancellation(authority, is_asked=False)],
        )
    ):
        home = tmp_path / f"home{number}"
        stored(call, tmp_path / f"in{number}", home, base(authority), *files)
        for _ in range(2):
            assert state(call, home) in CANCELLED
            call("verify", "--home", home)
        assert call("list", "--not-believed", "--json", "--home", home).json["not_believed"] == []


def lone(protocol: str, root: str = "retConsReciNFe") -> bytes:
    return f'<{root} xmlns="{NFE}" versao="4.00">{protocol}</{root}>'.encode()


def digest_in(note: bytes) -> str:
    return note.partition(b"<DigestValue>")[2].partition(b"</DigestValue>")[0].decode()


def with_digest(digest: str) -> str:
    return PROTOCOL.replace("<cStat>", f"<digVal>{digest}</digVal><cStat>")


PROTOCOLS = {
    "about another key": PROTOCOL.replace(KEY, OTHER),
    "about another text": with_digest("b3RoZXIgdGV4dCwgbm90IHRoaXM="),
    "of the test environment": PROTOCOL.replace("<tpAmb>1", "<tpAmb>2"),
}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_an_answer_that_is_not_about_it_authorizes_nothing(
    call: Call, tmp_path: Path, authority: Signers, name: str
) -> None:
    home = tmp_path / "home"
    stored(call, tmp_path / "in", home, base(authority, protocol=PROTOCOLS[name]))
    (document,) = call("list", "--all", "--json", "--home", home).json["documents"]
    assert (document["state"], document["state_ground"]) == ("no_protocol", "contradicted")
    assert call("list", "ground:contradicted", "--json", "--home", home).json["total"] == 1


@pytest.mark.parametrize("answer_first", [False, True])
@pytest.mark.parametrize("root", ["retConsReciNFe", "protNFe"])
def test_an_answer_in_a_file_of_its_own_is_joined(
    call: Call, tmp_path: Path, authority: Signers, answer_first: bool, root: str
) -> None:
    note, home = base(authority, protocol=""), tmp_path / "home"
    protocol = with_digest(digest_in(note))
    answer = lone(protocol) if root != "protNFe" else protocol.replace("<protNFe", f'<protNFe xmlns="{NFE}"').encode()
    stored(call, tmp_path / "in", home, *([answer, note] if answer_first else [note, answer]))
    shown = call("show", KEY, "--json", "--home", home).json
    assert (shown["state"], shown["state_ground"]) == ("authorized", "answer_alone")
    assert shown["standing"]["state"] == "authorized"
    (joined,) = shown["answers"]
    assert (joined["cstat"], joined["protocol"], joined["not_believed"]) == ("100", "135260000000001", None)
    assert call("list", "--not-believed", "--json", "--home", home).json["total"] == 0
    assert call("reindex", "--all", "--home", home).code == 0
    assert call("show", KEY, "--json", "--home", home).json["state"] == "authorized"


@pytest.mark.parametrize("digest", ["", "b3RoZXIgdGV4dCwgbm90IHRoaXM="])
def test_an_answer_that_nothing_ties_to_the_note_is_not(
    call: Call, tmp_path: Path, authority: Signers, digest: str
) -> None:
    home = tmp_path / "home"
    protocol = with_digest(digest) if digest else PROTOCOL
    stored(call, tmp_path / "in", home, base(authority, protocol=""), lone(protocol))
    shown = call("show", KEY, "--json", "--home", home).json
    assert (shown["state"], shown["state_ground"]) == ("no_protocol", "contradicted")
    (told,) = call("list", "--not-believed", "--json", "--home", home).json["not_believed"]
    assert (told["kind"], told["access_key"]) == ("answer", KEY)
    assert told["why"] == shown["answers"][0]["not_believed"]
    assert "--not-believed" in call("list", "--help").out


def test_the_ground_of_a_state_is_said(call: Call, tmp_path: Path, authority: Signers) -> None:
    for number, (files, expected) in enumerate(
        (
            ([], "answer_alone"),
            ([cancellation(authority)], "unchecked_event"),  # nobody knows the authority of these certificates
            ([cancellation(authority, is_signed=False)], "contradicted"),
            # The same is told truly as well: nothing is in doubt.
            ([cancellation(authority), cancellation(authority, is_asked=False)], "unchecked_event"),
        )
    ):
        home = tmp_path / f"home{number}"
        stored(call, tmp_path / f"in{number}", home, base(authority), *files)
        (document,) = call("list", "--all", "--json", "--home", home).json["documents"]
        assert document["state_ground"] == expected
        assert call("list", "--ground", expected, "--json", "--home", home).json["total"] == 1
        assert call("show", KEY, "--json", "--home", home).json["standing"]["ground"] == expected


@pytest.mark.parametrize("was_verified", [False, True])
def test_what_an_older_release_believed_is_looked_at_again(
    call: Call, tmp_path: Path, authority: Signers, was_verified: bool
) -> None:
    """Its archive says "cancelled" by a forged event; the next command that brings something in puts that right."""
    home = tmp_path / "home"
    stored(call, tmp_path / "in", home, base(authority), cancellation(authority, is_signed=False))
    if was_verified:
        call("verify", "--home", home)
    made_older(home / "archive.sqlite3", "0007")
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database:
        database.execute("UPDATE document SET state = 'cancelled'")
        if not was_verified:
            database.execute("DELETE FROM verdict")
        database.commit()
    other = tmp_path / "other.xml"
    other.write_bytes(base(authority).replace(KEY.encode(), OTHER.encode()))
    assert call("import", other, "--home", home).code == 0
    shown = call("show", KEY, "--json", "--home", home).json
    assert (shown["state"], shown["state_ground"]) == ("authorized", "contradicted")


def test_a_package_says_its_verdicts_and_holds_back_what_is_not_authentic(
    call: Call, tmp_path: Path, authority: Signers
) -> None:
    home = tmp_path / "home"
    altered = base(authority).replace(b"<dhEmi>2026-03-31T22:59:59", b"<dhEmi>2026-03-31T21:59:59")
    event = cancellation(authority, is_signed=False)
    stored(call, tmp_path / "in", home, altered, event)
    chosen = ("export", "--company", NORMAL.tax_id, "--month", "2026-03", "--home", home, "--json", "--to")
    unknown = call(*chosen, tmp_path / "first")
    assert unknown.json["packages"][0]["verdicts"] == {"none": 1}  # nobody looked at the note yet
    call("verify", "--home", home)
    refused = call(*chosen, tmp_path / "second")
    assert refused.code == 3
    assert "--with-not-authentic" in refused.json["error"]["remedy"]
    assert not (tmp_path / "second").exists() or not list((tmp_path / "second").iterdir())
    whole = call(*chosen, tmp_path / "third", "--with-not-authentic")
    assert whole.json["packages"][0]["verdicts"] == {"failed": 1}
    manifest = json.loads(Path(whole.json["packages"][0]["manifest"]).read_text())
    assert {entry["kind"]: entry["verdict"] for entry in manifest["files"]} == {"nfe": "failed", "event": "failed"}
    assert manifest["with_not_authentic"] and manifest["verdicts"] == {"failed": 1}

    good = tmp_path / "good"
    stored(call, tmp_path / "more", good, base(authority), event)
    call("verify", "--home", good)
    chosen = ("export", "--company", NORMAL.tax_id, "--month", "2026-03", "--home", good, "--json", "--to")
    without = call(*chosen, tmp_path / "fourth")
    (package,) = without.json["packages"]
    assert (without.code, package["documents"], package["events"], package["verdicts"]) == (1, 1, 0, {"unchecked": 1})
    told = call(*(part for part in chosen if part != "--json"), tmp_path / "fourth")
    assert told.code == 1
    assert f"{KEY} 110111/1" in told.err.splitlines()[-1]
    (missing,) = json.loads(Path(package["manifest"]).read_text())["missing"]
    assert (missing["kind"], missing["count"]) == ("not_authentic", 1)
    assert missing["first"][0]["name"] == f"{KEY} 110111/1" and missing["first"][0]["reason"]


def test_the_same_content_is_current_in_every_order(call: Call, tmp_path: Path, authority: Signers) -> None:
    """An authentic one, one whose values were changed, and one without its certificate, which nobody can check."""
    authentic = base(authority)
    altered = authentic.replace(b"<dhEmi>2026-03-31T22:59:59", b"<dhEmi>2026-03-31T21:59:59")
    again = base(authority, protocol=PROTOCOL.replace("23:00:00", "23:30:00"))
    shown = set()
    for turn, files in enumerate(itertools.permutations((authentic, altered, again))):
        home = tmp_path / f"home{turn}"
        stored(call, tmp_path / f"in{turn}", home, *files)
        call("verify", "--home", home)
        (document,) = call("list", "--all", "--json", "--home", home).json["documents"]
        shown.add(document["sha256"])
    assert len(shown) == 1
