"""Everything that is asked of one file: that it reads, and that other opinions on it agree with what was read."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from confere.errors import PaperError
from confere.fiscal.authenticity.judge import JudgedDocument
from confere.fiscal.model import Document, DocumentType, Paper
from confere.fiscal.reading import envelopes, xml
from confere.fiscal.reading.document import read_root
from tests.corpus import chains, judged, manifest, unfold, unfold_freight, unfold_note
from tests.corpus.beside import Beside, laid_beside
from tests.corpus.bindings import NotBound, leaves
from tests.corpus.chains import Chain
from tests.corpus.files import Row, Sample
from tests.corpus.judged import Court
from tests.corpus.manifest import Compared
from tests.corpus.unfold import Value
from tests.corpus.xmlsec_opinion import INVALID, VALID, opinions


@dataclass(frozen=True, slots=True)
class Bound:
    """A document, or the answer to one, that a generated class took: the values of both side by side."""

    kind: str
    layout: str
    values: Beside


@dataclass(frozen=True, slots=True)
class Examined:
    """One file. `refusal` is the reader's sentence where it would not read it, `raised` what it should never raise.

    `unbound` says why a generated class did not take a document, `silent` why xmlsec has no opinion on a signature.
    """

    name: str
    kind: str
    paper: Paper | None
    refusal: str | None = None
    raised: str | None = None
    manifest: tuple[Compared, ...] = ()
    bound: tuple[Bound, ...] = ()
    unbound: tuple[str, ...] = ()
    judged: tuple[JudgedDocument, ...] = ()
    xmlsec: tuple[Compared, ...] = ()
    silent: tuple[str, ...] = ()
    chains: tuple[Chain, ...] = ()

    @property
    def opinions(self) -> dict[str, tuple[Compared, ...]]:
        """Every comparison by whose opinion it is with."""
        return {
            "manifest": self.manifest,
            "xmlsec": self.xmlsec,
            "bindings": tuple(entry for document in self.bound for entry in document.values.compared),
        }


def examine(sample: Sample, court: Court) -> Examined:
    """Read one file in every way there is. The reader may refuse what is no paper; anything else is a fault of ours."""
    try:
        return examined(sample, court)
    except Exception as error:  # told with its file's name, and the others still get their turn
        at = traceback.extract_tb(error.__traceback__)[-1]
        raised = f"{type(error).__name__}: {error} ({Path(at.filename).name}:{at.lineno})"
        return Examined(sample.name, "(raised)", None, raised=raised)


def examined(sample: Sample, court: Court) -> Examined:
    said = sample.row["kind"] if sample.row is not None else ""
    try:
        root, traits = xml.open_paper(sample.data)
        paper = read_root(root, traits, whole=True)
    except PaperError as error:
        readable = sample.row is not None and sample.row["well_formed"] == "yes"
        refused = (Compared("well_formed", "yes", "no"),) if readable else ()
        return Examined(sample.name, said or "(refused)", None, refusal=str(error.what), manifest=refused)
    bound, unbound = beside_bindings(root, paper)
    judgements = court.judge(root)
    words = tuple(opinions(root))
    return Examined(
        name=sample.name,
        kind=said or kind_of(paper),
        paper=paper,
        manifest=beside_manifest(sample.row, paper, judgements) if sample.row is not None else (),
        bound=bound,
        unbound=unbound,
        judged=judgements,
        xmlsec=tuple(judged.beside_xmlsec(judgements, words)),
        chains=tuple(chains.of(root, paper, judgements)),
        silent=tuple(word.result for word in words if word.result not in (VALID, INVALID)),
    )


def beside_manifest(row: Row, paper: Paper, judgements: tuple[JudgedDocument, ...]) -> tuple[Compared, ...]:
    return (*manifest.compared(row, paper), *judged.beside_manifest(row, judgements))


def kind_of(paper: Paper) -> str:
    """The root element and, where it tells more, the model: what a manifest calls `kind`."""
    model = paper.documents[0].model if paper.documents else None
    return f"{paper.root}{model}" if model and paper.root in ("NFe", "nfeProc") else paper.root


UNFOLD: dict[DocumentType, Callable[[Document], Iterator[Value]]] = {
    DocumentType.NFE: unfold_note.unfolded,
    DocumentType.NFCE: unfold_note.unfolded,
    DocumentType.CTE: unfold_freight.unfolded,
    DocumentType.CTEOS: unfold_freight.unfolded,
}


def beside_bindings(root: etree._Element, paper: Paper) -> tuple[tuple[Bound, ...], tuple[str, ...]]:
    bound: list[Bound] = []
    unbound: list[str] = []
    parts = [part for part in envelopes.find(root).documents if part.element is not None]
    if len(parts) != len(paper.documents):
        return (), ("not as many documents read as found",)
    for part, document in zip(parts, paper.documents, strict=True):
        if document.type not in UNFOLD or part.element is None:
            continue
        try:
            values = laid_beside(UNFOLD[document.type](document), leaves(part.element))
            bound.append(Bound(document.type.value, document.layout or "", values))
            if part.answer is not None and document.protocol is not None:
                values = laid_beside(unfold.protocol(document.protocol), leaves(part.answer))
                bound.append(Bound("protocol", document.layout or "", values))
        except NotBound as reason:
            unbound.append(str(reason))
    return tuple(bound), tuple(unbound)
