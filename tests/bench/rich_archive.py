"""An archive that has rows in every table: a year of the sandbox's world, and what a person does with it.

What so small a world never brings about is written by the program's own functions.
"""

from __future__ import annotations

import gzip
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from confere.archive.accounts import accounts
from confere.archive.authenticity import account_roots
from confere.archive.clock import utc_now
from confere.archive.closing import closings, stamps
from confere.archive.feeds import published_prices
from confere.archive.orders import order_requests
from confere.archive.orders.order_requests import Asked
from confere.archive.schema.schema import explained_difference, metadata, suggestion, vault_damage, wrapping
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import message
from confere.hub.sandbox_control import trusted_roots
from confere.sales.published_price import PublishedPrice
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.catalog_push import product, write_file
from tests.end_to_end.confere import add_account, confere

_MONTH: Final = "2026-09"
_PROTOCOL: Final = re.compile(rb"<protNFe.*</protNFe>", re.DOTALL)
_ORDERS: Final = """Nº do Pedido;Data da venda;Situação;Valor Total;Frete;CPF/CNPJ;SKU;Quantidade
901001;05/09/2026 14:05;Faturado;1.234,56;10,00;123.456.789-09;A-1;2
901002;06/09/2026 10:00;Cancelada;99,90;;987.654.321-00;C-3;1
"""


def make(home: Path, documents: int = 240, seed: int = 7) -> None:
    """Write such an archive, with its settings, into the folder `home`."""
    with running(
        SandboxOptions(documents=documents, seed=seed, catalog_errors=0.2, anomalies="all", forget=True)
    ) as hub:
        add_account(home, "hub", hub.address, hub.token)
        companies = [company["cnpj"] for company in hub.info["companies"]]
        _must(home, "account", "change", "hub", *(part for cnpj in companies for part in ("--cnpj", cnpj)))
        roots = trusted_roots(hub.address)
        with (
            closing(Archive.to_write(home / "archive.sqlite3", "columns")) as archive,
            archive.writing() as transaction,
        ):
            account = accounts.named(transaction, "hub")
            if roots is not None and not account_roots.of(transaction, account.id):
                account_roots.add(transaction, account, roots, "sandbox")
        _must(home, "sync")
        _must(home, "catalog", "sync")
        write_file(home / "products.xlsx", list(map(product, range(1, 4))))
        _must(home, "catalog", "push", str(home / "products.xlsx"), "--yes", codes=(0, 1))
        _must(home, "feeds", "read", codes=(0, 1))
    _files(home)
    _must(home, "reconcile", codes=(0, 1))
    _decide(home)
    _must(home, "doctor", "--verify", "--part", "1/2", codes=(0, 1))
    with closing(Archive.to_write(home / "archive.sqlite3", "columns")) as archive, archive.writing() as transaction:
        _rare(transaction)


def empty_tables(archive: Path) -> list[str]:
    """The tables in which no row is."""
    with closing(sqlite3.connect(archive)) as connection:
        return [
            table.name
            for table in metadata.sorted_tables
            if connection.execute(f'SELECT 1 FROM "{table.name}" LIMIT 1').fetchone() is None
        ]


def _must(home: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
    done = confere(home, *arguments)
    if done.code not in codes:
        raise SystemExit(f"confere {' '.join(arguments)}: {done.code} {done.json} {done.complaints}")
    return done.json


def _files(home: Path) -> None:
    """What is imported: orders that are declared complete, a file in a wrapping, an answer without its document."""
    (home / "orders.csv").write_text(_ORDERS, encoding="utf-8")
    _must(home, "orders", "import", str(home / "orders.csv"), "--complete", _MONTH)
    papers = home / "papers"
    papers.mkdir()
    with Archive.to_read(home / "archive.sqlite3") as archive:
        with archive.reading() as transaction:
            sales = transaction.fetch(
                "SELECT content_id FROM document WHERE operation = 'sale' AND access_key NOT NULL ORDER BY id LIMIT 9"
            )
        for (content_id,) in sales:
            data = archive.content(content_id)
            answer = _PROTOCOL.search(data)
            if answer is not None:
                (papers / "wrapped.xml.gz").write_bytes(gzip.compress(data.replace(b"<NFe", b"<NFe ", 1), mtime=0))
                lone = answer[0].replace(b"<protNFe", b'<protNFe xmlns="http://www.portalfiscal.inf.br/nfe"', 1)
                (papers / "answer.xml").write_bytes(lone)
                break
    (papers / "unreadable.xml").write_bytes(b"<nfeProc><half")
    _must(home, "import", str(papers), codes=(0, 1))


def _decide(home: Path) -> None:
    """What a person says of documents, findings and links."""
    keys = [entry["access_key"] for entry in _must(home, "list", "--all")["documents"] if entry["access_key"]]
    _must(home, "tag", "add", "to look at", *keys[:3])
    _must(home, "tag", "add", "settled", keys[4])
    _must(home, "saved", "add", "large ones", "value>100")
    _must(home, "saved", "add", "cancelled ones", "--state", "cancelled")
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection:
        findings = [str(number) for (number,) in connection.execute("SELECT id FROM finding WHERE state = 'open'")]
    _must(home, "findings", "explain", *findings[:2], "--note", "as agreed")
    _must(home, "findings", "note", findings[2], "--note", "ask the seller")
    _must(home, "findings", "assign", findings[3], "--to", "Maria", "--due", "2026-12-01")
    links = _must(home, "links", "list")["links"]
    _must(home, "links", "confirm", "--order", links[0]["order"], "--key", links[0]["key"])
    _must(home, "links", "unlink", "--order", links[1]["order"], "--key", links[1]["key"])
    _must(home, "links", "link", "--order", links[2]["order"], "--key", links[3]["key"], "--note", "seen on paper")
    _must(home, "links", "undo")
    (account,) = _must(home, "account", "list")["accounts"]
    company = account["establishments"][0]["tax_id"]
    _must(home, "findings", "signoff", "--company", company, "--period", _MONTH, "--reviewer", "Ana", codes=(0, 1))
    _must(
        home, "close", "--period", _MONTH, "--company", company, "--incomplete", "--preparer", "Rui", codes=(0, 1)
    )  # fmt: skip
    _must(home, "account", "change", "hub", "--tolerance", "0.02", codes=(0, 1, 2))


def _rare(transaction: Transaction) -> None:
    """Rows of tables that are still empty, as the program writes them."""
    account = accounts.named(transaction, "hub")
    run_id = int(transaction.scalar("SELECT max(id) FROM run"))
    why = message("The disk that holds {path} is full.", path="/data")
    order_requests.mark_asked(transaction, account.id, (Asked("77", "absent"), Asked("78", "failed", why)))
    stamps.add(transaction, closings.acts(transaction)[0], "http://authority.example", b"\x30\x03\x02\x01\x00")
    price = PublishedPrice("P-1", "SKU-1", "mercado", "2026-09-01T00:00:00+00:00", 1990, 1790, "spring", True)
    published_prices.record(transaction, account.id, (price, replace(price, publication="P-2", price=2990)))
    order, key = transaction.fetch("SELECT order_hub_id, access_key FROM link ORDER BY 1, 2")[-1]
    transaction.insert(suggestion, [(account.id, order, key, "[]", "[]", run_id)])
    difference = (1, account.id, "2026-09", f'["{order}"]', f'["{key}"]', 5, "[]", run_id, None)
    transaction.insert(explained_difference, [difference])
    content_id = int(transaction.scalar("SELECT max(id) FROM content WHERE family = 1"))
    transaction.insert(wrapping, [(content_id - 1, content_id, "gzip")])
    transaction.insert(vault_damage, [(content_id, utc_now(), "damaged")])
