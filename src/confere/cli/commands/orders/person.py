"""`confere person`: where a person's data is, until when it must be kept, and erasing what no law keeps."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.cli.render import labels
from confere.errors import UsageFault, message
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.orders.person import ClosingPlace, CopyPlace, ErasureResult, Person

_MOST_SHOWN = 20


def person(
    face: Face,
    tax_id: Annotated[str, typer.Argument(metavar="CPF", help=t("The person's CPF or CNPJ, with or without mask."))],
    erase: Annotated[
        bool, typer.Option("--erase", metavar="", help=t("Take the person out of orders, returns and backups."))
    ] = False,
    preview: Annotated[
        bool, typer.Option("--preview", metavar="", help=t("Show what --erase would change, and change nothing."))
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", metavar="", help=t("Erase without asking."))] = False,
) -> int:
    """1 where something could not be erased or the user said no."""
    if (preview or yes) and not erase:
        raise UsageFault(message("--preview and --yes belong to --erase."))
    if preview and yes:
        raise UsageFault(message("--preview changes nothing, so there is nothing to say --yes to."))
    from confere.app.orders import person as persons

    subject = persons.look(face.workspace, persons.normalised(tax_id))
    if face.out.for_people:
        _show(face, subject, erasing=erase)
    if not erase or preview or not subject.erasable:
        face.out.result(_shape(subject, None))
        return 0
    if not yes and not _confirmed(face):
        face.out.aside(t("Nothing was erased."))
        return 1
    done = persons.erase(face.workspace, subject)
    code = 0 if done.complete else 1
    face.out.result(_shape(subject, done), code)
    if face.out.for_people:
        _tell(face, done)
    return code


def _confirmed(face: Face) -> bool:
    if not face.interactive:
        raise UsageFault(
            message("Nobody is there to confirm that the person is to be erased."),
            message("Look at it with --preview, then give --yes."),
        )
    return face.confirm(message("Erase this person's data? It cannot be taken back."))


def _show(face: Face, subject: Person, *, erasing: bool) -> None:
    places = subject.places
    lines = [t("Documents: {count}", count=formatting.count(len(places.papers)))]
    for role, count in _roles(subject).items():
        lines.append(f"  {_role_word(role)}: {formatting.count(count)}")
    lines += [f"  {plain(paper.access_key or '-')}" for paper in places.papers[:_MOST_SHOWN]]
    if len(places.papers) > _MOST_SHOWN:
        lines.append("  " + t("… and {count} more", count=formatting.count(len(places.papers) - _MOST_SHOWN)))
    if places.events:
        lines.append(t("Events that the person registered: {count}", count=formatting.count(places.events)))
    lines.append(t("Orders: {count}", count=formatting.count(len(places.orders))))
    for order in places.orders[:_MOST_SHOWN]:
        versions = t("versions: {count}", count=formatting.count(order.versions))
        lines.append(f"  {plain(order.account)} {plain(order.hub_id)} ({versions})")
    if len(places.orders) > _MOST_SHOWN:
        lines.append("  " + t("… and {count} more", count=formatting.count(len(places.orders) - _MOST_SHOWN)))
    lines.append(t("Returns: {count}", count=formatting.count(len(places.returns))))
    if places.hub_records:
        lines.append(t("Hub's records of documents: {count}", count=formatting.count(places.hub_records)))
    named = subject.mentions
    if named.findings:
        lines.append(t("Findings about them: {count}", count=formatting.count(named.findings)))
    if named.notes or named.sentences or named.audit_lines:
        lines.append(
            t(
                "Texts that name the person: notes {notes}, sentences {sentences}, lines of the audit trail {lines}",
                notes=formatting.count(named.notes),
                sentences=formatting.count(named.sentences),
                lines=formatting.count(named.audit_lines),
            )
        )
    if subject.closings:
        lines.append(t("Closings that name the person: {count}", count=formatting.count(len(subject.closings))))
        lines += [f"  {_closing_line(closing)}" for closing in subject.closings]
    if subject.searches:
        lines.append(t("Saved searches that name the person: {count}", count=formatting.count(len(subject.searches))))
        lines += [f"  {plain(name)}" for name in subject.searches]
    if subject.tags:
        lines.append(t("Tags that name the person: {count}", count=formatting.count(len(subject.tags))))
        lines += [f"  {plain(name)}" for name in subject.tags]
    if subject.packages:
        lines.append(t("Packages written of those months: {count}", count=formatting.count(len(subject.packages))))
    lines += [
        f"  {labels.tax_id_word(package.company)} {formatting.month(package.month)} {_moment(package.at)}"
        for package in subject.packages[:_MOST_SHOWN]
    ]
    lines += _backups(subject)
    if places.erased_at:
        lines.append(t("Erased on {day}.", day=formatting.date(places.erased_at)))
    if subject.retention is not None:
        lines.append(
            t(
                "The XML stays by law (LGPD art. 16, I): the newest is of {day}, to be kept until {five} "
                "(CTN art. 173 and 174, five years) or {eleven} (Ajuste SINIEF 2/2025, 132 months).",
                day=formatting.date(subject.retention.newest.isoformat()),
                five=formatting.date(subject.retention.tax_code.isoformat()),
                eleven=formatting.date(subject.retention.adjustment.isoformat()),
            )
        )
    lines.append(t("Orders, returns and their backups: no law keeps them; they can be erased (LGPD art. 18, VI)."))
    lines.append(
        t("Files that you exported or printed are not looked at: see {folder}.", folder=plain(str(subject.exports)))
    )
    if erasing:
        lines.append(
            t("Erasing empties buyer and address in every version of the orders, in their returns and in the backups.")
            if subject.erasable
            else t("There is nothing to erase.")
        )
    face.out.sentences(*lines)


def _backups(subject: Person) -> list[str]:
    """The backups that name the person or cannot be looked at, a line each; of the others only how many there are."""
    concerned = [copy for copy in subject.copies if copy.entries or copy.why_not is not None]
    lines = []
    if concerned:
        lines.append(t("Backups: {count}", count=formatting.count(len(concerned))))
        lines += [f"  {_copy_line(copy)}" for copy in concerned]
    if others := len(subject.copies) - len(concerned):
        lines.append(t("Backups that do not name the person: {count}", count=formatting.count(others)))
    return lines


def _tell(face: Face, done: ErasureResult) -> None:
    face.out.aside(
        t(
            "Erased: orders {orders}, versions {versions}, returns {returns}. The documents stay.",
            orders=formatting.count(done.archive.orders),
            versions=formatting.count(done.archive.versions),
            returns=formatting.count(done.archive.returns),
        )
    )
    if done.archive.searches:
        face.out.aside(t("Saved searches removed: {count}.", count=formatting.count(done.archive.searches)))
    if done.archive.tags:
        face.out.aside(t("Tags without a name from now on: {count}.", count=formatting.count(done.archive.tags)))
    if done.traces:
        face.out.aside(
            t("Another program reads the archive, so traces are left in its file. Close it and run the same again.")
        )
    for closing in done.archive.kept:
        face.out.aside(_closing_line(closing))
    for copy in done.copies:
        if copy.why_not is not None:
            face.out.aside(_copy_line(copy))


def _closing_line(closing: ClosingPlace) -> str:
    from confere.app.labels.labels import month_word, tax_id_word
    from confere.app.orders.person import why_fixed

    words = {"preparer": t("who prepared it"), "reviewer": t("who reviewed it"), "reason": t("why it was opened again")}
    line = t(
        "{company} {month}, closing {number}: {texts}",
        company=tax_id_word(closing.company),
        month=month_word(closing.month),
        number=formatting.count(closing.number),
        texts=", ".join(words[name] for name in closing.texts),
    )
    why = why_fixed(closing)
    return line if why is None else f"{line}. {t('It stays.')} {render(why)}"


def _copy_line(copy: CopyPlace) -> str:
    name = plain(copy.path.name)
    if copy.why_not is not None:
        return t("{file}: not touched. {why}", file=name, why=plain(render(copy.why_not)))
    return t("{file}: orders and returns {count}", file=name, count=formatting.count(copy.entries or 0))


def _role_word(role: str) -> str:
    from confere.app.labels import labels

    return labels.role_word(role)


def _roles(subject: Person) -> dict[str, int]:
    counts: dict[str, int] = {}
    for paper in subject.places.papers:
        for role in paper.roles:
            counts[role] = counts.get(role, 0) + 1
    return counts


def _shape(subject: Person, done: ErasureResult | None) -> Shape:
    from confere.app.orders.person import why_fixed

    places, kept = subject.places, subject.retention
    copies = subject.copies if done is None else done.copies
    return {
        "tax_id": subject.tax_id,
        "documents": {
            "total": len(places.papers),
            "roles": _roles(subject),
            "keys": [paper.access_key for paper in places.papers],
        },
        "events": places.events,
        "orders": each_of(places.orders, "account", "id=hub_id", "day=created_on", "versions"),
        "returns": each_of(places.returns, "account", "id=hub_id"),
        "hub_records": places.hub_records,
        "findings": subject.mentions.findings,
        "texts": fields_of(subject.mentions, "notes", "sentences", "audit_lines"),
        "closings": [
            fields_of(closing, "number", "company", "month", "texts") | {"why_not": why_fixed(closing)}
            for closing in subject.closings
        ],
        "saved_searches": list(subject.searches),
        "tags": list(subject.tags),
        "packages": each_of(subject.packages, "company", "month", "at"),
        "backups": each_of(copies, "file=path", "entries", "why_not"),
        "erased_at": places.erased_at,
        "retention": None
        if kept is None
        else fields_of(kept, "newest", "ctn_173_174=tax_code", "ajuste_sinief_2_2025=adjustment"),
        "erased": None
        if done is None
        else {
            **fields_of(done.archive, "orders", "versions", "returns", "texts", "searches", "tags"),
            "traces": done.traces,
        },
    }


def _moment(utc: str) -> str:
    return formatting.moment(datetime.fromisoformat(utc).astimezone(BRASILIA))
