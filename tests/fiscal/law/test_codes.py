"""Codes and tags have words, those of the layouts' own enumerations among them; what has none is told by None."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from pathlib import Path

import nfelib
import pytest
from lxml import etree
from nfelib.cte.bindings.v4_0 import cte_tipos_basico_v4_00 as cte
from nfelib.nfe.bindings.v4_0 import leiaute_nfe_v4_00 as nfe

from confere.fiscal.law import codes, tables
from confere.fiscal.law.codes import label, situation, word
from confere.fiscal.law.tables import law_tables

SAMPLES = sorted(path for path in Path(nfelib.__file__).parent.rglob("samples/**/*.xml") if "nfse" not in path.parts)


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        ("tpNF", nfe.IdeTpNf),
        ("idDest", nfe.IdeIdDest),
        ("indFinal", nfe.IdeIndFinal),
        ("indPres", nfe.IdeIndPres),
        ("tpEmis", nfe.IdeTpEmis),
        ("tpImp", nfe.IdeTpImp),
        ("indIntermed", nfe.IdeIndIntermed),
        ("CRT", nfe.EmitCrt),
        ("indIEDest", nfe.DestIndIedest),
        ("modFrete", nfe.TranspModFrete),
        ("indPag", nfe.DetPagIndPag),
        ("tpIntegra", nfe.CardTpIntegra),
        ("indTot", nfe.ProdIndTot),
        ("finNFe", nfe.TfinNfe),
        ("orig", nfe.Torig),
        ("tpAmb", nfe.Tamb),
        ("procEmi", nfe.TprocEmi),
        ("modBC", nfe.Icms00ModBc),
        ("modBCST", nfe.Icms10ModBcst),
        ("indISS", nfe.IssqnIndIss),
        ("tpViaTransp", nfe.DiTpViaTransp),
        ("tpIntermedio", nfe.DiTpIntermedio),
        ("tpCTe", cte.TfinCte),
        ("tpCTe", cte.TfinCteSimp),
        ("modal", cte.TmodTransp),
        ("toma", cte.Toma3Toma),
        ("toma", cte.Toma4Toma1),
        ("tpServ", cte.IdeTpServ1),
        ("tpServ", cte.IdeTpServ3),
        ("cUnid", cte.InfQCUnid),
        ("indIEToma", cte.IdeIndIetoma),
        ("respSeg", cte.SegRespSeg),
        ("retira", cte.IdeRetira),
        ("tpPer", cte.ComDataTpPer),
        ("tpHor", cte.ComHoraTpHor),
        ("tpUnidTransp", cte.TtipoUnidTransp),
        ("tpUnidCarga", cte.TtipoUnidCarga),
        ("tpNFCredito", nfe.TtpNfcredito),
        ("tpNFDebito", nfe.TtpNfdebito),
        ("motDesICMS", nfe.Icms20MotDesIcms),
        ("indProc", nfe.ProcRefIndProc),
        ("tpAto", nfe.ProcRefTpAto),
        ("cRegTrib", nfe.IssqntotCRegTrib),
    ],
)
def test_every_code_of_the_schema_has_a_word(tag: str, known: type[Enum]) -> None:
    assert [member.value for member in known if word(tag, str(member.value)) is None] == []


@pytest.mark.parametrize(
    ("tax", "kinds"),
    [
        ("ICMS", [name for name in dir(nfe) if re.fullmatch(r"Icms\w+(Cst|Csosn)", name)]),
        ("IPI", ["IpitribCst", "IpintCst"]),
        ("PIS", [name for name in dir(nfe) if re.fullmatch(r"Pis\w+Cst", name)]),
        ("COFINS", [name for name in dir(nfe) if re.fullmatch(r"Cofins\w+Cst", name)]),
    ],
)
def test_every_tax_situation_of_the_schema_has_a_word(tax: str, kinds: list[str]) -> None:
    codes = {str(member.value) for name in kinds for member in getattr(nfe, name)}
    assert len(codes) > 10
    assert [code for code in sorted(codes) if situation(tax, code) is None] == []


def test_what_a_code_means_depends_on_its_tag_and_tax() -> None:
    assert str(word("tPag", "17")) == "Pix (dynamic)"
    assert str(word("modFrete", "0")) == "Hired by the sender (CIF)"
    assert str(situation("ICMS", "00")) == "Taxed in full"
    assert str(situation("ICMS", "102")) == "Taxed, without credit"
    assert str(situation("IPI", "50")) == "Taxed exit"
    assert str(situation("COFINSST", "01")) == str(situation("PIS", "01"))
    assert str(situation("IBSCBS", "620")) == "Single-phase taxation"


def test_what_nobody_named_has_no_word() -> None:
    assert word("tPag", "77") is None
    assert word("tPag", None) is None
    assert word("xNome", "1") is None
    assert situation("ICMS", None) is None
    assert situation("NOVO", "00") is None
    assert label("futuro") is None


def test_a_path_is_called_as_its_last_step() -> None:
    assert label("gIBSCBS/gIBSUF/vIBSUF") == label("vIBSUF") is not None
    assert str(label("forDia/@dia")) == "Day"
    assert str(label("det/@nItem")) == "Item"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_field_of_the_packaged_notes_and_freights_has_a_label(path: Path) -> None:
    bodies = etree.parse(path).getroot().iter("{*}infNFe", "{*}infCte")
    leaves = (leaf for body in bodies for leaf in body.iter("{*}*") if not len(leaf) and (leaf.text or "").strip())
    assert {name for leaf in leaves if label(name := etree.QName(leaf).localname) is None} == set()


def test_a_tag_has_one_name() -> None:
    tags = [tag for table in law_tables("tags").values() for tag in table]
    assert len(tags) > 500
    assert [tag for tag, count in Counter(tags).items() if count > 1] == []


def test_the_tables_can_be_read_before_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window does so beside its thread: no file is opened afterwards."""
    codes.read_tables()

    def no_file(_name: str) -> None:
        raise AssertionError("a table is read")

    monkeypatch.setattr(tables, "law_rows", no_file)
    assert word("tPag", "17") is not None
    assert situation("ICMS", "00") is not None
    assert label("vProd") is not None
