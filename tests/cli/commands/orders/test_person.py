"""`confere person`: where somebody is, and that after an erasure no byte of it is left but where the law keeps it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import zstandard

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.context import EMBEDDED, Workspace
from confere.app.documents.browse import DocumentQuery
from confere.app.documents.organize import saved_searches, tags
from confere.archive.accounts import accounts as of_account
from confere.archive.accounts import audit
from confere.archive.closing import closings
from confere.archive.documents.search import document_tags
from confere.archive.reconciliation import decisions, reviews
from confere.errors import UsageFault
from confere.sales.closings import ClosingKind, SigningNames
from tests.archive.papers import EMITTER, note, store
from tests.cli.running import Call
from tests.intake.order_hub import OrderHub
from tests.intake.served import serving

CPF = "52998224725"
MASKED = "529.982.247-25"
BUYER: dict[str, Any] = {
    "id": 77,
    "name": "Josefa Quixaba Telhado",
    "email": "josefa.quixaba@correio.example",
    "document": MASKED,
    "documentType": "CPF",
    "phone": "11 98765-4321",
    "birthDate": "1961-02-03",
}
SHIPPING: dict[str, Any] = {
    "address": "Rua das Carnaúbas Tortas",
    "number": "4321",
    "city": "Osasco",
    "state": "SP",
    "country": "BR",
    "zipCode": "06013-987",
    "freight": 3.5,
    "receiver": {"name": "Josefa Quixaba Telhado"},
}
SECRETS = (
    CPF, MASKED, "Josefa", "Quixaba", "Telhado", "josefa.quixaba", "98765-4321", "1961-02-03", "Carnaúbas",
    "Carna\\u00fabas", "06013-987",
)  # fmt: skip
OTHER = "11144477735"
OTHER_COMPANY = "11222333000181"


def order_of(person: bool, number: int) -> dict[str, Any]:
    if person:
        return {"buyer": dict(BUYER), "shipping": dict(SHIPPING), "comments": f"Entregar a {BUYER['name'].upper()}"}
    other = {
        "name": f"Cliente {number} Alheio",
        "document": OTHER_COMPANY if number == 1 else OTHER,
        "email": f"c{number}@x.example",
    }
    return {"buyer": other, "shipping": {"address": f"Avenida {number}", "city": "Natal", "state": "RN"}}


@pytest.fixture
def hub() -> Iterator[OrderHub]:
    with serving(OrderHub()) as running:
        for number in range(1, 331):  # enough for the vault to learn a dictionary from them
            running.add(number, day=number / 10, **order_of(number in (5, 50, 320), number))
        running.returns = [
            {"id": 900, "orderId": 50, "customer": {"name": BUYER["name"], "cpf": CPF}, "total": 1.0},
            {"id": 901, "orderId": 51, "customer": {"name": "Cliente 51 Alheio"}, "total": 1.0},
        ]
        yield running


@pytest.fixture
def home(tmp_path: Path, hub: OrderHub) -> Path:
    accounts.add(Workspace.at(tmp_path / "home"), NewAccount("loja", hub.address, "p", EMBEDDED), "token-of-a-test")
    return tmp_path / "home"


def test_nothing_of_a_person_is_left_but_what_the_law_keeps(
    call: Call, home: Path, hub: OrderHub, tmp_path: Path
) -> None:
    assert call("sync", "--home", home).code == 0
    hub.orders["50"]["status"] = "CANCELED"  # a second version
    hub.orders["5"]["buyer"]["document"] = "***.982.247-**"  # the newest version hides what the first one tells
    hub.touch(50)
    hub.touch(5)
    assert call("sync", "--home", home).code == 0
    _close_in_the_name_of_the_person(home)
    for name, words in (
        ("JOSEFA Telhado", "telhado josefa uf:SP"), ("Por CPF", MASKED), ("E-mail", BUYER["email"].upper()),
        ("Passada", "josefa quixaba telhado"), ("Nome só", "josefa"), ("Outra", "telhado azul"),
    ):  # fmt: skip
        assert call("saved", "add", "--home", home, name, words).code == 0
    assert call("saved", "rename", "--home", home, "Passada", "Josefa Quixaba Telhado").code == 0
    assert call("saved", "remove", "--home", home, "Josefa Quixaba Telhado").code == 0
    with Workspace.at(home).writing("test") as archive, archive.writing() as transaction:
        document_tags.make(transaction, "Josefa Quixaba Telhado")
        gone = document_tags.make(transaction, "A pagar")
        gone = document_tags.rename(transaction, gone, "josefa telhado")
        document_tags.delete(transaction, gone)
        document_tags.make(transaction, "Azul")
    assert call("doctor", "--backup", "--home", home).code == 0
    before = {file.name: file for file in (home / "backups").glob("*.sqlite3")}
    assert sum(SECRETS[2].encode() in text for text in everything(home / "archive.sqlite3")) >= 3

    seen = call("person", MASKED, "--home", home, "--json").json
    assert seen["tax_id"] == CPF
    assert {entry["id"]: entry["versions"] for entry in seen["orders"]} == {"5": 2, "50": 2, "320": 1}
    assert [entry["id"] for entry in seen["returns"]] == ["900"]
    assert [entry["entries"] for entry in seen["backups"]] == [4]
    assert [(entry["number"], entry["texts"], entry["why_not"]) for entry in seen["closings"]] == [
        (1, ["preparer"], None), (2, ["reason"], None),
    ]  # fmt: skip
    assert seen["saved_searches"] == ["JOSEFA Telhado", "Por CPF", "E-mail"]
    assert seen["tags"] == ["Josefa Quixaba Telhado"]
    assert (seen["erased"], seen["erased_at"], seen["retention"]) == (None, None, None)
    told = call("person", CPF, "--erase", "--preview", "--home", home)
    assert told.code == 0
    assert "LGPD art. 18, VI" in told.out and "JOSEFA Telhado" in told.out
    refused = call("person", CPF, "--erase", "--home", home)
    assert (refused.code, "--preview" in refused.err) == (2, True)
    assert call("person", CPF, "--home", home, "--json").json == seen

    done = call("person", CPF, "--erase", "--yes", "--home", home, "--json").json
    assert {name: done["erased"][name] for name in ("orders", "versions", "returns", "searches", "tags", "traces")} == {
        "orders": 3, "versions": 5, "returns": 1, "searches": 3, "tags": 1, "traces": False,
    }  # fmt: skip
    assert set(before) == {file.name for file in (home / "backups").glob("*.sqlite3")}
    facts = call("doctor", "--home", home, "--json").json["facts"]  # changed by Confere itself, so not damaged
    assert (facts["backups"]["whole"], facts["backups"]["damaged"]) == (1, 0)
    assert facts["backup_heads"] == {"held": 1, "set_aside": 0, "lost": 0, "missing": 0}
    for file in (home / "archive.sqlite3", *before.values()):
        texts = everything(file)
        assert len(texts) > 330
        for secret in SECRETS:
            assert not any(secret.encode() in text for text in texts), (file.name, secret)
        assert sum(b"Cliente 51 Alheio" in text for text in texts) >= 2  # nobody else's
    assert {path.name for path in home.glob("archive.sqlite3*")} <= {
        "archive.sqlite3", "archive.sqlite3-lock", "archive.sqlite3.lock",
        "archive.sqlite3-wal", "archive.sqlite3-shm",
    }  # fmt: skip

    left = call("saved", "list", "--home", home, "--json").json["saved"]
    assert [entry["name"] for entry in left] == ["Nome só", "Outra"], "a first name alone names nobody"
    tags = call("tag", "list", "--home", home, "--json").json["tags"]
    assert [entry["name"] for entry in tags] == ["(erased) 1", "Azul"]
    checked = call("doctor", "--verify", "--home", home)
    assert checked.code == 0, checked.out + checked.err
    with Workspace.at(home).reading() as archive, archive.reading() as transaction:
        closed, opened = closings.acts(transaction)
        told = [line.detail for line in audit.lines(transaction, 1000) if line.action.startswith("tag ")]
    assert not any("telhado" in (detail or "").lower() for detail in told), told
    assert closed.names == SigningNames("(erased)", "Bia Souza")
    assert opened.reason == "(erased) pediu, CPF (erased)"
    shown = call("orders", "show", "50", "--home", home, "--json").json
    assert (shown["buyer_name"], shown["buyer_tax_id"], shown["uf"]) == (None, None, "SP")
    assert shown["status"] == "CANCELED"
    assert call("reconcile", "--home", home).code == 0
    gone = call("person", CPF, "--home", home, "--json").json
    assert (gone["orders"], gone["returns"]) == ([], [])
    assert gone["erased_at"]

    # The hub tells of the same orders again, one of them changed; a new order of the person is a new one.
    hub.orders["320"]["status"] = "CANCELED"
    for number in (5, 50, 320):
        hub.touch(number)
    hub.add(400, day=99.5, **order_of(True, 400))
    hub.orders["400"]["createdAt"] = "2099-01-01T00:00:00+00:00"
    hub.add(401, day=98, **order_of(True, 401))  # older than the erasure, and told only now
    assert call("sync", "--full", "--home", home).code == 0
    again = call("person", CPF, "--home", home, "--json").json
    assert [entry["id"] for entry in again["orders"]] == ["400"]
    assert again["returns"] == []
    versions = call("orders", "show", "5", "--home", home, "--json").json["versions"]
    assert len(versions) == 2  # what the hub tells without the person is what is kept
    assert "person erased" in str(audit_of(home))
    assert CPF not in str(audit_of(home))


def test_what_is_packed_anew_is_read_back_before_the_old_goes(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bit that flips while contents are packed with the new dictionary: nothing is erased, nothing is lost."""
    from confere.archive.orders import persons

    assert call("sync", "--home", home).code == 0
    before = contents_of(home)
    compressor = zstandard.ZstdCompressor

    class Flipping:
        def __init__(self, **options: Any) -> None:
            self._packer = compressor(**options)
            self._count = 0

        def compress(self, data: bytes) -> bytes:
            self._count += 1
            return self._packer.compress(data.replace(b"1", b"3", 1) if self._count == 7 else data)

    monkeypatch.setattr(persons.zstandard, "ZstdCompressor", Flipping)
    done = call("person", CPF, "--erase", "--yes", "--home", home)
    assert (done.code, "cannot be read back against its SHA-256" in done.err) == (3, True)
    assert contents_of(home) == before
    assert call("person", CPF, "--home", home, "--json").json["orders"]
    monkeypatch.undo()
    assert call("person", CPF, "--erase", "--yes", "--home", home).code == 0
    assert call("doctor", "--verify", "--home", home, "--json").json["facts"]["archive"]["damage"] == []


def test_undo_brings_no_name_back_after_an_erasure(call: Call, home: Path, hub: OrderHub) -> None:
    """A window that was open meanwhile still offers it."""
    assert call("sync", "--home", home).code == 0
    workspace = Workspace.at(home)
    with workspace.writing("test") as archive:
        store(archive, note(1))
    for name in ("Azul", f"cliente {BUYER['name']}", "quixaba josefa telhado"):
        tags.add(workspace, name, [1])
    azul, named = tags.delete(workspace, "Azul"), tags.delete(workspace, f"cliente {BUYER['name']}")
    off = tags.remove(workspace, "quixaba josefa telhado", [1])
    search = saved_searches.save(workspace, "devolveu", BUYER["name"], DocumentQuery())
    saved_searches.remove(workspace, search.name)
    assert call("person", CPF, "--erase", "--yes", "--home", home).code == 0
    with pytest.raises(UsageFault):
        tags.bring_back(workspace, named)
    with pytest.raises(UsageFault):
        saved_searches.bring_back(workspace, search)
    assert tags.bring_back(workspace, azul).name == "Azul"
    assert tags.take_back(workspace, off, was_put=False).ids == (1,)
    listed = call("tag", "list", "--home", home, "--json").json["tags"]
    assert sorted(entry["name"] for entry in listed) == [f"(erased) {off.tag.id}", "Azul"]
    assert call("saved", "list", "--home", home, "--json").json["saved"] == []


def _close_in_the_name_of_the_person(home: Path) -> None:
    with Workspace.at(home).writing("test") as archive, archive.writing() as transaction:
        month = (transaction, OTHER_COMPANY, "2026-10")
        closings.append(*month, ClosingKind.CLOSE, names=SigningNames(BUYER["name"], "Bia Souza"))
        closings.append(*month, ClosingKind.REOPEN, reason=f"{BUYER['name'].upper()} pediu, CPF {MASKED}")


@pytest.mark.parametrize("name", ["João Conceição Brandão", 'Ana "Nina" Lobo', "Rui\\Sá Melo"])
def test_a_name_is_taken_out_of_notes_however_json_writes_it(call: Call, home: Path, hub: OrderHub, name: str) -> None:
    for number in ("5", "50", "320"):
        hub.orders[number]["buyer"]["name"] = name
    assert call("sync", "--home", home).code == 0
    with Workspace.at(home).writing("test") as archive, archive.writing() as transaction:
        owner = of_account.named(transaction, "loja")
        act = decisions.begin(transaction, owner.id, "note", {"note": f"{name} devolveu", "count": 1})
        reviews.sign(transaction, OTHER_COMPANY, "2026-10", "Bia Souza", f"falta {name}")
    assert call("person", CPF, "--erase", "--yes", "--home", home).code == 0
    with Workspace.at(home).reading() as archive, archive.reading() as transaction:
        assert decisions.to_undo(transaction, owner.id) is not None
        (kept,) = [entry for entry in decisions.history(transaction, owner.id) if entry.id == act]
        (signed,) = reviews.history(transaction)
    assert kept.detail["note"] == "(erased) devolveu"
    assert (signed.reviewer, signed.note) == ("Bia Souza", "falta (erased)")


def test_the_xml_stays_and_until_when_is_told(call: Call, home: Path, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    dest = f"<dest><CPF>{CPF}</CPF><xNome>{BUYER['name']}</xNome></dest><det "
    for number, day in ((1, "2026-02-28"), (2, "2026-10-05")):
        (papers / f"{number}.xml").write_bytes(note(number, day=day).replace(b"<det ", dest.encode(), 1))
    assert call("import", papers, "--home", home).code == 0
    assert call("sync", "--home", home).code == 0
    found = call("person", CPF, "--home", home, "--json").json
    assert found["documents"]["roles"] == {"recipient": 2}
    assert len(found["documents"]["keys"]) == 2
    assert found["retention"] == {
        "newest": "2026-10-05", "ctn_173_174": "2031-12-31", "ajuste_sinief_2_2025": "2037-10-05",
    }  # fmt: skip
    done = call("person", CPF, "--erase", "--yes", "--home", home)
    assert done.code == 0
    assert "132 months" in done.out
    after = call("person", CPF, "--home", home, "--json").json
    assert (after["documents"], after["orders"]) == (found["documents"], [])
    key = found["documents"]["keys"][0]
    assert BUYER["name"] in call("show", key, "--xml", "--home", home).out
    assert call("doctor", "--verify", "--home", home).code == 0


def test_what_says_nothing_is_not_told(call: Call, home: Path, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    dest = f"<dest><CPF>{CPF}</CPF><xNome>{BUYER['name']}</xNome></dest><det "
    (papers / "1.xml").write_bytes(note(1).replace(b"<det ", dest.encode(), 1))
    assert call("import", papers, "--home", home).code == 0
    export = ("export", "--company", EMITTER, "--month", "2026-10", "--no-ledger", "--home", home)
    assert [call(*export, "--json").json["packages"][0]["identical"] for _ in range(2)] == [False, True]
    call("doctor", "--backup", "--home", home)
    seen = call("person", CPF, "--home", home, "--json").json
    assert [entry["company"] for entry in seen["packages"]] == [EMITTER]
    assert [entry["entries"] for entry in seen["backups"]] == [0]
    told = call("person", CPF, "--home", home).out
    assert "Backups that do not name the person: 1" in told
    assert "Packages written of those months: 1" in told
    assert not any(
        line in told for line in ("Backups:", "sqlite3", "Findings about", "Texts that name", "audit trail 0")
    )


@pytest.mark.parametrize("wrong", ["529.982.247-24", "x", "", "12345678900000", "1" * 5000])
def test_what_is_no_tax_id_is_not_repeated(call: Call, home: Path, wrong: str) -> None:
    told = call("person", wrong, "--home", home)
    assert told.code == 2
    assert len(wrong) < 5 or wrong not in told.err
    assert call("person", CPF, "--yes", "--home", home).code == 2
    assert call("person", CPF, "--erase", "--yes", "--preview", "--home", home).code == 2


def test_who_reads_meanwhile_leaves_traces_and_the_same_command_ends_them(call: Call, home: Path) -> None:
    assert call("sync", "--home", home).code == 0
    with Workspace.at(home).reading() as archive, archive.reading() as transaction:
        transaction.scalar("SELECT count(*) FROM sales_order")  # a view that stays open
        done = call("person", CPF, "--erase", "--yes", "--home", home)
        assert done.code == 1
        assert "Another program reads the archive" in done.err
    again = call("person", CPF, "--erase", "--yes", "--home", home, "--json")
    assert (again.code, again.json["erased"]["traces"]) == (0, False)
    for secret in SECRETS:
        assert not any(secret.encode() in text for text in everything(home / "archive.sqlite3")), secret


def test_a_copy_that_cannot_be_changed_is_named(call: Call, home: Path) -> None:
    assert call("sync", "--home", home).code == 0
    assert call("doctor", "--backup", "--home", home).code == 0
    (copy,) = (home / "backups").glob("*.sqlite3")
    older = copy.with_name("archive-0001-20260101T000000Z.sqlite3")
    shutil.copyfile(copy, older)
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        connection.commit()
    (home / "backups" / "archive-copy-20260101T000000000000Z.sqlite3").write_bytes(b"no archive")
    kept = home / "archive-damaged-20260101T000000Z.sqlite3"
    kept.write_bytes(CPF.encode())
    done = call("person", CPF, "--erase", "--yes", "--home", home, "--json")
    assert done.code == 1
    why = {Path(entry["file"]).name: entry["why_not"] for entry in done.json["backups"]}
    assert why.pop(copy.name) is None
    assert why.pop(older.name) == "It is of an older format; remove it once you do not need it."
    assert "that a repair kept" in why.pop(kept.name)
    assert all(why.values())
    assert len(why) == 1
    assert not any(CPF.encode() in text for text in everything(copy))


def test_a_company_of_the_archive_is_no_buyer(call: Call, home: Path) -> None:
    assert call("account", "change", "loja", "--cnpj", OTHER_COMPANY, "--home", home).code == 0
    assert call("sync", "--home", home).code == 0
    hub_order = call("orders", "show", "1", "--home", home, "--json").json
    told = call("person", OTHER_COMPANY, "--erase", "--yes", "--home", home)
    assert told.code == 2
    assert "a company of this archive" in told.err
    assert call("orders", "show", "1", "--home", home, "--json").json == hub_order


def everything(file: Path) -> list[bytes]:
    """The bytes of an archive's file and of those beside it, and each content and dictionary of JSON, unpacked."""
    texts = [path.read_bytes() for path in file.parent.glob(f"{file.name}*")]
    connection = sqlite3.connect(file)
    try:
        known = dict(connection.execute("SELECT id, data FROM dictionary WHERE family = 1"))
        assert known, "the vault learnt no dictionary"
        texts += known.values()
        for dictionary_id, payload in connection.execute("SELECT dictionary_id, payload FROM content WHERE family = 1"):
            trained = zstandard.ZstdCompressionDict(known[dictionary_id]) if dictionary_id is not None else None
            texts.append(zstandard.ZstdDecompressor(dict_data=trained).decompress(payload))
    finally:
        connection.close()
    return texts


def contents_of(home: Path) -> list[Any]:
    """The number, digest and stored bytes of every content."""
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection:
        return connection.execute("SELECT id, digest, payload FROM content ORDER BY id").fetchall()


def audit_of(home: Path) -> list[Any]:
    connection = sqlite3.connect(home / "archive.sqlite3")
    try:
        return connection.execute("SELECT action, subject, detail FROM audit").fetchall()
    finally:
        connection.close()
