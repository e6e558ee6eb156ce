"""Credit and debit notes (finNFe 5, 6): read, and told by their type before everything that leads astray."""

from __future__ import annotations

import pytest

from confere.archive.documents.document_rows import operation_of
from confere.fiscal import access_keys
from confere.fiscal.document_parts import ItemReference, Reference
from confere.fiscal.model import Document, DocumentType
from confere.fiscal.operations import Adjustment, Operation, adjustment_of, classify, classify_with_evidence, hub_word
from confere.fiscal.reading.document import read
from confere.fiscal.references import RelationKind
from tests.fiscal import made

O = Operation  # noqa: E741
SALE = made.access_key(number=9)


def one(text: str) -> Document:
    (found,) = read(text.encode()).documents
    return found


@pytest.mark.parametrize(
    ("adjustment", "nature", "cfops", "expected"),
    [
        (Adjustment("5", "03"), "Retorno simbólico de mercadoria", ["1949"], O.SALE_RETURN),
        (Adjustment("5", "06"), "Entrada", ["2949"], O.SALE_RETURN),
        (Adjustment("5", "04"), "Devolução de venda", ["1202"], O.CREDIT_NOTE),
        (Adjustment("5", "01"), "Venda", ["5102"], O.CREDIT_NOTE),
        (Adjustment("5", "02"), None, [], O.CREDIT_NOTE),
        (Adjustment("5", "05"), None, ["1949"], O.CREDIT_NOTE),
        (Adjustment("5", None), None, ["1949", "1202"], O.SALE_RETURN),  # no type: 1.949 on a credit note is a return
        (Adjustment("5", "07"), None, ["5102"], O.CREDIT_NOTE),
        (Adjustment("5", None), None, [], O.CREDIT_NOTE),
        (Adjustment("6", None, "06"), "Venda para entrega futura", ["5922"], O.PREPAYMENT),
        (Adjustment("6", None, "07"), "Retorno de depósito", ["5927"], O.STOCK_LOSS),
        (Adjustment("6", None, "04"), "Venda", ["5102"], O.DEBIT_NOTE),
        (Adjustment("6"), "Venda", ["5102"], O.DEBIT_NOTE),
        (Adjustment("4"), "Venda", ["5102"], O.SALE),  # no adjusting note: its words count
    ],
)
def test_the_type_comes_before_nature_and_cfop(
    adjustment: Adjustment, nature: str | None, cfops: list[str], expected: Operation
) -> None:
    found = classify(nature=nature, cfops=cfops, has_reference=True, adjustment=adjustment)
    assert found is expected


@pytest.mark.parametrize(
    ("subtype", "adjustment", "expected"),
    [
        ("sale_return", Adjustment("5", "03"), O.SALE_RETURN),
        ("devolution", Adjustment("5", "06"), O.DEVOLUTION),  # the hub's own word, which agrees
        ("symbolic_inbound_return", Adjustment("5", "03"), O.SALE_RETURN),
        ("sale", Adjustment("5", "03"), O.SALE_RETURN),
        ("devolution", Adjustment("5", "04"), O.CREDIT_NOTE),
        ("sale", Adjustment("6", None, "06"), O.PREPAYMENT),
        ("inbound_return", Adjustment("6", None, "07"), O.STOCK_LOSS),
        ("sale", Adjustment("1"), O.SALE),
    ],
)
def test_the_hubs_word_counts_unless_it_contradicts(subtype: str, adjustment: Adjustment, expected: Operation) -> None:
    assert classify(subtype=subtype, adjustment=adjustment) is expected
    assert classify(external_id=f"SALE-{subtype}-1-1", adjustment=adjustment) is expected
    assert hub_word(O(subtype), adjustment, ()) == expected


def test_the_evidence_is_the_type() -> None:
    found = classify_with_evidence(
        subtype="sale", nature="Venda", cfops=["5922"], adjustment=Adjustment("6", None, "06")
    )
    assert (found.operation, str(found.evidence)) == (O.PREPAYMENT, "finNFe 6, type 06")


def test_a_ct_e_of_kind_five_is_no_credit_note() -> None:
    assert adjustment_of(DocumentType.CTE, "5", None, None) is None
    assert adjustment_of(DocumentType.NFE, "5", "03", None) == Adjustment("5", "03")
    assert adjustment_of(DocumentType.NFCE, "1", None, None) is None


def test_everything_of_it_is_read() -> None:
    after = f"<DFeReferenciado><chaveAcesso>{SALE}</chaveAcesso><nItem>2</nItem></DFeReferenciado>"
    text = made.note(
        purpose="5",
        in_ide="<tpNFCredito>06</tpNFCredito><indPres>9</indPres>",
        nature="Retorno simbólico",
        items=[made.item(1, cfop="1949"), made.item(2, cfop="1949", after=after)],
        sections="<infIntermed><CNPJ>11.222.333/0001-81</CNPJ><idCadIntTran>loja</idCadIntTran></infIntermed>",
    )
    document = one(text)
    assert (document.purpose, document.credit_type, document.debit_type) == ("5", "06", None)
    assert (document.presence, document.intermediary) == ("9", "11222333000181")
    assert document.item_references == (ItemReference(1, SALE, 2),)
    assert document.references == (Reference(RelationKind.ITEM_REFERENCES, SALE),)
    assert operation_of(document, None) == "sale_return"


def test_the_earlier_documents_of_a_public_purchase() -> None:
    named = [made.access_key(number=number) for number in range(20, 23)]
    inside = "".join(f"<refDFeAnt>{key}</refDFeAnt>" for key in named[:2])
    inside += f"<refDFeAnt><chaveAcesso>{named[2]}</chaveAcesso></refDFeAnt>"
    document = one(made.note(in_ide=f"<gCompraGov><tpEnteGov>1</tpEnteGov>{inside}</gCompraGov>"))
    assert document.references == tuple(Reference(RelationKind.EARLIER, key) for key in named)
    # It links no chain of a warehouse: 5.949 without a reference to a note stays what it is.
    stock = one(made.note(in_ide=f"<gCompraGov>{inside}</gCompraGov>", nature="Saída", items=[made.item(cfop="5949")]))
    assert operation_of(stock, None) == "inbound"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("59", "CF-e-SAT"),
        ("62", "NFCom"),
        ("66", "NF3e"),
        ("75", "NFAg"),
        ("76", "NFGas"),
        ("77", "NF-e ABI"),
        ("99", "DC-e"),
        ("55", "NF-e"),
    ],
)
def test_keys_of_every_model_are_keys(model: str, name: str) -> None:
    key = made.access_key(model=model)
    parts = access_keys.parse(key)
    assert access_keys.is_valid(key)
    assert not access_keys.is_valid(key[:-1] + str((int(key[-1]) + 1) % 10))
    assert parts is not None
    assert (parts.model, parts.model_name, parts.check_digit_holds) == (model, name, True)


def test_a_model_that_nobody_named_stays_its_number() -> None:
    parts = access_keys.parse(made.access_key(model="88"))
    assert parts is not None
    assert parts.model_name == "88"
