"""The checks of the authority's answer: its protocol, the digest that it names, and the environment."""

from __future__ import annotations

from typing import Final

from confere.errors import message
from confere.fiscal import document_models, state
from confere.fiscal.authenticity import digests, protocol_numbers
from confere.fiscal.authenticity.signed_parts import Subject
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result, SignedKind

_NO_ANSWER: Final = message("The file holds no answer of the authority.")
_SEALED: Final = message("Whoever registered it signed it: no answer stands beside it.")
_VOIDED: Final = "102"
_NOTE_MODELS: Final = frozenset({"55", "65"})


def protocol(subject: Subject) -> CheckLine:
    """Checks that the authority's answer is about this document, and authorizes or registers it.

    A denial is a registered answer too: the document has no effect (its state says so). The answer is not signed:
    what holds here is claimed by the file, and its number was looked at (`protocols`).

    Source: MOC 7.0 and MOC of the CT-e 4.00 (`infProt`, `retEvento`, `retInutNFe`: key, cStat and nProt of what was
    processed).
    """
    answer = subject.answer
    if subject.sealed:
        return CheckLine(Check.PROTOCOL, Result.NOT_APPLICABLE, _SEALED)
    if answer is None:
        return CheckLine(Check.PROTOCOL, Result.UNCHECKED, _NO_ANSWER)
    line = _about_another(subject, answer)
    if line is not None:
        return line
    code = answer.get("cStat")
    if code is None:
        return CheckLine(Check.PROTOCOL, Result.UNCHECKED, message("The authority's answer has no status."))
    if subject.kind is SignedKind.DOCUMENT:
        if code in state.CANCELLED:
            why = message(
                "The answer ({code}) registers its cancellation: claimed by the file, not provable offline.", code=code
            )
            return protocol_numbers.checked(CheckLine(Check.PROTOCOL, Result.OK, why), answer, subject.access_key)
        if code in state.DENIED:
            why = message(
                "Registered as denied ({code}), without effect: claimed by the file, not provable offline.", code=code
            )
            return protocol_numbers.checked(CheckLine(Check.PROTOCOL, Result.OK, why), answer, subject.access_key)
        holds = code in state.AUTHORIZED
    elif subject.kind is SignedKind.EVENT:
        holds = state.is_registered(code, _model(subject))
    else:
        holds = code == _VOIDED
    if holds:
        return protocol_numbers.checked(protocol_numbers.CLAIMED_LINE, answer, subject.access_key)
    why = message("The authority refused it: {code} {words}", code=code[:10], words=answer.get("xMotivo", "")[:200])
    return CheckLine(Check.PROTOCOL, Result.FAILED, why)


def protocol_digest(subject: Subject, written: str) -> CheckLine:
    """Checks that the answer names the digest of the signed text; `written` is the signature's DigestValue.

    Source: MOC 7.0 (`protNFe/infProt/digVal`: the DigestValue of the document that was processed).
    """
    check = Check.PROTOCOL_DIGEST
    if subject.kind is not SignedKind.DOCUMENT:
        return CheckLine(check, Result.NOT_APPLICABLE, _NOT_REPEATED)
    if subject.answer is None:
        return CheckLine(check, Result.NOT_APPLICABLE, _NO_ANSWER)
    answered = subject.answer.get("digVal")
    if answered is None:
        return CheckLine(check, Result.NOT_APPLICABLE, message("The authority's answer names no digest."))
    if not written:
        return CheckLine(check, Result.NOT_APPLICABLE, message("There is no signature."))
    if digests.are_same(answered, written):
        return _SAME_DIGEST
    return CheckLine(
        check, Result.FAILED, message("The authority answered for another text: its digest is not this signature's.")
    )


def environment(subject: Subject, *, sandbox: bool) -> CheckLine:
    """Checks `tpAmb`: production (1), or homologation (2), which only a sandbox account accepts as ok.

    A document of homologation gives `Result.TEST`, not FAILED. An answer from the other environment fails.

    Source: MOC 7.0, annex I, B24 (`tpAmb` 2 is homologation, without fiscal value).
    """
    check = Check.ENVIRONMENT
    written = subject.fields.get("tpAmb")
    answered = subject.answer.get("tpAmb") if subject.answer is not None else None
    if written is None:
        return CheckLine(check, Result.UNCHECKED, message("It does not say in which environment it was issued."))
    if written not in ("1", "2"):
        return CheckLine(check, Result.FAILED, message("The environment {code} does not exist.", code=written[:10]))
    if answered is not None and answered != written:
        why = message(
            "Issued in one environment and answered for in another: {ours}, {theirs}.",
            ours=written,
            theirs=answered[:10],
        )
        return CheckLine(check, Result.FAILED, why)
    if written == "1":
        return _REAL
    return _TEST_HERE if sandbox else _TEST


_NOT_REPEATED: Final = message("Answers to events and voided ranges name no digest.")
_SAME_DIGEST: Final = CheckLine(Check.PROTOCOL_DIGEST, Result.OK)
_REAL: Final = CheckLine(Check.ENVIRONMENT, Result.OK)
_TEST: Final = CheckLine(Check.ENVIRONMENT, Result.TEST, message("Issued in the test environment: no fiscal value."))
_TEST_HERE: Final = CheckLine(
    Check.ENVIRONMENT, Result.OK, message("Issued in the test environment, as everything of a sandbox account.")
)


def _about_another(subject: Subject, answer: dict[str, str]) -> CheckLine | None:
    """A line where the answer is about another paper, or does not say about which."""
    if subject.kind is SignedKind.VOIDING:
        fields = subject.fields
        same = all(answer[name] == fields.get(name) for name in _RANGE if name in answer and subject.body is not None)
    else:
        about = subject.answered_key
        if about is None:
            why = message("The authority's answer names no access key.")
            return CheckLine(Check.PROTOCOL, Result.UNCHECKED, why)
        same = about == subject.access_key and _same_event(subject, answer)
    if same:
        return None
    return CheckLine(Check.PROTOCOL, Result.FAILED, message("The authority's answer is about another paper."))


_RANGE: Final = ("cUF", "ano", "CNPJ", "mod", "serie", "nNFIni", "nNFFin", "nCTIni", "nCTFin")


def _same_event(subject: Subject, answer: dict[str, str]) -> bool:
    if subject.kind is not SignedKind.EVENT:
        return True
    fields = subject.fields
    return answer.get("tpEvento", fields.get("tpEvento")) == fields.get("tpEvento") and (
        answer.get("nSeqEvento", "").lstrip("0") or fields.get("nSeqEvento", "").lstrip("0")
    ) == fields.get("nSeqEvento", "").lstrip("0")


def _model(subject: Subject) -> str:
    """The model that decides which answers register an event: by its key, else by the tag that holds it."""
    model = document_models.model_of(subject.access_key or "")
    if model in document_models.TYPE_OF_MODEL and model not in _NOTE_MODELS:
        return model or ""
    return "57" if any(tag in subject.fields for tag in document_models.KEY_TAGS if tag != "chNFe") else "55"
