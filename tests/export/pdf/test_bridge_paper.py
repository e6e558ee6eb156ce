"""The page of the bridge: one page with every line filled and the longest names, and the same bytes each time."""

from __future__ import annotations

import pypdfium2

from confere.errors import message
from confere.export.pdf import bridge_paper
from confere.export.pdf.bridge_paper import BridgeFacts
from confere.sales.bridge import BridgeCode, BridgeLine, BridgeScope, BridgeSignature, ListedPart

NAME = "Comércio Eletrônico de Utilidades Domésticas e Presentes Finos do Vale do Itajaí "


def test_one_page_whatever_it_holds() -> None:
    spans = tuple((f"2026-03-{day:02d}T03:00:00+00:00", f"2026-03-{day:02d}T20:00:00+00:00") for day in range(1, 30))
    facts = BridgeFacts(
        "março de 2026", NAME * 4, NAME * 4, 12_345, "2026-04-02T10:00:00+00:00", 99,
        ListedPart(False, False, spans), ListedPart(False, True, ()), 123_456,
        BridgeSignature(NAME * 3, "", "2026-04-03"), (1_234, 99_999_999_999),
        (message("Findings of the month: {what}", what="Ferreira " * 30),), "Ferreira " + NAME * 3,
    )  # fmt: skip
    scope = BridgeScope("2026-03", "11222333000181", NAME * 3)
    lines = [BridgeLine(code, -123_456_789_012, 1_234_567, 1_234_567) for code in BridgeCode]
    data = bridge_paper.paper(scope, lines, facts)
    assert data == bridge_paper.paper(scope, lines, facts)
    with pypdfium2.PdfDocument(data) as pdf:
        assert len(pdf) == 1
        text = pdf[0].get_textpage().get_text_bounded()
    assert text.count("-1.234.567.890,12") == len(BridgeCode)
    assert "2026-04-03" in text
    assert "Utilidades" in text
    assert text.count("Ferreira") > 30, "who signed the month reviewed it where nobody else is named"
