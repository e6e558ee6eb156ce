"""The sums of a month's ledger once more, from XML by the classes that nfelib generates: nothing of the program."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from lxml import etree

from tests.corpus.bindings import Leaves, leaves

ZERO = Decimal(0)
NFE = "{http://www.portalfiscal.inf.br/nfe}NFe"
CTE = "{http://www.portalfiscal.inf.br/cte}CTe"


class Expected(NamedTuple):
    """Sums by what a line of each sheet is called."""

    difal: dict[str, list[Decimal]]  # by state: base, destination, origin, FCP
    contributions: dict[tuple[str, str, str], list[Decimal]]  # by direction, tax, CST: base, amount
    reform: dict[tuple[str, str], list[Decimal]]  # by direction, cClassTrib: base, IBS state, city, IBS, CBS
    revenue: dict[tuple[str, str, str, str], Decimal]  # what, market, ICMS, PIS and COFINS
    totals: dict[str, Decimal]  # sums of ICMSTot of the notes in effect


def expected(papers: Iterable[bytes], company: str) -> Expected:
    """Of papers that are all in effect and of one month."""
    sums = Expected(
        defaultdict(lambda: [ZERO] * 4),
        defaultdict(lambda: [ZERO] * 2),
        defaultdict(lambda: [ZERO] * 5),
        defaultdict(lambda: ZERO),
        defaultdict(lambda: ZERO),
    )
    for data in papers:
        root = etree.fromstring(data)
        for note in root.iter(NFE):
            _add_note(sums, leaves(note), company)
        for freight in root.iter(CTE):
            found = {path.partition("infCte/")[2]: texts[0] for path, texts in leaves(freight).items()}
            direction = "out" if found.get("emit/CNPJ") == company else "in"
            _add_reform(sums, direction, {path.removeprefix("imp/"): text for path, text in found.items()})
    return sums


def _add_note(sums: Expected, found: Leaves, company: str) -> None:
    head = {path.partition("infNFe/")[2]: texts[0] for path, texts in found.items()}
    own = head.get("emit/CNPJ") == company
    direction = "out" if own and head["ide/tpNF"] == "1" else "in"
    for tag in ("vNF", "vProd", "vICMS", "vPIS", "vCOFINS", "vIPI"):
        sums.totals[tag] += Decimal(head.get(f"total/ICMSTot/{tag}", "0"))
    numbers = dict.fromkeys(match[1] for path in head if (match := re.match(r"det\[(\d+)\]/", path)))
    for number in numbers:
        det = {path.partition("/")[2]: text for path, text in head.items() if path.startswith(f"det[{number}]/")}
        taxes = {path.removeprefix("imposto/"): text for path, text in det.items() if path.startswith("imposto/")}
        if "ICMSUFDest/vICMSUFDest" in taxes:
            tags = ("vBCUFDest", "vICMSUFDest", "vICMSUFRemet", "vFCPUFDest")
            amounts = [Decimal(taxes.get(f"ICMSUFDest/{tag}", "0")) for tag in tags]
            if any(amounts):
                line = sums.difal[head["dest/enderDest/UF"]]
                line[:] = [so_far + more for so_far, more in zip(line, amounts, strict=True)]
        for tax in ("PIS", "COFINS"):
            inside = {path.split("/")[-1]: text for path, text in taxes.items() if path.split("/")[0] == tax}
            if "CST" in inside:
                line = sums.contributions[direction, tax, inside["CST"]]
                line[0] += Decimal(inside.get("vBC", "0"))
                line[1] += Decimal(inside.get(f"v{tax}", "0"))
        _add_reform(sums, direction, taxes)
        _add_revenue(sums, head, det, taxes, own, direction)


def _add_reform(sums: Expected, direction: str, taxes: dict[str, str]) -> None:
    name = taxes.get("IBSCBS/cClassTrib")
    if name is None:
        return
    tags = ("vBC", "gIBSUF/vIBSUF", "gIBSMun/vIBSMun", "vIBS", "gCBS/vCBS")
    line = sums.reform[direction, name]
    amounts = [Decimal(taxes.get(f"IBSCBS/gIBSCBS/{tag}", "0")) for tag in tags]
    line[:] = [so_far + more for so_far, more in zip(line, amounts, strict=True)]


def _add_revenue(
    sums: Expected, head: dict[str, str], det: dict[str, str], taxes: dict[str, str], own: bool, direction: str
) -> None:
    cfop = det["prod/CFOP"]
    sale = cfop in ("5115", "6115", "7101", "7102") or cfop in (
        "5101",
        "5102",
        "5105",
        "5106",
        "5107",
        "5108",
        "5404",
        "5405",
    )
    sale = sale or cfop in ("6101", "6102", "6105", "6106", "6107", "6108", "6404")
    given_back = cfop in ("1201", "1202", "2201", "2202", "1411", "2411")
    if not own or head.get("emit/CRT") == "3":
        return
    if direction == "out" and sale and head["ide/finNFe"] != "4":
        what = "revenue"
    elif direction == "in" and given_back:
        what = "return"
    else:
        return
    code = next(text for path, text in taxes.items() if re.fullmatch(r"ICMS/\w+/(CSOSN|CST)", path))
    icms = "substitution" if code in ("500", "201", "202", "203") else "exempt" if code in ("103", "300", "400") else ""
    pis = next((text for path, text in taxes.items() if re.fullmatch(r"PIS/\w+/CST", path)), "")
    phase = {"04": "single", "06": "exempt", "07": "exempt", "08": "exempt", "09": "exempt"}.get(pis, "")
    tags = ("vProd", "vFrete", "vSeg", "vOutro")
    amount = sum((Decimal(det.get(f"prod/{tag}", "0")) for tag in tags), ZERO) - Decimal(det.get("prod/vDesc", "0"))
    market = "abroad" if cfop[0] == "7" else "inside"
    sums.revenue[what, market, icms, phase] += amount if what == "revenue" else -amount
