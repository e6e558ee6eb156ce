"""In or out, and whose document it is."""

from __future__ import annotations

import pytest

from confere.fiscal.direction import belongs_to, direction
from confere.fiscal.model import Document
from confere.fiscal.reading.document import read
from tests.fiscal import made

COMPANY = made.LETTERED
STRANGER = "34128745000152"


def document(text: str) -> Document:
    return read(text.encode()).documents[0]


OWN_OUT = document(made.note(emitter=COMPANY))
OWN_IN = document(made.note(emitter=COMPANY, direction="0"))
RECEIVED = document(made.note(recipient=f"<CNPJ>{COMPANY}</CNPJ>"))
RECEIVED_ENTRY = document(made.note(recipient=f"<CNPJ>{COMPANY}</CNPJ>", direction="0"))
TO_ITSELF = document(made.note(emitter=COMPANY, recipient=f"<CNPJ>{COMPANY}</CNPJ>", direction="0"))
TAKEN = document(made.freight(taker=f"<toma4><toma>4</toma><CNPJ>{COMPANY}</CNPJ><xNome>Quem paga</xNome></toma4>"))


@pytest.mark.parametrize(
    ("paper", "expected"),
    [(OWN_OUT, "out"), (OWN_IN, "in"), (RECEIVED, "in"), (RECEIVED_ENTRY, "in"), (TO_ITSELF, "in"), (TAKEN, "in")],
)
def test_direction_is_the_companys(paper: Document, expected: str) -> None:
    assert direction(paper, COMPANY) == expected
    assert direction(paper, "12.abc.345/01DE-35") == expected
    assert belongs_to(paper, COMPANY)
    assert not belongs_to(paper, STRANGER)


def test_a_carriers_own_freight_goes_out_and_its_sender_has_no_claim() -> None:
    assert direction(TAKEN, made.CARRIER) == "out"
    assert belongs_to(TAKEN, made.CARRIER)
    assert belongs_to(TAKEN, made.RECIPIENT)
    assert not belongs_to(TAKEN, made.EMITTER)


def test_without_parties_it_belongs_to_nobody() -> None:
    empty = document("<NFe><infNFe/></NFe>")
    assert direction(empty, COMPANY) == "in"
    assert not belongs_to(empty, COMPANY)
