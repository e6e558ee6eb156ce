"""The tax groups of a note's line and the totals of the note, as canonical XML."""

from __future__ import annotations

from sandbox_hub.paper import tax_rates
from sandbox_hub.paper.amounts import LineAmounts, NoteAmounts
from sandbox_hub.paper.facts import SaleItem
from sandbox_hub.paper.text import money, percent

_SIMPLES_GROUPS = {"102": "102", "103": "102", "300": "102", "400": "102", "500": "500", "900": "900"}
_ICMS_GROUPS = {"00": "00", "20": "20", "40": "40", "41": "40", "50": "40", "60": "60", "90": "90"}


def line_taxes(item: SaleItem, line: LineAmounts, *, reform: bool) -> str:
    """`imposto` of one line."""
    return (
        f"<imposto>{_icms(item, line)}{_ipi(item, line)}{_contribution('PIS', tax_rates.PIS, line.pis, line)}"
        f"{_contribution('COFINS', tax_rates.COFINS, line.cofins, line)}{_difal(line)}"
        f"{_reform_line(line) if reform else ''}</imposto>"
    )


def totals(amounts: NoteAmounts, miscounted: int = 0) -> str:
    """`total` of the note: every field is the sum of the lines, but for vProd where that was `miscounted`."""
    lines = amounts.lines
    difal = ""
    if any(line.has_difal for line in lines):
        difal = (
            f"<vFCPUFDest>{money(sum(x.fund for x in lines))}</vFCPUFDest>"
            f"<vICMSUFDest>{money(sum(x.difal for x in lines))}</vICMSUFDest>"
            "<vICMSUFRemet>0.00</vICMSUFRemet>"
        )
    whole = money(amounts.total)
    return (
        f"<total><ICMSTot><vBC>{money(sum(x.icms_base for x in lines))}</vBC>"
        f"<vICMS>{money(sum(x.icms for x in lines))}</vICMS><vICMSDeson>0.00</vICMSDeson>{difal}"
        "<vFCP>0.00</vFCP><vBCST>0.00</vBCST><vST>0.00</vST><vFCPST>0.00</vFCPST><vFCPSTRet>0.00</vFCPSTRet>"
        f"<vProd>{money(sum(x.product for x in lines) + miscounted)}</vProd>"
        f"<vFrete>{money(sum(x.freight for x in lines))}</vFrete>"
        f"<vSeg>{money(sum(x.insurance for x in lines))}</vSeg>"
        f"<vDesc>{money(sum(x.discount for x in lines))}</vDesc><vII>0.00</vII>"
        f"<vIPI>{money(sum(x.ipi for x in lines))}</vIPI><vIPIDevol>0.00</vIPIDevol>"
        f"<vPIS>{money(sum(x.pis for x in lines))}</vPIS>"
        f"<vCOFINS>{money(sum(x.cofins for x in lines))}</vCOFINS>"
        f"<vOutro>{money(sum(x.other for x in lines))}</vOutro><vNF>{whole}</vNF></ICMSTot>"
        + (f"{_reform_totals(lines)}<vNFTot>{whole}</vNFTot>" if amounts.reform else "")
        + "</total>"
    )


def reform_group(code: str, base: int, ibs_state: int, ibs_city: int, cbs: int) -> str:
    """`IBSCBS` of a line of a note or of a CT-e; a class that is not taxed has no values."""
    head = f"<IBSCBS><CST>{code[:3]}</CST><cClassTrib>{code}</cClassTrib>"
    if not code.startswith("000"):
        return head + "</IBSCBS>"
    return (
        f"{head}<gIBSCBS><vBC>{money(base)}</vBC>"
        f"<gIBSUF><pIBSUF>{percent(tax_rates.IBS_STATE, 4)}</pIBSUF><vIBSUF>{money(ibs_state)}</vIBSUF></gIBSUF>"
        f"<gIBSMun><pIBSMun>{percent(tax_rates.IBS_CITY, 4)}</pIBSMun><vIBSMun>{money(ibs_city)}</vIBSMun></gIBSMun>"
        f"<vIBS>{money(ibs_state + ibs_city)}</vIBS>"
        f"<gCBS><pCBS>{percent(tax_rates.CBS, 4)}</pCBS><vCBS>{money(cbs)}</vCBS></gCBS></gIBSCBS></IBSCBS>"
    )


def _icms(item: SaleItem, line: LineAmounts) -> str:
    code = line.icms_code
    if len(code) == 3:
        group = f"ICMSSN{_SIMPLES_GROUPS[code]}"
        return f"<ICMS><{group}><orig>{item.origin}</orig><CSOSN>{code}</CSOSN></{group}></ICMS>"
    group = f"ICMS{_ICMS_GROUPS[code]}"
    values = ""
    if code in ("00", "20"):
        reduction = f"<pRedBC>{percent(line.icms_reduction)}</pRedBC>" if code == "20" else ""
        values = (
            f"<modBC>3</modBC>{reduction}<vBC>{money(line.icms_base)}</vBC>"
            f"<pICMS>{percent(line.icms_rate)}</pICMS><vICMS>{money(line.icms)}</vICMS>"
        )
    return f"<ICMS><{group}><orig>{item.origin}</orig><CST>{code}</CST>{values}</{group}></ICMS>"


def _ipi(item: SaleItem, line: LineAmounts) -> str:
    if item.ipi_percent is None:
        return ""
    code = "00" if item.cfop[0] in "123" else "50"
    return (
        f"<IPI><cEnq>999</cEnq><IPITrib><CST>{code}</CST><vBC>{money(line.ipi_base)}</vBC>"
        f"<pIPI>{percent(line.ipi_rate)}</pIPI><vIPI>{money(line.ipi)}</vIPI></IPITrib></IPI>"
    )


def _contribution(name: str, rate: int, value: int, line: LineAmounts) -> str:
    """PIS or COFINS: the two have one shape."""
    code = line.contribution_code
    if code == "08":
        return f"<{name}><{name}NT><CST>08</CST></{name}NT></{name}>"
    group = f"{name}Aliq" if code == "01" else f"{name}Outr"
    return (
        f"<{name}><{group}><CST>{code}</CST><vBC>{money(line.contribution_base)}</vBC>"
        f"<p{name}>{percent(rate if code in ('01', '50') else 0)}</p{name}>"
        f"<v{name}>{money(value)}</v{name}></{group}></{name}>"
    )


def _difal(line: LineAmounts) -> str:
    if not line.has_difal:
        return ""
    base = money(line.icms_base)
    return (
        f"<ICMSUFDest><vBCUFDest>{base}</vBCUFDest><vBCFCPUFDest>{base}</vBCFCPUFDest>"
        f"<pFCPUFDest>{percent(line.fund_rate)}</pFCPUFDest><pICMSUFDest>{percent(line.difal_rate)}</pICMSUFDest>"
        f"<pICMSInter>{percent(line.icms_rate)}</pICMSInter><pICMSInterPart>100.00</pICMSInterPart>"
        f"<vFCPUFDest>{money(line.fund)}</vFCPUFDest><vICMSUFDest>{money(line.difal)}</vICMSUFDest>"
        "<vICMSUFRemet>0.00</vICMSUFRemet></ICMSUFDest>"
    )


def _reform_line(line: LineAmounts) -> str:
    return reform_group(line.reform_code, line.reform_base, line.ibs_state, line.ibs_city, line.cbs)


def _reform_totals(lines: tuple[LineAmounts, ...]) -> str:
    state = sum(line.ibs_state for line in lines)
    city = sum(line.ibs_city for line in lines)
    nothing = "<vDif>0.00</vDif><vDevTrib>0.00</vDevTrib>"
    no_credit = "<vCredPres>0.00</vCredPres><vCredPresCondSus>0.00</vCredPresCondSus>"
    return (
        f"<IBSCBSTot><vBCIBSCBS>{money(sum(line.reform_base for line in lines))}</vBCIBSCBS>"
        f"<gIBS><gIBSUF>{nothing}<vIBSUF>{money(state)}</vIBSUF></gIBSUF>"
        f"<gIBSMun>{nothing}<vIBSMun>{money(city)}</vIBSMun></gIBSMun>"
        f"<vIBS>{money(state + city)}</vIBS>{no_credit}</gIBS>"
        f"<gCBS>{nothing}<vCBS>{money(sum(line.cbs for line in lines))}</vCBS>{no_credit}</gCBS></IBSCBSTot>"
    )
