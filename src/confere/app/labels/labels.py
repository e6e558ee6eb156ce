"""The words that people read for what the archive keeps as codes, shared by both faces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from confere.app.labels.arrangement_labels import ARRANGED, MAINTAINED
from confere.errors import N_, NC_, Message
from confere.fiscal import document_models, operations, taxpayers
from confere.fiscal.law import codes
from confere.fiscal.law.model_names import model_name
from confere.system import formatting
from confere.system.messages import ngettext, render, t

if TYPE_CHECKING:
    from confere.fiscal.periods import MonthSpan

# Of rows that are no documents of a model.
_OTHER_TYPES: Final = {"voiding": N_("voiding"), "other": NC_("document", "other")}
STATES: Final = document_models.STATE_WORDS
# On authenticity: the whole of a document, and each line of it.
VERDICTS: Final = {
    "ok": N_("authentic"),
    "unchecked": N_("could not be checked"),
    "failed": N_("not authentic"),
    "altered": N_("altered after signing"),
    "test": N_("test document"),
    "none": N_("not checked yet"),
}
# What a state stands on.
GROUNDS: Final = {
    "authentic_event": N_("authentic event"),
    "unchecked_event": N_("event not checked whole"),
    "answer_alone": N_("answer alone"),
    "other_document": N_("another document"),
    "contradicted": N_("contradicted"),
    "nothing": N_("nothing"),
}
RESULTS: Final = {
    "ok": N_("ok"),
    "failed": N_("failed"),
    "not_applicable": N_("not applicable"),
    "unchecked": N_("could not be checked"),
    "altered": N_("altered"),
    "test": N_("test"),
}
CHECKS: Final = {
    "check_digit": N_("Check digit of the access key"),
    "key_fields": N_("Access key and fields agree"),
    "digest": N_("Content as it was signed"),
    "signature": N_("Signature"),
    "protocol_digest": N_("Authorized for this content"),
    "protocol": N_("Answer of the authority"),
    "signer": N_("Signed by whom it says"),
    "certificate_dates": N_("Certificate valid when it signed"),
    "chain": N_("Certificate of ICP-Brasil"),
    "environment": N_("Environment"),
    "schema": N_("Official schema"),
}
ROLES: Final = {
    "emitter": N_("Emitter"),
    "recipient": N_("Recipient"),
    "taker": N_("Taker of the freight"),
    "intermediary": N_("Intermediary"),
    "passenger": N_("Passenger"),
    "sender": N_("Sender"),
    "dispatcher": N_("Dispatcher"),
    "receiver": N_("Receiver"),
    "delivery": N_("Place of delivery"),
    "pickup": N_("Place of pickup"),
    "carrier": N_("Carrier"),
}
OPERATIONS: Final = {**operations.WORDS, "voiding": N_("voiding")}
RELATIONS: Final = {
    "carries": (N_("carries"), N_("is carried by")),
    "complements": (N_("complements"), N_("is complemented by")),
    "replaces": (N_("replaces"), N_("is replaced by")),
    "annuls": (N_("annuls"), N_("is annulled by")),
    "references": (N_("refers to"), N_("is referred to by")),
    "prepayment": (N_("settles the prepayment of"), N_("is settled by")),
    "earlier": (N_("comes after"), N_("comes before")),
    "item_references": (N_("names in an item"), N_("is named in an item of")),
    "manifests": (N_("lists for its journey"), N_("is listed for a journey by")),
    "continues": (N_("continues"), N_("is continued by")),
    "related": (N_("belongs together with"), N_("belongs together with")),
    "belongs_to": (N_("belongs to"), N_("has")),
    # As events say it of their own document.
    "replaced_by": (N_("is replaced by"), N_("replaces")),
    "carried_by": (N_("is carried by"), N_("carries")),
    "complemented_by": (N_("is complemented by"), N_("complements")),
    "annulled_by": (N_("is annulled by"), N_("annuls")),
}
TOPICS: Final = {
    "contract": N_("the hub's contract"),
    "disk": N_("disk"),
    "settings": N_("settings"),
    "keyring": N_("keyring"),
    "archive": N_("archive"),
    "vault": N_("vault"),
    "repair": N_("repair"),
    "trust": N_("authorities"),
    "reader": N_("reading"),
    "account": N_("account"),
    "chain": N_("chain"),
    "rows": N_("rows"),
    "backup": N_("backup"),
    "rights": N_("access rights"),
    "schedule": N_("unattended work"),
}
_CLAIMS: Final = {1: N_("the XML"), 2: N_("the hub"), 3: N_("the XML and the hub")}
# As a company sees it, and as `tpNF` writes it.
DIRECTIONS: Final = {
    "in": N_("incoming"),
    "out": N_("outgoing"),
    "0": N_("incoming"),
    "1": N_("outgoing"),
}
# Of an account, and as `tpAmb` writes it.
ENVIRONMENTS: Final = {
    "production": N_("production"),
    "sandbox": N_("test environment"),
    "embedded": N_("demonstration"),
    "1": N_("production"),
    "2": N_("test, without fiscal value"),
}
OUTCOMES: Final = {
    "done": N_("done"),
    "partial": N_("done, with something left over"),
    "failed": N_("failed"),
    "stopped": N_("stopped on request"),
    "interrupted": N_("interrupted"),
    "running": N_("running"),
}
RUN_KINDS: Final = {
    "sync": N_("synchronisation"),
    "notification": N_("documents that the hub announced"),
    "orders": N_("synchronisation of orders"),
    "import": N_("import of files"),
    "orders import": N_("import of orders"),
    "catalog": N_("synchronisation of the catalog"),
    "catalog push": N_("products to the hub"),
    "export": N_("export of a month"),
    "verify": N_("check of authenticity"),
    "reindex": N_("reading everything again"),
    "reconcile": N_("reconciliation"),
    "unattended": N_("unattended run"),
    "write_back": N_("invoices to orders"),
    "order_moves": N_("moves of orders"),
    "feeds": N_("reading of feeds"),
}
# Of the audit trail.
ACTIONS: Final = {
    **RUN_KINDS,
    "account add": N_("account added"),
    "account change": N_("account changed"),
    "account preferences": N_("preferences of an account changed"),
    "account remove": N_("account removed"),
    "account trust": N_("certificate trusted for an account"),
    "account distrust": N_("certificate no longer trusted for an account"),
    "current content": N_("another content of a key is shown"),
    "month closed": N_("month closed"),
    "month reopened": N_("month opened again"),
    "closing stamped": N_("closing stamped"),
    "closing text erased": N_("a text of a closing was erased"),
    **MAINTAINED,
    "person erased": N_("a person's data was erased"),
    "feed mark": N_("marked as read in a feed"),
    "link link": N_("link made"),
    "link unlink": N_("link cut"),
    "link confirm": N_("link confirmed"),
    "link merge": N_("orders and documents put together"),
    "link split": N_("orders and documents taken apart"),
    "finding explain": N_("finding explained"),
    "finding ignore": N_("finding ignored"),
    "finding reopen": N_("finding opened again"),
    "finding note": N_("note of a finding"),
    "undo": N_("undone"),
    "redo": N_("done again"),
    **ARRANGED,
    "order invoice": N_("invoice sent to an order"),
    "order invoice written": N_("invoice confirmed at an order"),
    "order invoice already": N_("invoice found at an order"),
    "order invoice refused": N_("invoice refused by the hub"),
    "order invoice changed": N_("invoice not sent: the order changed"),
    "order invoice unconfirmed": N_("invoice not shown by its order"),
    "order invoice failed": N_("invoice sent without an answer"),
    "order invoice not_sent": N_("invoice not sent to an order"),
    "order move": N_("move sent to an order"),
    "order move written": N_("move confirmed at an order"),
    "order move already": N_("move found at an order"),
    "order move refused": N_("move refused by the hub"),
    "order move changed": N_("move not sent: the order changed"),
    "order move unconfirmed": N_("move not shown by its order"),
    "order move failed": N_("move sent without an answer"),
    "order move not_sent": N_("move not sent to an order"),
    "order move under_way": N_("early shipment taken by the hub"),
    "order move declined": N_("early shipment failed"),
}
PROFILES: Final = {
    "authorizations": N_("without cancelled documents"),
    "with-cancellations": N_("with cancelled documents"),
    "cancellations": N_("cancelled documents only"),
    "both": N_("cancelled documents apart"),
}
_MONTHS: Final = (
    N_("January {year}"), N_("February {year}"), N_("March {year}"), N_("April {year}"), N_("May {year}"),
    N_("June {year}"), N_("July {year}"), N_("August {year}"), N_("September {year}"), N_("October {year}"),
    N_("November {year}"), N_("December {year}"),
)  # fmt: skip
_MONTH: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")
_GROUP: Final = 4


def documents_word(count: int) -> str:
    return ngettext("{count} document", "{count} documents", count)


def events_word(count: int) -> str:
    return ngettext("{count} event", "{count} events", count)


def type_word(code: str) -> str:
    return document_models.type_name(code) or _word(_OTHER_TYPES, code)


def model_word(model: str) -> str:
    """What the model in an access key is called: `NF-e`; the number of one that nobody named."""
    return model_name(model)


def state_word(code: str) -> str:
    return _word(STATES, code)


def verdict_word(code: str | None) -> str:
    """What was found on a document's authenticity, by `Verdict.word`; None was not checked yet."""
    return _word(VERDICTS, code or "none")


def verdict_counts(found: Mapping[str, int]) -> str:
    """How many documents were found what on their authenticity, in one line."""
    return ", ".join(f"{verdict_word(code)}: {formatting.count(found[code])}" for code in VERDICTS if found.get(code))


def ground_word(code: str | None) -> str:
    """What a document's state stands on; nothing for what has no state of its own."""
    return _word(GROUNDS, code) if code else ""


def state_tip(code: str, ground: str | None) -> str:
    """A state with what it stands on."""
    return ": ".join(filter(None, (state_word(code), ground_word(ground))))


def result_word(code: str) -> str:
    """How one line of a verdict ended, by `Line.word`."""
    return _word(RESULTS, code)


def check_word(code: str) -> str:
    """What one line of a verdict asks."""
    return _word(CHECKS, code)


def role_word(code: str) -> str:
    return _word(ROLES, code)


def operation_word(code: str | None) -> str:
    return _word(OPERATIONS, code) if code else ""


def topic_word(code: str) -> str:
    return _word(TOPICS, code)


def answer_word(cstat: str | None) -> str:
    """An answer of the authority: `100 – Use authorized`; the code alone where its words are not known here."""
    if not cstat:
        return ""
    words = codes.word("cStat", cstat)
    return cstat if words is None else f"{cstat} – {render(words)}"


def direction_word(code: str | None) -> str:
    """`in`, `out`, or `tpNF` as written; empty where there is none, as on a CT-e that is nobody's."""
    return _word(DIRECTIONS, code) if code else ""


def environment_word(code: str | None) -> str:
    """The environment of an account, or `tpAmb` of a paper."""
    return _word(ENVIRONMENTS, code) if code else ""


def outcome_word(code: str) -> str:
    """How a run ended, `running` included."""
    return _word(OUTCOMES, code)


def run_kind_word(code: str) -> str:
    return _word(RUN_KINDS, code)


def action_word(code: str) -> str:
    """What a line of the audit trail speaks of."""
    return _word(ACTIONS, code)


def profile_word(code: str) -> str:
    """Which documents a package holds."""
    return _word(PROFILES, code)


def event_word(code: str | None, description: str | None = None, access_key: str | None = None) -> str:
    """The name of an event on the document of `access_key`; of an unknown one its own `description`, else the code."""
    from confere.app.labels import event_names

    known = event_names.name_of(code or "", access_key)
    return render(known) if known else description or code or ""


def relation_word(kind: str, *, reverse: bool) -> str:
    """How the document shown stands to the other one."""
    both = RELATIONS.get(kind)
    return kind if both is None else render(Message(both[reverse]))


def claims_word(claims: int) -> str:
    """Who says so."""
    return render(Message(_CLAIMS[claims])) if claims in _CLAIMS else ""


def month(text: str) -> Message:
    """A month (`YYYY-MM`) as a sentence can hold it: October 2026. What is no month stays as it is."""
    match = _MONTH.fullmatch(text)
    return Message(text) if match is None else Message(_MONTHS[int(match[2]) - 1], {"year": match[1]})


def month_word(text: str) -> str:
    """A month (`YYYY-MM`) in the user's language: October 2026, outubro de 2026."""
    return render(month(text))


def other_months_text(months: MonthSpan) -> str:
    """Where there is what a month has nothing of: `There are 3 in other months, the newest in October 2026.`"""
    month, count = month_word(months.last or ""), formatting.count(months.number)
    if months.number == 1:
        return t("There is 1 in {month}.", month=month)
    if months.first == months.last:
        return t("There are {count} in {month}.", count=count, month=month)
    return t("There are {count} in other months, the newest in {month}.", count=count, month=month)


def key_groups(access_key: str) -> str:
    """An access key in groups of four, as DANFE and DACTE print it."""
    from confere.fiscal.access_keys import normalise

    plain = normalise(access_key)
    return " ".join(plain[start : start + _GROUP] for start in range(0, len(plain), _GROUP))


def tax_id_word(tax_id: str | None, hidden: bool = False) -> str:
    """A CNPJ or CPF with its mask; `hidden` shows the middle of a CPF alone: ***.456.789-**."""
    if not tax_id:
        return ""
    text = taxpayers.format_tax_id(tax_id)
    return f"***{text[3:11]}-**" if hidden and _is_cpf(tax_id) else text


def person_name(name: str | None, tax_id: str | None, hidden: bool = False) -> str:
    """A name; `hidden` leaves only the initials of whoever has no CNPJ, and may be a natural person."""
    if not name:
        return ""
    if not hidden or (tax_id and taxpayers.CNPJ_SHAPE.fullmatch(taxpayers.normalise(tax_id))):
        return name
    return " ".join(f"{part[0].upper()}." for part in name.split())


def party_word(tax_id: str | None, name: str | None, hidden: bool = False) -> str:
    """A name; where there is none, the tax id."""
    return person_name(name, tax_id, hidden) or tax_id_word(tax_id, hidden)


def number_word(series: int | None, number: int | None) -> str:
    """Series and number as they stand on paper: 1/4711."""
    if number is None:
        return ""
    return f"{number}" if series is None else f"{series}/{number}"


def _is_cpf(tax_id: str) -> bool:
    return taxpayers.CPF_SHAPE.fullmatch(taxpayers.normalise(tax_id)) is not None


def _word(known: Mapping[str, str], code: str) -> str:
    """A newer archive's code is shown as it stands."""
    return render(Message(known[code])) if code in known else code
