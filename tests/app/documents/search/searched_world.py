"""A small fixed world of documents that the tests of the search look through; each has a letter."""

from __future__ import annotations

from typing import Final

from confere.archive.accounts import accounts
from confere.archive.clock import from_text
from confere.archive.hub import hub_records
from confere.archive.hub.hub_records import HubRecord
from confere.archive.store import Archive
from confere.fiscal.access_keys import check_digit
from tests.archive.hub_documents import hub_document
from tests.export.made import CARRIER, COMPANY, OTHER, event, freight, note, store, voiding
from tests.export.made import key as key_of_series_1

ALL: Final = "E F A D B H C G"
"""Every letter, in the order of the list: newest first."""


def key(number: int, *, series: int = 1, model: str = "55", month: str = "2026-10") -> str:
    """The access key of a document of the world."""
    plain = key_of_series_1(number, model=model, month=month)
    body = f"{plain[:22]}{series:03d}{plain[25:-1]}"
    return body + check_digit(body)


KEY_A: Final = key(6539)
KEY_B: Final = key(6540)
KEY_D: Final = key(7001)
KEY_E: Final = key_of_series_1(880, emitter=CARRIER, model="57", month="2026-11")
GROUPS_OF_A: Final = " ".join(KEY_A[place : place + 4] for place in range(0, 44, 4))


def _note(
    number: int, day: str, name: str, tax_id: str, uf: str, total: str, item: str,
    *, series: int = 1, model: str = "55", code: str = "A1",
) -> bytes:  # fmt: skip
    data = note(number, day=day, model=model).decode()
    kind = "CPF" if len(tax_id) == 11 else "CNPJ"
    for old, new in (
        (key_of_series_1(number, model=model, month=day[:7]), key(number, series=series, model=model, month=day[:7])),
        ("<serie>1</serie>", f"<serie>{series}</serie>"),
        ("Loja São João", "Loja Exemplo"),
        (
            f"<dest><CNPJ>{OTHER}</CNPJ><xNome>Cliente</xNome>",
            f"<dest><{kind}>{tax_id}</{kind}><xNome>{name}</xNome><enderDest><UF>{uf}</UF></enderDest>",
        ),
        ("<nProt>1352600000", f"<nProt>135260{series - 1:04d}"),
        ("Caneca ", item),
        ("<cProd>A1<", f"<cProd>{code}<"),
        ("<vNF>10.00<", f"<vNF>{total}<"),
    ):
        assert old in data
        data = data.replace(old, new)
    return data.encode()


PAPERS: Final = {
    "A": _note(6539, "2026-10-31", "Patrícia Souza", "52998224725", "SP", "121.04", "Camiseta azul P"),
    "B": _note(6540, "2026-10-15", "Maria Aparecida", "11144477735", "RJ", "1500.00", "Camiseta verde M"),
    "C": _note(6539, "2026-09-05", "Padaria São João Ltda", OTHER, "MG", "250.00", "Caneca esmaltada", series=2),
    "D": _note(7001, "2026-10-20", "Patrícia Lima", "39053344705", "SP", "99.90", "Boné azul"),
    "E": freight(880, day="2026-11-02", carries=KEY_A),
    "F": _note(
        6541, "2026-10-31", "Consumidor", "15350946056", "RJ", "35.50", "Chaveiro", model="65", code="7891000100103"
    ),
    "G": _note(121, "2026-08-01", "Mercado Bahia", "00000000000191", "BA", "2000.00", "Parafuso 6539 inox", series=3),
    "H": voiding(6600, 6610),
}
LETTERS: Final = {
    (type_, series, number): letter
    for letter, type_, series, number in (
        ("A", "nfe", 1, 6539), ("B", "nfe", 1, 6540), ("C", "nfe", 2, 6539), ("D", "nfe", 1, 7001),
        ("E", "cte", 1, 880), ("F", "nfce", 1, 6541), ("G", "nfe", 3, 121),
    )
}  # fmt: skip
_ORDERS: Final = ((KEY_A, "2000012345678"), (KEY_B, "2000012345679"), (KEY_D, "MLB-77-1"))


def letter_of(type_: str, series: int | None, number: int | None) -> str:
    """The letter of a row of the list; the voiding is the one without a name of its own."""
    return "H" if type_ == "voiding" else LETTERS[type_, series or 0, number or 0]


def fill(archive: Archive) -> None:
    """Put the world into an empty archive: D is cancelled, A, B and D are of orders, E carries A."""
    with archive.writing() as transaction:
        accounts.add(transaction, name="loja", environment="production", address="x", platform="x")
    store(archive, *PAPERS.values(), event(KEY_D, day="2026-10-21"))
    records = [
        HubRecord(
            hub_document(
                f"hub-{number}", access_key, subtype="sale", marketplace="Vitrine", order_id=order,
                created_at=from_text("2026-10-05T12:00:00.000+00:00"),
                updated_at=from_text("2026-10-05T12:00:00.000+00:00"), raw=order.encode(),
            )
        )
        for number, (access_key, order) in enumerate(_ORDERS)
    ]  # fmt: skip
    with archive.writing() as transaction:
        hub_records.observe(transaction, archive.vault_writer, 1, 1, records)


__all__ = ["ALL", "CARRIER", "COMPANY", "GROUPS_OF_A", "KEY_A", "KEY_D", "KEY_E", "LETTERS", "fill", "key", "letter_of"]
