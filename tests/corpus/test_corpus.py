"""The examiner of the readers: every opinion at hand agrees with what was read, and a wrong reading would be told."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import nfelib
import pytest
from lxml import etree

from confere.fiscal.authenticity.verdict import Check, Result
from confere.fiscal.reading import envelopes, xml
from confere.fiscal.reading.document import read_root
from tests.bench.corpus import write
from tests.conftest import ROOT
from tests.corpus import report
from tests.corpus.__main__ import main
from tests.corpus.beside import laid_beside
from tests.corpus.files import MANIFEST, PACKAGED, Sample, samples
from tests.corpus.judged import court
from tests.corpus.known import KNOWN
from tests.corpus.survey import Examined, examine
from tests.corpus.unfold import Value
from tests.samples import folder
from tests.samples.folder import write as write_samples

NOTE = Path(nfelib.__file__).parent / "nfe/samples/v4_0/procNFe.xml"


def survey(corpus: str) -> list[Examined]:
    return [examine(sample, court()) for sample in samples(corpus)]


@pytest.fixture(scope="module")
def packaged() -> list[Examined]:
    return survey(PACKAGED)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Examined]:
    """The files written for the tests, with the manifest of what they were written to hold."""
    return survey(str(write_samples(tmp_path_factory.mktemp("samples"))))


def unexplained(files: list[Examined]) -> list[tuple[str, str, str, str, str]]:
    return [
        (entry.opinion, entry.file, entry.compared.field, entry.compared.theirs, entry.compared.ours)
        for entry in report.disagreements(files)
        if entry.known is None
    ]


def test_no_file_raises_and_no_disagreement_is_open(packaged: list[Examined], written: list[Examined]) -> None:
    assert len(packaged) >= 45
    assert len(written) >= 90
    assert [(file.name, file.raised) for file in (*packaged, *written) if file.raised is not None] == []
    assert unexplained(packaged) == []
    assert unexplained(written) == []
    assert sum(len(file.manifest) for file in written) > 1_500


def test_every_word_about_a_disagreement_is_needed(packaged: list[Examined]) -> None:
    """About those with a manifest nothing can be said here: the corpora that they are of are other people's."""
    used = {id(entry.known) for entry in report.disagreements(packaged)}
    assert [known for known in KNOWN if known.opinion != "manifest" and id(known) not in used] == []


def test_notes_equal_generated_bindings(packaged: list[Examined]) -> None:
    values = Counter[str]()
    alone = []
    for file in packaged:
        for bound in file.bound:
            values[f"{bound.kind} {bound.layout}"] += len(bound.values.compared)
            alone += [(file.name, field) for field in bound.values.alone]
    assert values["nfe 4.00"] > 11_000
    assert values["nfce 4.00"] > 100
    assert values["protocol 4.00"] > 100
    # What the product read for no reason that the binding can see would be a path misnamed here.
    assert alone == []


def test_signatures_agree_with_the_manifest_and_xmlsec(written: list[Examined]) -> None:
    compared = Counter((entry.field, entry.theirs) for file in written for entry in file.xmlsec)
    assert compared["signature", "holds"] == 5
    assert compared["signature", "broken"] == 4
    assert compared["mode", "detached"] == 1
    assert Counter(word for file in written for word in file.silent) == {
        "no certificate in the file": 1,
        "xmlsec cannot load the certificate": 1,
    }


def test_papers_as_a_sandbox_signs_them(tmp_path: Path) -> None:
    """Real samples have few signatures that hold: their owners' names were taken out. These all do."""
    write(tmp_path, 25)
    files = survey(str(tmp_path))
    assert unexplained(files) == []
    compared = Counter((entry.field, entry.theirs, entry.ours) for file in files for entry in file.xmlsec)
    assert compared == {("signature", "holds", "holds"): len(files), ("mode", "in-place", "in-place"): len(files)}
    assert {entry.verdict.line(Check.CHAIN).result for file in files for entry in file.judged} == {Result.FAILED}


def test_a_folder_without_a_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "note.XML").write_bytes(NOTE.read_bytes())
    (tmp_path / "page.xml").write_bytes(b"<!DOCTYPE html><html><body>Not found</body></html>")
    (tmp_path / "letter.txt").write_bytes(b"no XML")
    assert main(["--folder", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "files read 2" in told
    assert "refused by the reader: 1\n  page.xml: The file is a web page (HTML)" in told
    assert "nfeProc55" in told


ROW = {
    "file": "note.xml",
    "encoding": "UTF-8",
    "well_formed": "yes",
    "root": "nfeProc",
    "kind": "nfeProc55",
    "model": "55",
    "version": "4.00",
}


def test_a_manifest_that_says_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.xml").write_bytes(NOTE.read_bytes())
    row = dict.fromkeys(columns(), "") | ROW | {"total": "1.00"}
    (tmp_path / MANIFEST).write_text("\t".join(row) + "\n" + "\t".join(row.values()) + "\n", encoding="utf-8")
    assert main(["--folder", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "manifest: UNEXPLAINED" in told
    assert "total: manifest '1.00', ours" in told


def test_a_manifest_that_names_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / MANIFEST).write_text("file\nnote.xml\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["--folder", str(tmp_path)])
    assert "names files that are not there: note.xml" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "note.xml").write_bytes(NOTE.read_bytes())
    command = [sys.executable, "-W", "error", "-m", "tests.corpus", "--folder", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as started:
        assert started.stdout is not None and started.stderr is not None
        started.stdout.close()
        assert started.stderr.read() == b""
    assert started.returncode == 1


def columns() -> list[str]:
    words = "bytes bom tpAmb key key_dv id_matches_fields n_docs signature cStat tpEvento event_target refs emit dest"
    return [*ROW, *words.split(), *["total", "items", "dhEmi", "sig_valid", "sig_mode", "digval_match", "flags"]]


def test_a_reading_that_is_wrong_in_one_value_is_told(packaged: list[Examined]) -> None:
    file = next(file for file in packaged if file.name.endswith("v4_0/procNFe.xml"))
    wrong = replace(file, manifest=(replace(file.bound[0].values.compared[0], ours="wrong"),))
    assert [entry[2] for entry in unexplained([wrong])] == [file.bound[0].values.compared[0].field]


def test_a_file_that_raises_is_told_and_the_next_one_read() -> None:
    found = examine(Sample("note.xml", None), court())  # type: ignore[arg-type]
    assert found.raised is not None and found.raised.startswith("TypeError")


# -- laying values side by side --------------------------------------------------------------------------


def differing(values: list[Value], bound: dict[str, list[str]]) -> list[tuple[str, str, str]]:
    return [(entry.field, entry.theirs, entry.ours) for entry in laid_beside(values, bound).compared if not entry.equal]


def test_zeros_behind_the_point_change_nothing_and_those_before_a_number_do() -> None:
    bound = {"a/qCom": ["1.5000"], "a/cEAN": ["0789"]}
    assert differing([Value("quantity", "a/qCom", "1.5"), Value("ean", "a/cEAN", "0789")], bound) == []
    assert differing([Value("quantity", "a/qCom", "1.05"), Value("ean", "a/cEAN", "789")], bound) == [
        ("a/qCom = quantity", "1.5", "1.05"),
        ("a/cEAN = ean", "0789", "789"),
    ]


def test_what_only_the_binding_has_is_not_read() -> None:
    bound = {"det[1]/prod/CFOP": ["5102"], "det[2]/prod/CFOP": ["6102"]}
    assert differing([Value("cfop", "det[1]/prod/CFOP", "5102")], bound) == [
        ("det/prod/CFOP = not read", "6102", ""),
    ]


def test_values_in_another_order_or_number_differ() -> None:
    bound = {"NFref/refNFe": ["1", "2"]}
    swapped = [Value("reference", "NFref/refNFe", "2"), Value("reference", "NFref/refNFe", "1")]
    assert len(differing(swapped, bound)) == 2
    assert differing(swapped[:1], bound) == [("NFref/refNFe = reference", "1 | 2", "2")]


def test_a_sum_of_several_tags() -> None:
    bound = {"gIBSCBS/vIBS": ["1.10"], "gIBSCBS/gCBS/vCBS": ["0.95"]}
    path = "gIBSCBS/vIBS + gIBSCBS/gCBS/vCBS"
    read = [Value("IBS", "gIBSCBS/vIBS", "1.10"), Value("CBS", "gIBSCBS/gCBS/vCBS", "0.95")]
    assert differing([Value("amount", path, "2.05"), *read], bound) == []
    assert differing([Value("amount", path, "2.04"), *read], bound) == [(f"{path} = amount", "2.05", "2.04")]


def test_paths_with_a_choice_and_with_groups_above_unsaid() -> None:
    bound = {"infCte/infCTeNorm/infDoc/infNFe/chave": ["1"], "infCte/dest/CPF": ["2"], "infCte/dest/fone": ["3"]}
    values = [
        Value("key", "*/infNFe/chave|chNFe", "1"),
        Value("tax_id", "infCte/dest/CNPJ|CPF", "2"),
        Value("phone", "infCte/dest/enderDest|/fone", "3"),
    ]
    found = laid_beside(values, bound)
    assert len(found.compared) == 3
    assert all(entry.equal for entry in found.compared)
    assert laid_beside([Value("key", "*/infNF/nDoc", "1")], bound).alone == ("*/infNF/nDoc = key",)


# -- nothing that is written gets lost -------------------------------------------------------------------

NOT_WORDS = frozenset({"mod", "toma", "indTot"})  # of these a value unknown to the layout means nothing


def told(value: object) -> Iterator[str]:
    """Every text and number in a detail; of centavos both themselves and the reais."""
    if is_dataclass(value):
        for entry in fields(value):
            yield from told(getattr(value, entry.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from told(part)
    elif value is not None:
        yield str(value)
        yield str(value).removesuffix("00")


def numbered(document: etree._Element) -> dict[str, str]:
    """Give each leaf of `document` a number of its own for a text; the tags by these numbers."""
    found: dict[str, str] = {}
    for leaf in document.iter("{*}*"):
        name = etree.QName(leaf).localname
        in_signature = any(etree.QName(above).localname == "Signature" for above in leaf.iterancestors())
        if len(leaf) == 0 and (leaf.text or "").strip() and not in_signature and name not in NOT_WORDS:
            leaf.text = str(100_001 + len(found))
            found[leaf.text] = name
    return found


def test_every_leaf_of_a_document_is_in_its_detail() -> None:
    lost: list[tuple[str, str]] = []
    count = 0
    for sample in (*folder.packaged(), *folder.written()):
        root, _ = xml.open_paper(sample.data)
        for part in envelopes.find(root).documents:
            if part.element is None or etree.QName(part.element).localname == "MDFe":
                continue
            tags = numbered(part.element)
            document = read_root(part.element, whole=True).documents[0]
            count += len(tags)
            lost += [(sample.name, tags[text]) for text in tags.keys() - set(told(document.detail))]
    assert lost == []
    assert count > 12_000


def test_more_chains_are_decided_than_before(packaged: list[Examined], written: list[Examined]) -> None:
    """What a certificate package of 2023 knew of eleven years, and what our own file knows."""

    def decided(files: list[Examined]) -> tuple[int, int, int]:
        found = [chain.decided for file in files for chain in file.chains if chain.readable]
        return len(found), sum(before for before, _ in found), sum(now for _, now in found)

    assert decided(packaged) == (15, 3, 15)
    assert not [chain for file in (*packaged, *written) for chain in file.chains if chain.decided == (True, False)]
    told = next(part for part in report.lines(packaged) if part.startswith("chains decided"))
    assert told.splitlines()[-1].split() == ["all", "16", "1", "3", "20", "15", "100"]
