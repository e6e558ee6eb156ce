"""Disagreements that were looked into, written by hand: who is right about a field of a file, and why."""

from __future__ import annotations

from dataclasses import dataclass

READER, OTHER, BOTH = "the reader is right", "the other opinion is right", "both are right"


@dataclass(frozen=True, slots=True)
class Known:
    """A disagreement with `opinion` about `fields` of the files whose names end with `file`.

    Where `theirs` is given, only about that value of theirs.
    """

    opinion: str
    file: str
    fields: tuple[str, ...]
    right: str
    why: str
    theirs: str | None = None


KNOWN = (
    Known(
        "manifest",
        "5e6ca60e-7148-4d44-8bd8-d3aff2a6c16f_cancel.xml",
        ("event_target", "tpEvento", "emit", "tpAmb", "model"),
        READER,
        "the event of a service note (NFS-e): the manifest looks for nothing in that family",
    ),
    Known(
        "manifest",
        "fincatto__documentofiscal__utils__enviaEventoCancelamento.xml",
        ("model",),
        BOTH,
        "the made-up key says model 98, which does not exist; the reader falls back to the tag, chNFe",
    ),
    Known(
        "manifest",
        "fincatto__documentofiscal__utils__enviaEventoCartaCorrecao.xml",
        ("model",),
        BOTH,
        "the made-up key says model 98, which does not exist; the reader falls back to the tag, chNFe",
    ),
    Known(
        "manifest",
        "retConsSitNFe__cancelado.xml",
        ("kind", "event_target", "tpEvento", "refs"),
        READER,
        "retCancNFe answers a cancellation of before events: to the reader it is one (110111), to the manifest a key "
        "mentioned in passing",
    ),
    Known(
        "manifest",
        "testSituacaoCanceladoReponseSOAP.xml",
        ("kind",),
        READER,
        "the answer to the question for a note's state brings its cancellation whole, procEventoNFe",
    ),
    Known(
        "manifest",
        "testSituacaoCanceladoReponseSOAP.xml",
        ("cStat",),
        BOTH,
        "100 answered the note, which is not in the file; 135 the event, which is",
    ),
    Known(
        "manifest",
        "testInutilizaRejeicaoReponseSOAP.xml",
        ("kind",),
        READER,
        "a rejected voiding that names no range: nothing was voided and there is nothing to keep but the file",
    ),
    Known(
        "manifest",
        "51160624686092000173570010000000031000000020-cte.XML",
        ("refs",),
        READER,
        "`paper` is a word in infOutros/descOutros, not the key of a document",
    ),
    Known(
        "manifest",
        "nfce-unauthorized-hom.xml",
        ("digval_match",),
        BOTH,
        "protNFe with an empty infProt: to the manifest an answer without digVal, to the reader no answer at all",
    ),
    Known(
        "manifest",
        "nfce-unauthorized-prod.xml",
        ("digval_match",),
        BOTH,
        "protNFe with an empty infProt: to the manifest an answer without digVal, to the reader no answer at all",
    ),
    Known(
        "manifest",
        "spec__fixtures__nfe__v2.00__nfe_without_ns.xml",
        ("digval_match",),
        READER,
        "the signature has lost its namespace with all the rest; its DigestValue is there and equals digVal",
    ),
    Known(
        "manifest",
        "spec__fixtures__nfe__v2.00__nfe_without_ns.xml",
        ("sig_valid",),
        READER,
        "the manifest sees no signature without its namespace; there is one, and taking the namespace away broke it",
    ),
    Known(
        "bindings",
        "NFe35200159594315000157550010000000012062777161.xml",
        ("infNFe/@Id = Document.access_key",),
        BOTH,
        "an Id without its prefix NFe; the key in it is the same",
    ),
)


def explanation(opinion: str, file: str, field: str, theirs: str) -> Known | None:
    """What is known of a disagreement about `field` of `file`."""
    return next(
        (
            known
            for known in KNOWN
            if known.opinion == opinion
            and file.endswith(known.file)
            and field in known.fields
            and known.theirs in (None, theirs)
        ),
        None,
    )
