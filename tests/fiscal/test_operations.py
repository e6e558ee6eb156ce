"""What kind of operation a document is: each kind of evidence, and their order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.fiscal.operations import Operation, classify, classify_with_evidence, of_cfop

O = Operation  # noqa: E741

SALES = "5101 5102 5105 5106 5401 5403 5405 6101 6102 6105 6106 6107 6108 6401 6403 6404 7101 7102"
DEVOLUTIONS = "1201 1202 1410 1411 2201 2202 2410 2411 5202 6411"


@pytest.mark.parametrize("operation", [operation for operation in Operation if operation not in (O.OTHER, O.UNKNOWN)])
def test_the_hubs_word_comes_first(operation: Operation) -> None:
    found = classify(subtype=operation.value, external_id="SALE-sale-1", nature="Venda", cfops=["5102"])
    assert found is operation


@pytest.mark.parametrize(
    ("external_id", "expected"),
    [
        ("SALE-sale-2000123-1", O.SALE),
        ("SALE-symbolic_inbound_return-2000123-1", O.SYMBOLIC_INBOUND_RETURN),
        ("SALE_RETURN-sale_return-2000123-1", O.SALE_RETURN),
        ("INBOUND-inbound-77", O.INBOUND),
        ("SALE-sale", O.SALE),
        ("2000123", O.DEVOLUTION),
        ("SALE-something_new-2000123", O.DEVOLUTION),
        ("", O.DEVOLUTION),
    ],
)
def test_the_process_comes_second(external_id: str, expected: Operation) -> None:
    found = classify(subtype="never_seen", external_id=external_id, nature="Devolução", cfops=["5102"])
    assert found is expected


@pytest.mark.parametrize(
    ("nature", "has_reference", "expected"),
    [
        ("Venda de mercadoria", False, O.SALE),
        ("VENDAS INTERESTADUAIS", True, O.SALE),
        ("Retorno simbólico de depósito", True, O.SYMBOLIC_INBOUND_RETURN),
        ("RET. SIMB. DE MERC. EM DEPOSITO", True, O.SYMBOLIC_INBOUND_RETURN),
        ("Remessa simbólica para depósito", True, O.SYMBOLIC_INBOUND),
        ("Remessa para depósito temporário", False, O.INBOUND),
        ("Retorno de mercadoria depositada em armazém geral", True, O.INBOUND_RETURN),
        ("Devolução de venda de mercadoria", True, O.DEVOLUTION),
        ("DEVOLUCAO", True, O.DEVOLUTION),
        ("Transferência entre filiais", False, O.TRANSFER),
        ("Prestação de serviço de transporte", False, O.FREIGHT),
        ("Remessa para conserto", False, O.OTHER),
        ("Retorno simbólico de depósito", False, O.OTHER),  # it names no remessa to return from
        ("Desenvolvimento", False, O.OTHER),
    ],
)
def test_the_nature_comes_third(nature: str, has_reference: bool, expected: Operation) -> None:
    assert classify(nature=nature, has_reference=has_reference) is expected


@pytest.mark.parametrize(
    ("cfops", "has_reference", "expected"),
    [
        *(([cfop], False, O.SALE) for cfop in SALES.split()),
        *(([cfop], True, O.DEVOLUTION) for cfop in DEVOLUTIONS.split()),
        *(([cfop], False, O.INBOUND) for cfop in ("5949", "6949", "5905", "6905")),
        *(([cfop], True, O.SYMBOLIC_INBOUND) for cfop in ("5949", "6949", "5905")),
        *(([cfop], True, O.SYMBOLIC_INBOUND_RETURN) for cfop in ("1949", "2949", "1904", "2904", "1907", "2907")),
        (["1949"], False, O.OTHER),
        (["1906"], True, O.INBOUND_RETURN),
        *(([cfop], False, O.FREIGHT) for cfop in ("5353", "6353", "5352", "6352", "5932")),
        *(([cfop], False, O.TRANSFER) for cfop in ("5152", "6152", "5409", "1152")),
        (["5.102"], False, O.SALE),
        (["5910", "5102"], False, O.SALE),  # a gift within a sale
        (["5102", "6108"], False, O.SALE),
        (["5102", "5949"], False, O.OTHER),  # two classes in one note
        (["5910"], False, O.OTHER),
        (["", "51", "ABCD", "51022"], False, O.UNKNOWN),
        ([], False, O.UNKNOWN),
    ],
)
def test_the_cfops_of_all_items_come_last(cfops: list[str], has_reference: bool, expected: Operation) -> None:
    assert classify(cfops=cfops, has_reference=has_reference) is expected


def test_freight_is_told_by_its_cfop_whatever_the_carrier_writes() -> None:
    assert classify(nature="VENDA DE MERCADORIA ADQUIRIDA DE TERCEIROS", cfops=["5357"]) is O.FREIGHT
    assert classify(nature="Venda", cfops=["5102", "5353"]) is O.SALE


def test_a_remessa_that_refers_is_judged_by_its_cfops() -> None:
    assert classify(nature="Remessa para depósito", has_reference=True, cfops=["5905"]) is O.SYMBOLIC_INBOUND


def test_every_cfop_has_one_class_or_none() -> None:
    for number in range(1000, 8000):
        for has_reference in (False, True):
            assert of_cfop(str(number), has_reference=has_reference) not in (O.OTHER, O.UNKNOWN)


def test_a_hostile_nature_is_cut_before_it_is_searched() -> None:
    assert classify(nature="RET " * 2_000_000) is O.OTHER


@pytest.mark.parametrize(
    ("said", "operation", "evidence"),
    [
        ({"subtype": " Sale ", "nature": "Devolução"}, O.SALE, "the hub calls it sale"),
        ({"subtype": "new", "external_id": "SALE-sale-7-1", "cfops": ["1202"]}, O.SALE, "external_id names sale"),
        ({"nature": " Venda de mercadoria "}, O.SALE, "natOp “Venda de mercadoria”"),
        (
            {"nature": "Retorno simbólico", "has_reference": True},
            O.SYMBOLIC_INBOUND_RETURN,
            "natOp “Retorno simbólico”, and it refers to another document",
        ),
        ({"nature": "Venda", "cfops": ["6353", "5.353"]}, O.FREIGHT, "CFOP 6.353, 5.353 of all items"),
        ({"cfops": ["5.102", "5102"]}, O.SALE, "CFOP 5.102 of all items"),
        ({"cfops": ["5910", "5102"]}, O.SALE, "CFOP 5.102, beside 5.910, which names no operation"),
        (
            {"cfops": ["5949"]},
            O.INBOUND,
            "CFOP 5.949 of all items, and it refers to no other document",
        ),
        (
            {"cfops": ["5949"], "has_reference": True},
            O.SYMBOLIC_INBOUND,
            "CFOP 5.949 of all items, and it refers to another document",
        ),
        ({"cfops": ["5102", "1202"]}, O.OTHER, "its CFOPs are of several operations: 5.102, 1.202"),
        (
            {"nature": "Brinde", "cfops": ["5910"]},
            O.OTHER,
            "neither the hub, external_id, natOp nor CFOP names an operation of this list",
        ),
        ({"cfops": ["", "x"]}, O.UNKNOWN, "nothing says what it is"),
    ],
)
def test_the_evidence_is_told(said: dict[str, object], operation: Operation, evidence: str) -> None:
    found = classify_with_evidence(**said)  # type: ignore[arg-type]
    assert (found.operation, str(found.evidence)) == (operation, evidence)


@given(
    subtype=st.none() | st.sampled_from([*Operation, "x", ""]),
    external_id=st.none() | st.sampled_from(["SALE-sale-1", "A-inbound-2", "77", "SALE-x-1"]),
    nature=st.none()
    | st.text(max_size=30)
    | st.sampled_from(["Venda", "Retorno simbólico", "Devolução {x}", "Remessa full"]),
    has_reference=st.booleans(),
    cfops=st.lists(st.sampled_from(["5102", "6.108", "5949", "1949", "5353", "5910", "1906", "x", ""]), max_size=9),
)
def test_with_or_without_evidence_it_is_the_same(
    subtype: str | None, external_id: str | None, nature: str | None, has_reference: bool, cfops: list[str]
) -> None:
    evidence = {"subtype": subtype, "external_id": external_id, "nature": nature}
    plain = classify(**evidence, has_reference=has_reference, cfops=iter(cfops))
    told = classify_with_evidence(**evidence, has_reference=has_reference, cfops=iter(cfops))
    assert told.operation is plain
    assert str(told.evidence)


def test_evidence_is_short_whatever_the_paper_says() -> None:
    hostile = classify_with_evidence(nature="Venda " * 100_000, cfops=[f"5{number:03d}" for number in range(1000)])
    assert len(str(hostile.evidence)) < 100
    many = classify_with_evidence(cfops=[f"{first}{number}" for first in "567" for number in range(101, 130)])
    assert str(many.evidence) == "CFOP 5.101, 5.102, 5.103, 5.104, 5.105, 5.106 … of all items"
