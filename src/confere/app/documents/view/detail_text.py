"""How people read what the archive keeps as text and codes: times of the hub, names of a document."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from confere.app.labels import labels
from confere.errors import N_, Message
from confere.fiscal.document_models import hub_status_message
from confere.fiscal.document_parts import Party
from confere.fiscal.law import codes
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.messages import render, t

if TYPE_CHECKING:
    from confere.app.documents.browse import DocumentRow
    from confere.app.documents.full_document import FullDocument
    from confere.app.documents.view.loaded import Loaded

# finNFe of an NF-e and tpCTe of a CT-e, where they are out of the ordinary.
_PURPOSES: Final = {
    "nfe": {
        "2": N_("complementary note"),
        "3": N_("adjustment note"),
        "4": N_("return of goods"),
        "5": N_("credit note"),
        "6": N_("debit note"),
    },
    "cte": {
        "1": N_("complementary CT-e"),
        "2": N_("CT-e of annulment"),
        "3": N_("CT-e in place of another"),
    },
}


def heading(loaded: Loaded) -> str:
    """What the panel's document is called."""
    return t("Unreadable file") if loaded.unreadable is not None else title(loaded.view.full)


def title(full: FullDocument) -> str:
    """What a document is called: NF-e 1/4711."""
    row = full.row
    if row is None:
        return t("Events without their document")
    kind = labels.type_word(row.type)
    kind = kind[:1].upper() + kind[1:]
    if row.type == "voiding" and full.voiding is not None:
        void = full.voiding
        span = f"{void.first}–{void.last}" if void.first != void.last else f"{void.first}"
        return f"{kind} {span}" if void.series is None else f"{kind} {void.series}/{span}"
    return f"{kind} {labels.number_word(row.series, row.number)}".strip()


def purpose(row: DocumentRow) -> str:
    """What a note is issued for where that is not the usual; empty otherwise."""
    known = _PURPOSES.get(row.type, {}).get(row.purpose or "")
    if not known:
        return ""
    type = codes.word("tpNFCredito", row.credit_type) or codes.word("tpNFDebito", row.debit_type)
    return f"{render(Message(known))}: {render(type)}" if type is not None else render(Message(known))


def parties_line(row: DocumentRow, own: Collection[str], hidden: bool, parties: Iterable[Party] = ()) -> str:
    """Whom it is between: the other side where `own` says which one is ours, else both.

    Of a freight the recipient is often neither; then one of its `parties`, the taker, is ours.
    """
    emitter = labels.party_word(row.emitter_tax_id, row.emitter_name, hidden)
    recipient = labels.party_word(row.recipient_tax_id, row.recipient_name, hidden)
    if recipient and row.emitter_tax_id in own:
        return t("to {name}", name=recipient)
    if emitter and (row.recipient_tax_id in own or any(party.tax_id in own for party in parties)):
        return t("from {name}", name=emitter)
    return " → ".join(name for name in (emitter, recipient) if name)


def hub_status(status: str | None) -> str:
    """What a hub says of a document in its history, in words; empty where it says nothing."""
    return render(hub_status_message(status)) if status else ""


def hub_moment(written: datetime | str | None) -> str:
    """A time of the hub as people in Brazil read it: what is in UTC is not a local time."""
    if isinstance(written, datetime):
        moment = written
    else:
        try:
            moment = datetime.fromisoformat(written or "")
        except ValueError:
            return written or ""
    return formatting.moment(moment.astimezone(BRASILIA) if moment.utcoffset() == timedelta(0) else moment)
