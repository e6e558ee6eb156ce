"""What a manifest says of a file beside what the reader says, column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from confere.fiscal.detail import FreightDetail, NoteDetail
from confere.fiscal.document_parts import Party, Reference, Warning
from confere.fiscal.model import Document, DocumentType, Event, Paper, Voiding
from confere.fiscal.taxpayers import CNPJ_SHAPE
from confere.fiscal.warnings import Trait
from tests.corpus.files import Row


@dataclass(frozen=True, slots=True)
class Compared:
    """One field of one file as another opinion (`theirs`) and the product (`ours`) have it."""

    field: str
    theirs: str
    ours: str

    @property
    def equal(self) -> bool:
        return self.theirs == self.ours


# What the manifest calls the fields that disagree with the key, beside the reader's names for them.
KEY_FIELDS = {
    "uf": "cUF",
    "issued_at": "AAMM",
    "emitter": "CNPJ",
    "model": "mod",
    "series": "serie",
    "number": "num",
}
# The manifest names the tag of a reference, the reader its meaning.
MEANINGS = {"NFref/refNFe": "references", "NFref/refCTe": "references", "infNFe/chave": "carries"}
# The first word of `kind` that says what the file holds; the rest of them hold an authority's answer, or a question.
HOLDS = {
    "nfeProc": "nfe nfce",
    "NFe": "nfe nfce",
    "cteProc": "cte",
    "CTe": "cte",
    "CTeOS": "cteos",
    "MDFe": "mdfe",
    "mdfeProc": "mdfe",
    "procEventoNFe": "event",
    "procEventoCTe": "event",
    "eventoMDFe": "event",
    "eventoCTe": "event",
    "evento": "event",
    "envEvento": "event",
    "retEnvEvento": "event",
    "inutNFe": "voiding",
    "retInutNFe": "voiding",
}


def compared(row: Row, paper: Paper) -> Iterator[Compared]:
    """Every column of `row` that has something to do with what the reader reads, signatures apart."""
    yield Compared("root", row["root"], paper.root)
    yield Compared("n_docs", row["n_docs"], str(len(paper.documents)))
    yield Compared("kind", held(row["kind"], paper), holds(paper))
    yield from of_file(row, paper)
    if paper.documents:
        yield from of_document(paper.documents[0], row)
    elif paper.events:
        yield from of_event(paper.events[0], row)
    elif paper.voidings:
        yield from of_voiding(paper.voidings[0], row)
    else:
        answered = [warning.detail for warning in paper.warnings if warning.code == Trait.PROTOCOL_ALONE]
        yield Compared("event_target", row["event_target"], "")
        yield Compared("tpEvento", row["tpEvento"], "")
        if answered:
            yield Compared("key", row["key"], answered[0])


def holds(paper: Paper) -> str:
    """The kinds of what was read, each once."""
    kinds: list[str] = [document.type.value for document in paper.documents]
    kinds += ["event"] * len(paper.events) + ["voiding"] * len(paper.voidings)
    return " ".join(dict.fromkeys(kinds))


def held(kind: str, paper: Paper) -> str:
    """What a file of the manifest's `kind` should hold; of NF-e and NFC-e, whichever the reader found."""
    expected = HOLDS.get(kind.removeprefix("soap:").rstrip("0123456789"), "")
    ours = holds(paper)
    return ours if ours and ours in expected.split() else expected


def of_file(row: Row, paper: Paper) -> Iterator[Compared]:
    """The form of the file, and the flags that the reader has a trait for."""
    found = traits(paper)
    flags = {flag.partition("=")[0] for flag in row["flags"].split()}
    yield Compared("bom", mark(row["bom"]), mark(Trait.BOM in found))
    encoding = row["encoding"].upper() if row["encoding"] not in ("", "(no decl)") else "UTF-8"
    yield Compared("encoding", encoding, detail(found, Trait.ENCODING) or "UTF-8")
    for flag, trait in FLAGS.items():
        yield Compared(f"flag {flag}", mark(flag in flags), mark(trait in found))


FLAGS = {
    "NO_DECL": Trait.NO_DECLARATION,
    "CDATA": Trait.CDATA,
    "PREFIXED_DS": Trait.PREFIXED_SIGNATURE,
    "LEADING_WS": Trait.PADDING,
    "NO_NS": Trait.NO_NAMESPACE,
    "PROT_KEY_DIFF": Trait.PROTOCOL_KEY_DIFFERS,
}


def of_document(document: Document, row: Row) -> Iterator[Compared]:
    found = {warning.code: warning for warning in document.warnings}
    flags = dict(flag.partition("=")[::2] for flag in row["flags"].split())
    answer = document.protocol
    yield Compared("key", row["key"], document.access_key or "")
    yield Compared("model", row["model"], document.model or "")
    yield Compared("version", row["version"], document.layout or "")
    yield Compared("tpAmb", row["tpAmb"], document.environment or "")
    yield Compared("cStat", row["cStat"], (answer.cstat if answer else "") or "")
    yield Compared("dhEmi", row["dhEmi"], document.issued_at or "")
    yield Compared("emit", row["emit"], tax_id(document.party("emitter")))
    yield Compared("items", row["items"] or "0", str(len(document.items)))
    yield Compared("signature", mark(row["signature"] != "0"), mark(document.digest))
    yield Compared("digval_match", row["digval_match"], digests(document))
    if row["key"]:
        length = detail(found, Trait.KEY_LENGTH)
        own = f"len{length}" if length else "BAD" if Trait.BAD_CHECK_DIGIT in found else "ok"
        yield Compared("key_dv", row["key_dv"], own)
    if row["id_matches_fields"]:
        differing = [name for name in detail(found, Trait.KEY_FIELDS_DIFFER).split(", ") if name in KEY_FIELDS]
        own = f"diff:{','.join(KEY_FIELDS[name] for name in differing)}" if differing else "ok"
        yield Compared("id_matches_fields", row["id_matches_fields"], own)
    if document.type is not DocumentType.MDFE:  # of which only the header is read
        yield Compared("dest", row["dest"].removeprefix("idE:"), tax_id(document.party("recipient")))
        yield Compared("total", row["total"], amount(document.totals.document))
        yield Compared("refs", meant(row["refs"]), relations(document.references))
    if answer is not None:
        yield Compared("flag PROT_NO_NPROT", mark("PROT_NO_NPROT" in flags), mark(not answer.number))
    yield Compared("flag NO_DHEMI", mark("NO_DHEMI" in flags), mark(not document.issued_at))
    yield Compared("flag DATE_ONLY", mark("DATE_ONLY" in flags), mark(len(document.issued_at or "") == 10))
    if "PROC_WITHOUT_PROT" in flags:
        yield Compared("flag PROC_WITHOUT_PROT", "yes", mark(Trait.NO_PROTOCOL in found))
    if document.type is not DocumentType.MDFE:
        lettered = any(CNPJ_SHAPE.fullmatch(name) and not name.isdecimal() for name in map(tax_id, document.parties))
        yield Compared("flag ALNUM_CNPJ", mark("ALNUM_CNPJ" in flags), mark(lettered))
    for name, value in flags.items():
        if value and name in DETAILS and isinstance(document.detail, NoteDetail | FreightDetail):
            yield Compared(f"flag {name}", value, DETAILS[name](document.detail) or "")
    if isinstance(document.detail, NoteDetail | FreightDetail):
        yield Compared("flag IBSCBS", mark("IBSCBS" in flags), mark(reformed(document.detail)))


DETAILS: dict[str, Callable[[NoteDetail | FreightDetail], str | None]] = {
    "modal": lambda found: found.modal if isinstance(found, FreightDetail) else None,
    "tpServ": lambda found: found.service if isinstance(found, FreightDetail) else None,
    "tpEmis": lambda found: found.emission_type,
}


def of_event(event: Event, row: Row) -> Iterator[Compared]:
    found = {warning.code: warning for warning in event.warnings}
    yield Compared("event_target", row["event_target"], event.access_key or "")
    yield Compared("tpEvento", row["tpEvento"], event.code or "")
    yield Compared("cStat", row["cStat"], event.cstat or "")
    yield Compared("emit", row["emit"], event.author or "")
    yield Compared("tpAmb", row["tpAmb"], event.environment or "")
    yield Compared("model", row["model"], event.model or "")
    if row["key"] == event.access_key:
        yield Compared("key_dv", row["key_dv"], "BAD" if Trait.BAD_CHECK_DIGIT in found else "ok")
    yield Compared("refs", row["refs"].rpartition(":")[2], " | ".join(name.access_key for name in event.references))


def of_voiding(voiding: Voiding, row: Row) -> Iterator[Compared]:
    yield Compared("refs", row["refs"].rpartition(" ")[2], f"{voiding.first}-{voiding.last}")
    yield Compared("emit", row["emit"], voiding.emitter or "")
    yield Compared("cStat", row["cStat"], voiding.cstat or "")
    yield Compared("tpAmb", row["tpAmb"], voiding.environment or "")
    yield Compared("model", row["model"], voiding.model or "")


# -- the reader's values in the manifest's words ---------------------------------------------------------


def traits(paper: Paper) -> dict[str, Warning]:
    """The warnings of the file and of everything in it, by code."""
    told = list(paper.warnings)
    for part in (*paper.documents, *paper.events, *paper.voidings):
        told += part.warnings
    return {warning.code: warning for warning in told}


def detail(found: dict[str, Warning], code: str) -> str:
    return found[code].detail if code in found else ""


def mark(condition: object) -> str:
    return "yes" if condition else ""


def tax_id(party: Party | None) -> str:
    return (party.tax_id if party else "") or ""


def amount(cents: int | None) -> str:
    return "" if cents is None else f"{cents // 100}.{cents % 100:02d}"


def meant(refs: str) -> str:
    """The manifest's references with the reader's words for what they mean, each once."""
    pairs = [reference.partition(":")[::2] for reference in refs.split(" | ") if reference]
    return " ".join(dict.fromkeys(f"{MEANINGS.get(tag, tag)}:{key}" for tag, key in pairs))


def relations(references: tuple[Reference, ...]) -> str:
    return " ".join(f"{reference.kind}:{reference.access_key}" for reference in references)


def digests(document: Document) -> str:
    """Whether the digest that the authority answered for is the signature's."""
    if document.digest is None or document.protocol is None:
        return ""
    if document.protocol.digest is None:
        return "prot-without-digVal"
    return "yes" if document.protocol.digest == document.digest else "no"


def reformed(found: NoteDetail | FreightDetail) -> bool:
    """Whether a tax of the reform is written on any line of the document."""
    taxes = found.taxes if isinstance(found, FreightDetail) else [tax for item in found.items for tax in item.taxes]
    return any(tax.name == "IBSCBS" for tax in taxes)
