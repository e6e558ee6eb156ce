"""NF-e and NFC-e of invented companies, in each layout there was, and in each form that a file of one is met in."""

from __future__ import annotations

from collections.abc import Iterator

from tests.corpus.files import Sample
from tests.fiscal.made import DECLARATION, NFE, access_key
from tests.samples.described import described

STATIONER, BAKERY, LETTERED, CARRIER = "11222333000181", "11444777000161", "12ABC34501DE35", "60746948000112"
SHOP, PERSON = "33000167000101", "52998224725"

# What each layout has that the ones before it had not, or had elsewhere; the amounts of one item, 3 of 12.50 each.
DATES = {
    "1.10": "<dEmi>2009-05-14</dEmi><dSaiEnt>2009-05-15</dSaiEnt>",
    "2.00": "<dEmi>2012-11-08</dEmi><dSaiEnt>2012-11-08</dSaiEnt><hSaiEnt>14:05:00</hSaiEnt>",
    "3.10": "<dhEmi>2016-02-29T23:59:59-02:00</dhEmi><dhSaiEnt>2016-03-01T08:00:00-03:00</dhSaiEnt>",
    "4.00": "<dhEmi>2024-07-31T21:30:00-04:00</dhEmi><dhSaiEnt>2024-08-01T06:00:00-04:00</dhSaiEnt>",
}
MONTHS = {"1.10": "0905", "2.00": "1211", "3.10": "1602", "4.00": "2407"}
ANSWERED = {
    "1.10": "2009-05-14T10:00:00",
    "2.00": "2012-11-08T14:00:00",
    "3.10": "2016-03-01T00:00:05-02:00",
    "4.00": "2024-07-31T21:30:09-04:00",
}
TAXES = {
    "1.10": "<ICMS><ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>37.50</vBC><pICMS>18.00</pICMS>"
    "<vICMS>6.75</vICMS></ICMS00></ICMS><PIS><PISAliq><CST>01</CST><vBC>37.50</vBC><pPIS>1.65</pPIS><vPIS>0.62</vPIS>"
    "</PISAliq></PIS><COFINS><COFINSAliq><CST>01</CST><vBC>37.50</vBC><pCOFINS>7.60</pCOFINS><vCOFINS>2.85</vCOFINS>"
    "</COFINSAliq></COFINS>",
    "2.00": "<ICMS><ICMSSN101><orig>0</orig><CSOSN>101</CSOSN><pCredSN>1.86</pCredSN><vCredICMSSN>0.70</vCredICMSSN>"
    "</ICMSSN101></ICMS><PIS><PISOutr><CST>99</CST><qBCProd>0.0000</qBCProd><vAliqProd>0.0000</vAliqProd>"
    "<vPIS>0.00</vPIS></PISOutr></PIS><COFINS><COFINSNT><CST>07</CST></COFINSNT></COFINS>",
    "3.10": "<vTotTrib>9.90</vTotTrib><ICMS><ICMS20><orig>1</orig><CST>20</CST><modBC>3</modBC><pRedBC>10.00</pRedBC>"
    "<vBC>33.75</vBC><pICMS>12.00</pICMS><vICMS>4.05</vICMS></ICMS20></ICMS><IPI><cEnq>999</cEnq><IPINT><CST>53</CST>"
    "</IPINT></IPI><ICMSUFDest><vBCUFDest>37.50</vBCUFDest><pFCPUFDest>2.00</pFCPUFDest><pICMSUFDest>18.00</pICMSUFDest>"
    "<pICMSInter>12.00</pICMSInter><pICMSInterPart>40.00</pICMSInterPart><vFCPUFDest>0.75</vFCPUFDest>"
    "<vICMSUFDest>0.90</vICMSUFDest><vICMSUFRemet>1.35</vICMSUFRemet></ICMSUFDest>",
    "4.00": "<ICMS><ICMS10><orig>2</orig><CST>10</CST><modBC>3</modBC><vBC>37.50</vBC><pICMS>12.00</pICMS>"
    "<vICMS>4.50</vICMS><vBCFCP>37.50</vBCFCP><pFCP>2.00</pFCP><vFCP>0.75</vFCP><modBCST>4</modBCST>"
    "<pMVAST>40.00</pMVAST><vBCST>52.50</vBCST><pICMSST>18.00</pICMSST><vICMSST>4.95</vICMSST></ICMS10></ICMS>",
}
# What `TAXES` come to on one item, by their tags in the totals, centavos.
TOTALS = {
    "1.10": {"vBC": 3750, "vICMS": 675, "vPIS": 62, "vCOFINS": 285},
    "2.00": {},
    "3.10": {"vBC": 3375, "vICMS": 405, "vFCPUFDest": 75, "vICMSUFDest": 90, "vICMSUFRemet": 135, "vTotTrib": 990},
    "4.00": {"vBC": 3750, "vICMS": 450, "vFCP": 75, "vBCST": 5250, "vST": 495},
}
PAID = {
    "1.10": "<cobr><fat><nFat>77</nFat><vLiq>37.50</vLiq></fat><dup><nDup>77/1</nDup><dVenc>2009-06-14</dVenc>"
    "<vDup>37.50</vDup></dup></cobr>",
    "2.00": "<cobr><dup><nDup>A</nDup><dVenc>2012-12-08</dVenc><vDup>37.50</vDup></dup></cobr>",
    "3.10": "<pag><tPag>03</tPag><vPag>37.50</vPag><card><CNPJ>01027058000191</CNPJ><tBand>01</tBand><cAut>9</cAut>"
    "</card></pag>",
    "4.00": "<pag><detPag><indPag>0</indPag><tPag>17</tPag><vPag>42.45</vPag></detPag><vTroco>0.00</vTroco></pag>"
    "<infIntermed><CNPJ>03007331000141</CNPJ><idCadIntTran>FEIRA-9</idCadIntTran></infIntermed>",
}


def note(
    layout: str,
    key: str,
    *,
    emitter: str = STATIONER,
    buyer: str = f"<CPF>{PERSON}</CPF>",
    items: int = 1,
    reference: str = "",
    identity: str | None = None,
    after_taxes: str = "",
    after_totals: str = "",
    dates: str | None = None,
    namespace: str = f' xmlns="{NFE}"',
) -> str:
    """An `NFe` of `layout`, its number and series those of `key`."""
    sums = dict.fromkeys(
        (
            "vBC",
            "vICMS",
            "vBCST",
            "vST",
            "vProd",
            "vFrete",
            "vSeg",
            "vDesc",
            "vII",
            "vIPI",
            "vPIS",
            "vCOFINS",
            "vOutro",
        ),
        0,
    )
    sums |= {"vProd": 3750, **TOTALS[layout]}
    sums = {tag: cents * items for tag, cents in sums.items()}
    sums["vNF"] = sums["vProd"] + sums["vST"]
    totals = "".join(f"<{tag}>{cents // 100}.{cents % 100:02d}</{tag}>" for tag, cents in sums.items())
    recipient = f"<dest>{buyer}<xNome>Comércio Três Irmãos &amp; Filhos</xNome><enderDest><xLgr>Rua Nova</xLgr>"
    recipient += "<nro>7</nro><xMun>Recife</xMun><UF>PE</UF></enderDest></dest>"
    details = "".join(
        f'<det nItem="{number}"><prod><cProd>LIV/{number}</cProd><cEAN>SEM GTIN</cEAN><xProd>Livro de contos {number}'
        f"</xProd><NCM>49019900</NCM><CFOP>{5102 if number % 2 else 6108}</CFOP><uCom>UN</uCom><qCom>3.0000</qCom>"
        "<vUnCom>12.5000000000</vUnCom><vProd>37.50</vProd><cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib>"
        "<qTrib>3.0000</qTrib><vUnTrib>12.5000000000</vUnTrib>"
        f"<indTot>1</indTot></prod><imposto>{TAXES[layout]}{after_taxes}</imposto>"
        f"<infAdProd>Edição de bolso, página {number}</infAdProd></det>"
        for number in range(1, items + 1)
    )
    return (
        f'<NFe{namespace}><infNFe versao="{layout}" Id="{f"NFe{key}" if identity is None else identity}"><ide>'
        f"<cUF>{key[:2]}</cUF><cNF>{key[34:43] if layout == '1.10' else key[35:43]}</cNF>"
        f"<natOp>Venda de livros</natOp><mod>{key[20:22]}</mod><serie>{int(key[22:25])}</serie>"
        f"<nNF>{int(key[25:34])}</nNF>{DATES[layout] if dates is None else dates}<tpNF>1</tpNF>"
        f"<cMunFG>3509502</cMunFG>{reference}<tpImp>1</tpImp>"
        f"<tpEmis>{'1' if layout == '1.10' else key[34]}</tpEmis><cDV>{key[43:44]}</cDV><tpAmb>1</tpAmb>"
        "<finNFe>1</finNFe><procEmi>0</procEmi><verProc>Livraria 2</verProc></ide>"
        f"<emit><CNPJ>{emitter}</CNPJ><xNome>Livraria Água Viva Ltda</xNome><enderEmit><xLgr>Praça da Sé</xLgr>"
        "<nro>s/n</nro><cMun>3509502</cMun><xMun>Campinas</xMun><UF>SP</UF></enderEmit><IE>110042490114</IE></emit>"
        f"{recipient if buyer else ''}{details}"
        f"<total><ICMSTot>{totals}</ICMSTot>{after_totals}</total>"
        "<transp><modFrete>1</modFrete><transporta><CNPJ>60746948000112</CNPJ><xNome>Transportes Boa Hora</xNome>"
        "</transporta><vol><qVol>1</qVol><esp>CAIXA</esp><pesoL>1.100</pesoL><pesoB>1.250</pesoB></vol></transp>"
        f"{PAID[layout]}<infAdic><infCpl>Pedido 4401; entregar à tarde</infCpl></infAdic></infNFe></NFe>"
    )


def answer(key: str, layout: str = "4.00", *, number: str | None = None, status: str = "100") -> str:
    number = f"135{MONTHS[layout][:2]}0000000077" if number is None else number
    protocol = f"<nProt>{number}</nProt>" if number else ""
    return (
        f'<protNFe versao="{layout}"><infProt><tpAmb>1</tpAmb><verAplic>SP_1</verAplic><chNFe>{key}</chNFe>'
        f"<dhRecbto>{ANSWERED[layout]}</dhRecbto>{protocol}<digVal>YWJj</digVal>"
        f"<cStat>{status}</cStat><xMotivo>Autorizado o uso da NF-e</xMotivo></infProt></protNFe>"
    )


def proc(layout: str, key: str, *, answered: str | None = None, first: str = DECLARATION, **parts: object) -> str:
    body = note(layout, key, **parts)  # type: ignore[arg-type]
    answered = answer(key, layout) if answered is None else answered
    return f'{first}<nfeProc xmlns="{NFE}" versao="{layout}">{body}{answered}</nfeProc>'


def key_of(layout: str, number: int, **parts: str) -> str:
    return access_key(**{"year_month": MONTHS[layout], "number": number, **parts})  # type: ignore[arg-type]


def held(layout: str, key: str, **more: str) -> dict[str, str]:
    """What `note` writes when nothing else is asked for."""
    moment = DATES[layout].split(">")[1].split("<")[0]
    flags = f"{more.pop('flags', '')} {'DATE_ONLY' if len(moment) == 10 else ''}".strip()
    return {
        "kind": f"nfeProc{key[20:22]}",
        "model": key[20:22],
        "version": layout,
        "tpAmb": "1",
        "key": key,
        "key_dv": "ok",
        "id_matches_fields": "ok",
        "n_docs": "1",
        "cStat": "100",
        "emit": STATIONER,
        "dest": PERSON,
        "total": "42.45" if layout == "4.00" else "37.50",
        "items": "1",
        "dhEmi": moment,
        "flags": flags,
        **more,
    }


def notes() -> Iterator[Sample]:
    for number, layout in enumerate(DATES, start=101):
        key = key_of(layout, number)
        yield described(f"note-{layout}.xml", proc(layout, key), "nfeProc", **held(layout, key))
        alone = held(layout, key, kind="NFe55", cStat="")
        yield described(f"note-{layout}-alone.xml", note(layout, key), "NFe", **alone)
    yield from other_contents()
    yield from other_forms()


def other_contents() -> Iterator[Sample]:
    key = key_of("4.00", 201, model="65", emission="9")
    yield described(
        "consumer-note.xml", proc("4.00", key, buyer=""), "nfeProc", **held("4.00", key, dest="", flags="tpEmis=9")
    )
    key = key_of("4.00", 202, emitter=LETTERED)
    yield described(
        "note-cnpj-with-letters.xml",
        proc("4.00", key, emitter=LETTERED, buyer=f"<CNPJ>{SHOP}</CNPJ>"),
        "nfeProc",
        **held("4.00", key, emit=LETTERED, dest=SHOP, flags="ALNUM_CNPJ"),
    )
    key = key_of("3.10", 203)
    yield described(
        "note-to-a-foreigner.xml",
        proc("3.10", key, buyer="<idEstrangeiro>PY-4471</idEstrangeiro>"),
        "nfeProc",
        **held("3.10", key, dest="idE:PY-4471"),
    )
    key, sold = key_of("4.00", 204), key_of("4.00", 104)
    carried = access_key(model="57", emitter=CARRIER, number=9)
    yield described(
        "note-that-refers.xml",
        proc("4.00", key, reference=f"<NFref><refNFe>{sold}</refNFe></NFref><NFref><refCTe>{carried}</refCTe></NFref>"),
        "nfeProc",
        **held("4.00", key, refs=f"NFref/refNFe:{sold} | NFref/refCTe:{carried}"),
    )
    key = key_of("4.00", 205)
    reform = (
        "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>37.50</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF>"
        "<vIBSUF>0.04</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.04</vIBS>"
        "<gCBS><pCBS>0.9000</pCBS><vCBS>0.34</vCBS></gCBS></gIBSCBS></IBSCBS>"
    )
    totals = (
        "<IBSCBSTot><vBCIBSCBS>37.50</vBCIBSCBS><gIBS><gIBSUF><vIBSUF>0.04</vIBSUF></gIBSUF><gIBSMun><vIBSMun>0.00"
        "</vIBSMun></gIBSMun><vIBS>0.04</vIBS></gIBS><gCBS><vCBS>0.34</vCBS></gCBS></IBSCBSTot><vNFTot>42.83</vNFTot>"
    )
    yield described(
        "note-tax-reform.xml",
        proc("4.00", key, after_taxes=reform, after_totals=totals),
        "nfeProc",
        **held("4.00", key, flags="IBSCBS"),
    )
    key = key_of("4.00", 206)
    many = proc("4.00", key, items=120)
    yield described("note-120-items.xml", many, "nfeProc", **held("4.00", key, items="120", total="5094.00"))
    key = key_of("2.00", 207)
    denied = proc("2.00", key, answered=answer(key, "2.00", status="302"))
    yield described("note-denied.xml", denied, "nfeProc", **held("2.00", key, cStat="302"))
    for number, emitter in enumerate((BAKERY, SHOP, "19131243000197"), start=208):
        for layout in ("3.10", "4.00"):
            key = key_of(layout, number, emitter=emitter)
            yield described(
                f"note-of-{emitter}-{layout}.xml",
                proc(layout, key, emitter=emitter),
                "nfeProc",
                **held(layout, key, emit=emitter),
            )


def other_forms() -> Iterator[Sample]:
    key = key_of("4.00", 301)
    text, row = proc("4.00", key), held("4.00", key)
    yield described("note-bom.xml", b"\xef\xbb\xbf" + text.encode(), "nfeProc", **row | {"bom": "utf-8"})
    latin = text.replace("UTF-8", "ISO-8859-1").encode("iso-8859-1")
    yield described("note-latin-1.xml", latin, "nfeProc", **row | {"encoding": "ISO-8859-1"})
    wide = text.replace("UTF-8", "UTF-16").encode("utf-16")
    yield described("note-utf-16.xml", wide, "nfeProc", **row | {"encoding": "UTF-16", "bom": "utf-16"})
    yield described(
        "note-padded.xml", "\r\n " + text.removeprefix(DECLARATION), "nfeProc", **row | {"flags": "LEADING_WS"}
    )
    bare = text.replace(f' xmlns="{NFE}"', "")
    yield described("note-no-namespace.xml", bare, "nfeProc", **row | {"flags": "NO_NS"})
    prefixed = text.replace(f'xmlns="{NFE}"', f'xmlns:n="{NFE}"').removeprefix(DECLARATION)
    prefixed = prefixed.replace("</", "\0").replace("<", "<n:").replace("\0", "</n:")
    yield described("note-prefixed.xml", DECLARATION + prefixed, "nfeProc", **row)
    nested = text.replace("<NFe ", '<NFe xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ')
    yield described("note-other-namespaces.xml", nested, "nfeProc", **row)
    spaced = text.replace("<xNome>", "<xNome>\n  ").replace("<vNF>42.45", "<vNF>\t42.45 ").replace("><", ">\n <")
    yield described("note-indented.xml", spaced, "nfeProc", **row)
    escaped = text.replace("<natOp>Venda de livros", "<natOp><![CDATA[Venda <de> livros]]>").replace("&amp;", "&#38;")
    yield described("note-cdata.xml", escaped, "nfeProc", **row | {"flags": "CDATA"})
    wrong = key[:-1] + str((int(key[-1]) + 1) % 10)
    yield described("note-bad-digit.xml", proc("4.00", wrong), "nfeProc", **row | {"key": wrong, "key_dv": "BAD"})
    for name, odd in (("41", key[:41]), ("45", key + "7")):
        yield described(
            f"note-key-of-{name}.xml",
            proc("4.00", key, identity=f"NFe{odd}", answered=""),
            "nfeProc",
            **row
            | {"key": odd, "key_dv": f"len{name}", "id_matches_fields": "", "cStat": "", "flags": "PROC_WITHOUT_PROT"},
        )
    other = key_of("4.00", 999, uf="41")
    yield described(
        "note-of-another-key.xml",
        proc("4.00", key, identity=f"NFe{other}"),
        "nfeProc",
        **row | {"key": other, "id_matches_fields": "diff:cUF,num", "flags": "PROT_KEY_DIFF"},
    )
    unnumbered = proc("4.00", key, answered=answer(key, number=""))
    yield described("note-no-protocol-number.xml", unnumbered, "nfeProc", **row | {"flags": "PROT_NO_NPROT"})
    undated = proc("4.00", key, dates="")
    yield described("note-undated.xml", undated, "nfeProc", **row | {"dhEmi": "", "flags": "NO_DHEMI"})
