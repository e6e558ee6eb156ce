"""What the items of a note come to, by CFOP and CST and against its totals; and what a CT-e has of the same."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import nfelib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from confere.errors import PaperError
from confere.fiscal.document_parts import TaxSums
from confere.fiscal.model import Document
from confere.fiscal.reading.document import read
from tests.fiscal import made
from tests.samples.folder import written

PACKAGED = sorted(path for path in Path(nfelib.__file__).parent.rglob("samples/**/*") if path.suffix.lower() == ".xml")


def one(note: str) -> Document:
    (document,) = read(note.encode()).documents
    return document


def item(
    product: str = "<vProd>10.00</vProd>",
    icms: str | None = "<ICMS00><orig>0</orig><CST>00</CST></ICMS00>",
    taxes: str = "",
    cfop: str = "5102",
    beside: str = "",
) -> str:
    group = f"<ICMS>{icms}</ICMS>" if icms is not None else ""
    return f'<det nItem="1"><prod><CFOP>{cfop}</CFOP>{product}</prod><imposto>{group}{taxes}</imposto>{beside}</det>'


def note(*items: str, totals: str = "", services: str = "", purpose: str = "1", more: str = "") -> Document:
    return one(
        f'<NFe xmlns="{made.NFE}"><infNFe versao="4.00"><ide><mod>55</mod><finNFe>{purpose}</finNFe></ide>'
        f"{''.join(items)}<total><ICMSTot>{totals}</ICMSTot>{services}</total>{more}</infNFe></NFe>"
    )


FULL = item(
    "<vProd>100.00</vProd><vFrete>5.00</vFrete><vSeg>1.00</vSeg><vDesc>2.00</vDesc><vOutro>3.00</vOutro>"
    "<indTot>1</indTot>",
    "<ICMS10><orig>1</orig><CST>10</CST><vBC>100.00</vBC><vICMS>18.00</vICMS><vFCP>2.00</vFCP>"
    "<vBCST>150.00</vBCST><vICMSST>9.00</vICMSST><vFCPST>1.00</vFCPST></ICMS10>",
    "<vTotTrib>40.00</vTotTrib>"
    "<IPI><cEnq>999</cEnq><IPITrib><CST>50</CST><vBC>100.00</vBC><pIPI>4</pIPI><vIPI>4.00</vIPI></IPITrib></IPI>"
    "<PIS><PISAliq><CST>01</CST><vBC>100.00</vBC><pPIS>0.65</pPIS><vPIS>0.65</vPIS></PISAliq></PIS>"
    "<PISST><vBC>1.00</vBC><pPIS>9</pPIS><vPIS>0.09</vPIS></PISST>"
    "<COFINS><COFINSAliq><CST>01</CST><vBC>100.00</vBC><pCOFINS>3</pCOFINS><vCOFINS>3.00</vCOFINS></COFINSAliq></COFINS>"
    "<IBSCBS><CST>000</CST><gIBSCBS><vBC>100.00</vBC><gIBSUF><vIBSUF>0.10</vIBSUF></gIBSUF><vIBS>0.10</vIBS>"
    "<gCBS><vCBS>0.90</vCBS></gCBS></gIBSCBS><gTransfCred><vIBS>7.00</vIBS><vCBS>7.00</vCBS></gTransfCred></IBSCBS>",
)
FULL_SUMS = TaxSums(
    *("5102", "110", 10000, 200, 500, 400, 10000, 1800, 15000, 900, 300, 400, 65, 300, 10, 90),
)
FULL_TOTALS = (
    "<vBC>100.00</vBC><vICMS>18.00</vICMS><vFCP>2.00</vFCP><vBCST>150.00</vBCST><vST>9.00</vST><vFCPST>1.00</vFCPST>"
    "<vProd>100.00</vProd><vFrete>5.00</vFrete><vSeg>1.00</vSeg><vDesc>2.00</vDesc><vII>0.00</vII><vIPI>4.00</vIPI>"
    "<vPIS>0.65</vPIS><vCOFINS>3.00</vCOFINS><vOutro>3.00</vOutro><vNF>121.00</vNF>"
)


# -- by CFOP and CST -------------------------------------------------------------------------------------


def test_one_item_with_all_its_taxes() -> None:
    found = note(FULL, totals=FULL_TOTALS)
    assert found.taxes == (FULL_SUMS,)
    assert found.mismatches == ()


def test_items_are_summed_by_cfop_and_cst_in_order_of_first_use() -> None:
    simple = "<ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102>"
    found = note(item(), item(cfop="6102"), item(icms=simple), item(), item(icms=None), item(icms=""))
    assert [(entry.cfop, entry.cst, entry.products) for entry in found.taxes] == [
        ("5102", "000", 2000),
        ("6102", "000", 1000),
        ("5102", "0102", 1000),
        ("5102", None, 2000),
    ]


def test_what_no_item_names_is_not_zero() -> None:
    (found,) = note(item("<vProd>10.00</vProd><vFrete>0.00</vFrete>")).taxes
    assert (found.freight, found.discount, found.icms) == (0, None, None)


def test_goods_that_do_not_count_have_no_value() -> None:
    (found,) = note(item(), item("<vProd>7.00</vProd><vFrete>1.00</vFrete><indTot>0</indTot>")).taxes
    assert (found.products, found.freight) == (1000, 100)


def test_a_tax_whose_fields_stand_in_itself() -> None:
    duty = "<II><vBC>10.00</vBC><vDespAdu>0.00</vDespAdu><vII>2.00</vII><vIOF>1.00</vIOF></II>"
    assert note(item(taxes=duty), totals="<vII>2.00</vII>").mismatches == ()
    assert note(item(taxes=duty), totals="<vII>1.00</vII>").mismatches == ("vII:2.00:1.00",)


@pytest.mark.parametrize(
    "taxes", ["<PIS/>", "<PIS><PISNT><CST>07</CST></PISNT></PIS>", "<PIS><PISNT/></PIS>", "<?x y?>"]
)
def test_a_tax_without_an_amount(taxes: str) -> None:
    (found,) = note(item(taxes=taxes)).taxes
    assert found.pis is None


def test_a_note_of_goods_that_do_not_count() -> None:
    given = item("<vProd>7.00</vProd><indTot>0</indTot>")
    assert note(given, totals="<vProd>0.00</vProd><vNF>0.00</vNF>").mismatches == ()
    assert note(given, totals="<vProd>7.00</vProd><vNF>7.00</vNF>").mismatches == ("vProd:0.00:7.00",)


# -- against the totals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "right", "wrong", "moves"),
    [
        ("vProd", "100.00", "90.00", True),
        ("vDesc", "2.00", "3.00", True),
        ("vFrete", "5.00", "0.00", True),
        ("vSeg", "1.00", "1.02", True),
        ("vOutro", "3.00", "2.00", True),
        ("vICMS", "18.00", "17.00", False),
        ("vFCP", "2.00", "1.00", False),
        ("vST", "9.00", "8.00", True),
        ("vFCPST", "1.00", "0.00", True),
        ("vIPI", "4.00", "5.00", True),
        ("vPIS", "0.65", "0.74", False),
        ("vCOFINS", "3.00", "30.00", False),
    ],
)
def test_each_total_to_which_the_items_do_not_add_up(tag: str, right: str, wrong: str, moves: bool) -> None:
    totals = FULL_TOTALS.replace(f"<{tag}>{right}</{tag}>", f"<{tag}>{wrong}</{tag}>")
    found = note(FULL, totals=totals).mismatches
    assert found[0] == f"{tag}:{right}:{wrong}"
    # The note's own total is what its totals come to, whatever its items say.
    assert [entry.partition(":")[0] for entry in found[1:]] == (["vNF"] if moves else [])


def test_a_total_of_the_note_that_its_totals_do_not_come_to() -> None:
    found = note(FULL, totals=FULL_TOTALS.replace("121.00", "120.00"))
    assert found.mismatches == ("vNF:121.00:120.00",)


def test_one_centavo_is_rounding() -> None:
    assert note(item("<vProd>10.00</vProd>"), totals="<vProd>10.01</vProd><vNF>10.02</vNF>").mismatches == ()
    assert note(item("<vProd>10.00</vProd>"), totals="<vProd>10.02</vProd>").mismatches == ("vProd:10.00:10.02",)


def test_a_negative_sum_is_written_as_one() -> None:
    assert note(item("<vProd>-0.05</vProd>"), totals="<vProd>0.00</vProd>").mismatches == ("vProd:-0.05:0.00",)


def test_totals_over_several_groups() -> None:
    items = (item(), item(cfop="5405"), item(cfop="5101"))
    assert note(*items, totals="<vProd>30.00</vProd><vNF>30.00</vNF>").mismatches == ()
    assert note(*items, totals="<vProd>20.00</vProd><vNF>20.00</vNF>").mismatches == ("vProd:30.00:20.00",)


def test_goods_with_indtot_0_are_no_part_of_the_products_and_may_be_of_the_rest() -> None:
    items = (item(), item("<vProd>7.00</vProd><vFrete>1.00</vFrete><indTot>0</indTot>"))
    assert note(*items, totals="<vProd>10.00</vProd><vFrete>1.00</vFrete><vNF>11.00</vNF>").mismatches == ()
    assert note(*items, totals="<vProd>10.00</vProd><vFrete>0.00</vFrete><vNF>10.00</vNF>").mismatches == ()
    assert note(*items, totals="<vProd>17.00</vProd>").mismatches == ("vProd:10.00:17.00",)


SERVICE = item("<vProd>50.00</vProd>", None, "<ISSQN><vBC>50.00</vBC><vISSQN>2.50</vISSQN></ISSQN>")


@pytest.mark.parametrize("products", ["10.00", "60.00"])
def test_services_stand_in_a_total_of_their_own_or_among_the_products(products: str) -> None:
    served = "<ISSQNtot><vServ>50.00</vServ></ISSQNtot>"
    totals = f"<vProd>{products}</vProd><vNF>60.00</vNF>"
    assert note(item(), SERVICE, totals=totals, services=served).mismatches == ()


def test_services_whose_total_cannot_be_read_leave_the_notes_total_alone() -> None:
    totals = "<vProd>10.00</vProd><vNF>60.00</vNF>"
    assert note(item(), SERVICE, totals=totals, services="<ISSQNtot><vServ>x</vServ></ISSQNtot>").mismatches == ()
    assert note(item(), SERVICE, totals=totals).mismatches == ("vNF:10.00:60.00",)


@pytest.mark.parametrize(
    ("indicator", "total", "mismatches"),
    [
        ("", "8.20", ()),
        ("", "10.00", ()),
        ("", "9.00", ("vNF:8.20:9.00",)),
        ("<indDeduzDeson>1</indDeduzDeson>", "8.20", ()),
        ("<indDeduzDeson>1</indDeduzDeson>", "10.00", ("vNF:8.20:10.00",)),
        ("<indDeduzDeson>0</indDeduzDeson>", "10.00", ()),
        ("<indDeduzDeson>0</indDeduzDeson>", "8.20", ("vNF:10.00:8.20",)),
    ],
)
def test_relief_is_deducted_where_the_note_says_so_and_may_be_where_it_does_not(
    indicator: str, total: str, mismatches: tuple[str, ...]
) -> None:
    icms = f"<ICMS40><orig>0</orig><CST>40</CST><vICMSDeson>1.80</vICMSDeson>{indicator}</ICMS40>"
    totals = f"<vICMSDeson>1.80</vICMSDeson><vProd>10.00</vProd><vNF>{total}</vNF>"
    assert note(item(icms=icms), totals=totals).mismatches == mismatches


def test_ipi_that_is_given_back_counts() -> None:
    beside = "<impostoDevol><pDevol>100.00</pDevol><IPI><vIPIDevol>1.00</vIPIDevol></IPI></impostoDevol>"
    totals = "<vIPIDevol>1.00</vIPIDevol><vProd>10.00</vProd><vNF>11.00</vNF>"
    assert note(item(beside=beside), totals=totals, purpose="4").mismatches == ()
    assert note(item(), totals=totals, purpose="4").mismatches == ("vIPIDevol:0.00:1.00",)


@pytest.mark.parametrize(
    "items",
    [
        (item(taxes="<PISST><vPIS>1.00</vPIS><indSomaPISST>1</indSomaPISST></PISST>"),),
        (item(taxes="<COFINSST><vCOFINS>1.00</vCOFINS><indSomaCOFINSST>1</indSomaCOFINSST></COFINSST>"),),
        (item(icms="<ICMS15><orig>0</orig><CST>15</CST><vICMSMonoReten>1.00</vICMSMonoReten></ICMS15>"),),
        (item(cfop="3102"),),
        (item("<vProd>10.00</vProd><veicProd><tpOp>2</tpOp></veicProd>"),),
    ],
)
def test_what_else_the_layout_lets_stand_in_the_notes_total(items: tuple[str, ...]) -> None:
    more = "<vICMSMonoReten>1.00</vICMSMonoReten>" if "MonoReten" in items[0] else ""
    assert note(*items, totals=f"{more}<vProd>10.00</vProd><vNF>11.00</vNF>").mismatches == ()
    plain = item()
    assert note(plain, totals="<vProd>10.00</vProd><vNF>11.00</vNF>").mismatches == ("vNF:10.00:11.00",)


def test_a_complement_may_name_a_tax_alone_and_an_adjustment_anything() -> None:
    complement = item("<vProd>0.00</vProd>", "<ICMS00><orig>0</orig><CST>00</CST><vICMS>5.00</vICMS></ICMS00>")
    totals = "<vICMS>5.00</vICMS><vProd>0.00</vProd><vNF>5.00</vNF>"
    assert note(complement, totals=totals, purpose="2").mismatches == ()
    wrong = totals.replace("<vICMS>5", "<vICMS>6")
    assert note(complement, totals=wrong, purpose="2").mismatches == ("vICMS:5.00:6.00",)
    assert note(complement, totals=wrong, purpose="3").mismatches == ()


@pytest.mark.parametrize(
    ("items", "totals"),
    [
        ((item("<vProd>ten</vProd>"),), "<vProd>10.00</vProd><vNF>10.00</vNF>"),
        ((item("<vProd>10,00</vProd>"),), "<vProd>20.00</vProd>"),
        ((item("<vProd>10.005</vProd>"),), "<vProd>20.00</vProd>"),
        ((item(),), "<vProd>ten</vProd><vNF>99.00</vNF>"),
        ((item(),), "<vProd>10.00</vProd><vNF>ten</vNF>"),
        ((item(),), ""),
        ((), "<vProd>10.00</vProd><vNF>99.00</vNF>"),
    ],
)
def test_what_cannot_be_read_is_not_doubted(items: tuple[str, ...], totals: str) -> None:
    assert note(*items, totals=totals).mismatches == ()


def test_no_totals_at_all() -> None:
    document = one(f'<NFe xmlns="{made.NFE}"><infNFe versao="4.00"><ide/>{item()}</infNFe></NFe>')
    assert document.mismatches == ()
    assert document.taxes[0].products == 1000


_MONEY = some.integers(0, 10**7)


@settings(max_examples=40, deadline=None)
@given(
    some.lists(some.tuples(some.sampled_from(["5102", "6102", "5405"]), _MONEY, _MONEY, _MONEY), min_size=1, max_size=6)
)
def test_honest_notes_have_no_mismatch_and_a_moved_total_is_one(rows: list[tuple[str, int, int, int]]) -> None:
    def money(cents: int) -> str:
        return f"{Decimal(cents) / 100:.2f}"

    items = [
        item(
            f"<vProd>{money(products)}</vProd><vFrete>{money(freight)}</vFrete>",
            f"<ICMS00><orig>0</orig><CST>00</CST><vICMS>{money(icms)}</vICMS></ICMS00>",
            cfop=cfop,
        )
        for cfop, products, freight, icms in rows
    ]
    products, freight, icms = (sum(row[place] for row in rows) for place in (1, 2, 3))
    totals = (
        f"<vICMS>{money(icms)}</vICMS><vProd>{money(products)}</vProd><vFrete>{money(freight)}</vFrete>"
        f"<vNF>{money(products + freight)}</vNF>"
    )
    found = note(*items, totals=totals)
    assert found.mismatches == ()
    assert sum(entry.products or 0 for entry in found.taxes) == products
    assert len(found.taxes) == len({row[0] for row in rows})
    moved = totals.replace(f"<vICMS>{money(icms)}", f"<vICMS>{money(icms + 2)}")
    assert note(*items, totals=moved).mismatches == (f"vICMS:{money(icms)}:{money(icms + 2)}",)


def test_authentic_notes_add_up() -> None:
    """Of the packaged samples one alone does not: its items were cut out, and its digest does not hold either."""
    doubted = {path.name for path in PACKAGED if any(document.mismatches for document in documents(path))}
    assert doubted == {"nfe_reforma_tributaria.xml"}
    assert sum(len(document.items) > 0 for path in PACKAGED for document in documents(path)) > 15


def test_no_note_of_an_earlier_layout_is_doubted() -> None:
    """Their totals have fewer tags, and their items other taxes; what each was written with adds up."""
    notes = [document for sample in written() for document in read(sample.data).documents if document.items]
    assert {document.layout for document in notes} == {"1.10", "2.00", "3.10", "4.00"}
    assert [document.mismatches for document in notes] == [()] * len(notes)
    assert max(len(document.items) for document in notes) == 120


def documents(path: Path) -> tuple[Document, ...]:
    try:
        return read(path.read_bytes()).documents
    except PaperError:
        return ()


# -- how goods travel, and the CT-e ----------------------------------------------------------------------


def test_who_pays_the_freight_and_what_the_volumes_weigh() -> None:
    found = note(
        item(),
        more="<transp><modFrete>1</modFrete><vol><pesoB>1.250</pesoB></vol><vol><qVol>1</qVol></vol>"
        "<vol><pesoB>x</pesoB></vol><vol><pesoB>0.75</pesoB></vol></transp>",
    )
    assert (found.freight_mode, found.weight) == ("1", Decimal("2.000"))
    assert (note(item()).freight_mode, note(item()).weight) == (None, None)


def freight(*, taxes: str = "", cargo: str = "", cfop: str = "<CFOP>6353</CFOP>") -> Document:
    return one(
        f'<CTe xmlns="{made.CTE}"><infCte versao="4.00"><ide><mod>57</mod>{cfop}</ide>'
        f"<vPrest><vTPrest>50.00</vTPrest></vPrest><imp>{taxes}</imp>"
        f"<infCTeNorm><infCarga>{cargo}</infCarga></infCTeNorm></infCte></CTe>"
    )


def test_the_tax_of_a_cte() -> None:
    icms = "<ICMS><ICMS00><CST>00</CST><vBC>50.00</vBC><pICMS>12.00</pICMS><vICMS>6.00</vICMS></ICMS00></ICMS>"
    reform = "<IBSCBS><CST>000</CST><gIBSCBS><vIBS>0.05</vIBS><gCBS><vCBS>0.45</vCBS></gCBS></gIBSCBS></IBSCBS>"
    expected = TaxSums("6353", "00", 5000, icms_base=5000, icms=600, ibs=5, cbs=45)
    assert freight(taxes=icms + reform).taxes == (expected,)
    other = "<CST>90</CST><vBCOutraUF>1.00</vBCOutraUF><vICMSOutraUF>0.10</vICMSOutraUF>"
    assert freight(taxes=f"<ICMS><ICMSOutraUF>{other}</ICMSOutraUF></ICMS>").taxes == (
        TaxSums("6353", "90", 5000, icms_base=100, icms=10),
    )
    assert freight(cfop="").taxes == ()


def measure(name: str, amount: str, unit: str = "01") -> str:
    return f"<infQ><cUnid>{unit}</cUnid><tpMed>{name}</tpMed><qCarga>{amount}</qCarga></infQ>"


@pytest.mark.parametrize(
    ("cargo", "weight"),
    [
        (measure("PESO CUBADO", "9.0000") + measure("Peso Bruto", "2.5000"), Decimal("2.5000")),
        (measure("PESO BASE DE CALCULO", "9.0") + measure("PESO REAL", "2.0"), Decimal("2.0")),
        (measure("PESO BRUTO", "1.5", unit="02"), Decimal("1500.0")),
        (measure("VOLUMES", "3.0", unit="03"), None),
        (measure("PESO BRUTO", "x"), None),
        ("", None),
    ],
)
def test_the_weight_of_a_cte(cargo: str, weight: Decimal | None) -> None:
    assert freight(cargo=cargo).weight == weight
