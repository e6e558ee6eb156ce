"""Papers that a sandbox's authority signed, as they stand, and in each way that a signature is met broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from sandbox_hub.paper.document_factory import Authority, access_key
from tests.corpus.files import Sample
from tests.fiscal.made import soap
from tests.samples.described import described
from tests.sandbox_hub.paper.cases import CANCELLATION, FREIGHT, NOTES, SALE_KEY, VOIDING, every_paper

RETURN = NOTES["return"]
KEY = access_key(RETURN)
# 2 shirts of 39.90, freight 25.90, insurance 0.07, other 1.00, less a discount of 10.01.
NOTE = {
    "kind": "nfeProc55", "model": "55", "version": "4.00", "tpAmb": "2", "key": KEY, "key_dv": "ok",
    "id_matches_fields": "ok", "n_docs": "1", "signature": "1", "cStat": "100", "refs": f"NFref/refNFe:{SALE_KEY}",
    "emit": "11222333000181", "dest": "52998224725", "total": "96.76", "items": "1",
    "dhEmi": "2026-03-31T22:59:59-04:00", "digval_match": "yes", "flags": "IBSCBS",
}  # fmt: skip
VALID = {"sig_valid": "VALID", "sig_mode": "in-place"}


@dataclass(frozen=True, slots=True)
class Signed:
    """A signed paper as text, and the same broken in one way."""

    text: str

    def replaced(self, before: str, after: str) -> str:
        changed = re.sub(before, after, self.text, count=1)
        assert changed != self.text, before
        return changed

    def indented(self) -> bytes:
        """As a person's editor writes it back."""
        root = etree.fromstring(self.text.encode())
        etree.indent(root)
        return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def signed(authority: Authority | None = None) -> Iterator[Sample]:
    papers = {name: data.decode() for name, data in every_paper(authority or Authority(7)).items()}
    paper = Signed(papers["note: return"])
    yield described("signed-note.xml", paper.text, "nfeProc", **NOTE, **VALID)
    inside = paper.text[paper.text.index("?>") + 2 :]
    alone = NOTE | {"kind": "NFe55"}
    yield described(
        "signed-in-an-answer.xml", soap(inside), "Envelope", **alone, sig_valid="VALID", sig_mode="detached"
    )
    yield described(
        "signed-indented.xml", paper.indented(), "nfeProc", **NOTE, sig_valid="VALID", sig_mode="ws-stripped"
    )
    yield from broken(paper)
    yield from others(papers)


def broken(paper: Signed) -> Iterator[Sample]:
    altered = paper.replaced("<natOp>Devolução", "<natOp>Devoluçao")
    yield described(
        "signed-altered.xml", altered, "nfeProc", **NOTE, sig_valid="digest=False,sig=True", sig_mode="in-place"
    )
    for name, before, after, opinion in (
        ("signed-digest-altered", "<DigestValue>....", "<DigestValue>AAAA", "digest=False,sig=False"),
        ("signed-no-certificate", "<KeyInfo>.*</KeyInfo>", "", "digest=False,sig=no-cert"),
        ("signed-other-certificate", "<X509Certificate>....", "<X509Certificate>AAAA", "digest=False,sig=bad-cert"),
    ):
        # Each without its value, so that it is broken to whoever looks at the digest alone too.
        text = Signed(altered).replaced(before, after)
        row = NOTE | {"digval_match": "no"} if "digest" in name else NOTE
        yield described(f"{name}.xml", text, "nfeProc", **row, sig_valid=opinion)
    lost = paper.replaced('<Reference URI="#NFe35', '<Reference URI="#NFe53')
    yield described("signed-reference-lost.xml", lost, "nfeProc", **NOTE, sig_valid="digest=ref-not-found,sig=None")


def others(papers: dict[str, str]) -> Iterator[Sample]:
    key = access_key(FREIGHT)
    row = {"model": "57", "version": "4.00", "tpAmb": "2", "key": key, "key_dv": "ok", "id_matches_fields": "ok",
           "n_docs": "1", "signature": "1", "cStat": "100", "emit": "60746948000112", "dest": "52998224725",
           "total": "43.21", "dhEmi": "2026-03-31T23:59:59-04:00", "digval_match": "yes", "flags": "IBSCBS",
           "refs": " | ".join(f"infNFe/chave:{carried}" for carried in FREIGHT.carried)}  # fmt: skip
    yield described("signed-freight.xml", papers["freight: freight, 2026"], "cteProc", **row, **VALID)
    row = {"model": "55", "tpAmb": "2", "key": SALE_KEY, "key_dv": "ok", "signature": "1", "cStat": "135",
           "tpEvento": "110111", "event_target": SALE_KEY, "emit": "11222333000181"}  # fmt: skip
    assert CANCELLATION.target == SALE_KEY
    yield described("signed-event.xml", papers["event: cancellation"], "procEventoNFe", **row, **VALID)
    row = {"model": "55", "tpAmb": "2", "signature": "1", "cStat": "102", "kind": "retInutNFe",
           "refs": f"voids {VOIDING.first}-{VOIDING.last}", "emit": "11222333000181"}  # fmt: skip
    yield described("signed-voiding.xml", papers["voiding"], "ProcInutNFe", **row, **VALID)
