"""Makes an archive of today's format and a file of what is shown of it: `python -m tests.releases.make`.

Run once for each format, when it is new: later programs must show the same of that archive. Every table with stored
sentences has rows: findings, links, ties, near misses, differences that a rule explains, verdicts, what could not be
read, fetched or understood, runs, closings, and what a person decided, undid and noted.
"""

from __future__ import annotations

import json
import lzma
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from confere.app.context import Workspace
from confere.archive.reconciliation import near_misses
from confere.archive.schema import migrate
from confere.sales.links import Linked
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from sandbox_hub.world.anomalies.variants import RULES
from tests.app import business
from tests.app.made import account
from tests.archive.papers import cancellation, key, note, store
from tests.cli.json_recorder import answer_of, neutral_environment
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub
from tests.releases.every_sentence import collected
from tests.releases.rendered import LANGUAGES, merged, shown

FOLDER: Final = Path(__file__).parent
CLOCK: Final = "2026-11-01T08:00:00-03:00"
# Oftener than usual, so that a small world has many of them.
ANOMALIES: Final = ",".join(f"{rule}=0.2" for rule in RULES)
WORLD: Final = SandboxOptions(documents=60, seed=7, clock=CLOCK, forget=True, anomalies=ANOMALIES)
ODD: Final = {"documents": [{"type": "AUTHORIZATION", "shelf": {"row": 4.10}}], "history": [{"status": "AUTHORIZED"}]}
TWIN: Final = {
    "total": 20.0,
    "gross": 20.0,
    "items": [{"sku": {"partnerId": "A1", "title": "Caneca azul"}, "amount": 1, "unit": 20.0, "total": 20.0}],
}
ORDERS: Final = (
    "Pedido;Data;Status;Total;Comprador;CPF;SKU;Quantidade;Preço unitário;NF;Série;Chave;Transportadora;Pagamento\n"
    f"1001;05/10/2026 14:05;Faturado;R$ 1.234,56;José;123.456.789-09;A-1;2;600,00;55;1;{key(1)};Rápida;Pix\n"
    "1002;06/10/2026;Cancelado;99,90;Ana;;C-3;1;99,90;;;;;\n"
)


def archive_file(revision: str) -> Path:
    return FOLDER / f"{revision}.sqlite3.xz"


def shown_file(revision: str) -> Path:
    return FOLDER / f"{revision}.json"


def unpacked(revision: str, home: Path) -> Path:
    """A data folder with a copy of the archive of that format."""
    home.mkdir(parents=True)
    path = home / "archive.sqlite3"
    path.write_bytes(lzma.decompress(archive_file(revision).read_bytes()))
    return path


def make(home: Path) -> None:
    """The archive, in an empty data folder; the current folder gets the files that are brought in."""
    with ExitStack() as stack:
        hub = stack.enter_context(running(WORLD))
        odd = stack.enter_context(serving(SmallHub()))
        commands = _Commands(home)
        _sync(commands, hub, odd)
        _import(commands)
        _small_business(home)
        commands("verify")
        _reconcile(commands)
        _decide(commands)
        _reconcile(commands)
        _every_sentence(home)
        _close(commands)


class _Commands:
    """Runs commands and gives their JSON, whatever their exit code."""

    def __init__(self, home: Path) -> None:
        self._common = ("--home", str(home), "--json")

    def __call__(self, line: str, *names: object) -> Any:
        code, text = answer_of(*line.split(), *map(str, names), *self._common)
        answer = json.loads(text)
        assert code < 2 or "error" in answer, text
        return answer


def _sync(commands: _Commands, hub: RunningHub, odd: SmallHub) -> None:
    """A whole account; and one whose hub says odd things, loses a document, lacks a file and refuses the token once."""
    for name, text in (("token.txt", hub.token), ("other.txt", "token-of-a-test")):
        Path(name).write_text(text, encoding="utf-8")
        Path(name).chmod(0o600)
    add = "account add {} --platform test --environment {} --token-file {} --address"
    tax_ids = [word for company in hub.info["companies"] for word in ("--cnpj", company["cnpj"])]
    commands(add.format("loja", "embedded", "token.txt"), hub.address, *tax_ids)
    commands(add.format("odd", "embedded", "other.txt"), odd.address)
    commands("sync --account loja")
    odd.add(1, 1)
    odd.details["fd-2"] = dict(odd.add(2, 1, **ODD))
    lacking = odd.add(3, 2)
    for item in [name for name in odd.files if lacking["id"].removeprefix("fd-") in name]:
        odd.files[item] = 404
    odd.cancel(odd.add(4, 3), 20)
    commands("sync --account odd --no-orders")
    del odd.documents[0]
    commands("sync --account odd --no-orders --full")
    commands("account token loja --token-file other.txt")
    commands("sync --account loja")
    commands("account token loja --token-file token.txt")


def _import(commands: _Commands) -> None:
    papers = Path("papers")
    papers.mkdir()
    (papers / "note.xml").write_bytes(note(7))
    (papers / "cancellation.xml").write_bytes(cancellation(7))
    (papers / "alone.xml").write_bytes(cancellation(8))
    (papers / "broken.xml").write_bytes(b"<nfeProc><NFe>")
    sale = commands("list state:authorized --type nfe --subtype sale --limit 1")["documents"][0]["access_key"]
    commands("show --xml --output sale.xml", sale)
    altered = Path("sale.xml").read_text(encoding="utf-8").replace("<natOp>", "<natOp>X", 1)
    (papers / "altered.xml").write_text(altered, encoding="utf-8")
    commands("import papers")
    Path("orders.csv").write_text(ORDERS, encoding="utf-8")
    commands("orders import orders.csv --account odd --complete 2026-10")
    commands("export --month 2026-10 --to", Path.cwd())


def _small_business(home: Path) -> None:
    """What no world of the sandbox plants: a near miss, a tie, what a rule explains itself, and what a person does."""
    orders = {
        "o1": {"total": 9.0, "gross": 9.0},  # its note is of ten reais
        "o2": {"total": 10.5, "interestValue": 0.5, "invoice": {"accessKey": key(2)}},
        "o3": {"total": 9.98, "gross": 9.98, "invoice": {"accessKey": key(3)}},
        "o4": TWIN,
        "o5": TWIN,
    }
    with Workspace.at(home).writing("test") as archive:
        store(archive, note(1), note(2), note(3), note(4, total="20.00"), note(5, total="20.00"))
        owner = account(archive, business.ACCOUNT)
        business.record_orders(archive, owner, *(business.order_json(name, **how) for name, how in orders.items()))


def _every_sentence(home: Path) -> None:
    """An account whose one run found whatever reconciliation can find."""
    made = collected()
    with Workspace.at(home).writing("test") as archive:
        owner = account(archive, "cases")
        linked = Linked(tuple(made.links), tuple(made.ties), tuple(made.suggestions))
        number = business.run(archive, owner, linked, tuple(made.findings))
        with archive.writing() as transaction:
            near_misses.replace_suggestions(transaction, owner.id, number, made.suggestions)
            near_misses.replace_explained(transaction, owner.id, number, made.explained, None)


def _reconcile(commands: _Commands) -> None:
    commands("reconcile --account loja --all --as-of", CLOCK)
    commands("reconcile --account loja --period 2026-10 --as-of", CLOCK)
    commands("reconcile --account shop --all --as-of 2026-11-10T00:00:00-03:00")


def _decide(commands: _Commands) -> None:
    """What a person says: of findings, of links, and what is taken back."""
    found = commands("findings list --account loja --state open")["findings"]
    one, two, three, four = (entry["id"] for entry in found[:4])
    commands("findings explain --note combinado", one)
    commands("findings ignore --note pequeno", two)
    commands("findings note --note olhar", three)
    commands("findings explain --note certo", four)
    commands("findings reopen --note engano", four)
    (small,) = (entry["id"] for entry in commands("findings list --account shop --rule R3")["findings"])
    commands("findings explain --note arredondamento", small)
    first, second, third, fourth = commands("links list --account loja")["links"][:4]
    commands("links unlink --account loja --note outro --order", first["order"], "--key", first["key"])
    commands("links link --account loja --order", first["order"], "--key", second["key"])
    commands("links confirm --account loja --order", third["order"], "--key", third["key"])
    commands("links unlink --account loja --order", fourth["order"], "--key", fourth["key"])
    commands("links undo --account loja")


def _close(commands: _Commands) -> None:
    """A month that was closed, opened again and closed anew, each in the names of people."""
    commands("close --period 2026-10 --incomplete --preparer Joana --reviewer Pedro")
    commands("close --period 2026-10 --reopen --reason", "Ana Compradora pediu")
    commands("close --period 2026-10 --incomplete --preparer Joana")


@contextmanager
def _somebody(folder: Path) -> Iterator[None]:
    """In that folder, as a user whose name says nothing of this machine."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        with patch.dict(os.environ, {"LOGNAME": "maria"}), neutral_environment():
            yield
    finally:
        os.chdir(before)


def main() -> int:
    """Write both files for the format of today; 1 where they are there: what they hold is not to follow the program."""
    if archive_file(migrate.HEAD).exists() and "--again" not in sys.argv[1:]:
        print(f"The archive of {migrate.HEAD} is made; --again makes another.")
        return 1
    with tempfile.TemporaryDirectory() as name, _somebody(Path(name)):
        home = Path(name) / "home"
        make(home)
        with closing(sqlite3.connect(home / "archive.sqlite3")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("VACUUM")
        data = (home / "archive.sqlite3").read_bytes()
        archive_file(migrate.HEAD).write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
        copy = unpacked(migrate.HEAD, Path(name) / "copy").parent
        texts = {language: shown(copy, language) for language in LANGUAGES}
    text = json.dumps(merged(texts), ensure_ascii=False, indent=1)
    shown_file(migrate.HEAD).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
