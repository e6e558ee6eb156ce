"""`confere verify`: whether documents are authentic, one line a check; the whole archive, or those that are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.options import document_name, option_words, options, typed_values
from confere.cli.output import Mode
from confere.cli.render import reports, verdict_view
from confere.errors import NC_, UsageFault, message
from confere.fiscal.authenticity.verdict import ALTERED, Result, Verdict
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.authenticity.verify import VerdictCounts, VerifySummary
    from confere.app.documents.browse import DocumentQuery

_MOST_TOLD = 50
FAILED, UNCHECKED = Result.FAILED.value, Result.UNCHECKED.value
FAIL_ON = (ALTERED, FAILED, UNCHECKED)
_VERDICT_WORDS = option_words.of_field("verdict")


def verify(
    face: Face,
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=document_name.FORMS,
            help=t("These documents alone, checked now; without any, the whole archive."),
            show_default=False,
        ),
    ] = None,
    first: options.From = None,
    last: options.To = None,
    month: options.Month = None,
    company: Annotated[
        str | None, typer.Option("--company", metavar="CNPJ", help=t("Only the documents of this CNPJ or CPF."))
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", metavar="", help=t("Also what was checked before, by the same certificates."))
    ] = False,
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            metavar=option_words.alternatives(FAIL_ON, _VERDICT_WORDS),
            help=t(
                "What ends with 1: altered documents; all that are not authentic (default); also what could not be"
                " checked."
            ),
        ),
    ] = FAILED,
) -> int:
    """0 where nothing that `--fail-on` names was met; 1 otherwise, where bytes are damaged, or it was stopped."""
    worst = typed_values.choice("--fail-on", fail_on, FAIL_ON, _VERDICT_WORDS)
    if name:
        if again or any(given is not None for given in (first, last, month, company)):
            raise UsageFault(
                message("Documents that are named are checked whatever their date and company."),
                message("Give names, or --month, --company and --again."),
            )
        return _named(face, [document_name.exact(face, typed) for typed in name], worst)
    days = typed_values.days(first, last, month)
    owner = typed_values.tax_id(company) if company is not None else None
    from confere.app.authenticity import verify
    from confere.app.documents import browse

    query = None
    if owner is not None or days.from_day is not None or days.to_day is not None:
        query = browse.DocumentQuery(company=owner, from_day=days.from_day, to_day=days.to_day)
    with face.job() as reporter:
        summary = verify.verify(face.workspace, query=query, again=again, reporter=reporter, stop=face.stop)
    wrong = _is_wrong(face, summary, query, worst)
    code = 1 if wrong or summary.damaged or summary.set_aside or summary.stopped else 0
    if face.out.for_people:
        _tell(face, summary, query, worst, code)
    elif face.out.mode is Mode.JSON:
        shapes = map(verdict_view.document, verify.stored(face.workspace, query))
        face.out.stream("documents", shapes, lambda: _rest(summary))
    else:  # whoever started us reads the archive: what failed is enough
        failed = [verdict_view.document(entry) for entry in verify.failed(face.workspace, query, _MOST_TOLD)]
        face.out.result({"documents": failed, **_rest(summary)}, code)
    return code


def _is_wrong(face: Face, summary: VerifySummary, query: DocumentQuery | None, worst: str) -> bool:
    """Whether anything was met that `worst` or more speaks of."""
    from confere.app.authenticity import verify

    if worst == ALTERED:
        return bool(summary.altered or summary.altered_events or summary.altered_versions)
    if summary.documents.failed or summary.failing_events or summary.failing_versions:
        return True
    if worst == FAILED:
        return False
    return bool(summary.documents.unchecked or summary.none or verify.unchecked_events(face.workspace, query))


def _named(face: Face, names: list[str], worst: str) -> int:
    from confere.app.authenticity import verify

    shapes = []
    counts = verify.VerdictCounts()
    wrong = False
    for full, found in verify.judge_named(face.workspace, names):
        own = [entry for entry in found if entry.judged.kind != "event"]
        events = [entry for entry in found if entry.judged.kind == "event"]
        wrong = wrong or any(_is_as_bad(entry.verdict, worst) for entry in found)
        for entry in own:
            result = entry.verdict.result.value
            setattr(counts, result, getattr(counts, result) + 1)
            shapes.append(verdict_view.paper_of(entry, events))
        if not own:  # only events of the key are here, or a kind of paper that is not read
            shapes.append(
                {"access_key": full.access_key, "verdict": None, "lines": []} | {"events": verdict_view.events(events)}
            )
        if face.out.for_people:
            face.out.print(*verdict_view.paper(full.row, found))
            if not found:
                face.out.aside(t("There is nothing in it that could be checked."))
    code = 1 if wrong else 0
    face.out.result({"documents": shapes, "counts": {"documents": counts.all, **_figures(counts)}}, code)
    return code


def _is_as_bad(verdict: Verdict, worst: str) -> bool:
    if worst == ALTERED:
        return verdict.altered
    return verdict.result is Result.FAILED or (worst == UNCHECKED and verdict.result is Result.UNCHECKED)


def _tell(face: Face, summary: VerifySummary, query: DocumentQuery | None, worst: str, code: int) -> None:
    from confere.app.authenticity import verify

    count = formatting.count
    found = summary.documents
    face.out.print(
        tables.facts(
            [
                (t("Checked now"), count(summary.judged.all)),
                (t("Events checked now"), count(summary.events.all)),
                (t("Documents"), count(found.all + summary.none)),
                (t("Authentic"), count(found.ok)),
                (t("Could not be checked"), count(found.unchecked)),
                (t("Not authentic"), count(found.failed)),
                (t("Of these altered after signing"), count(summary.altered) if summary.altered else ""),
                (t("Test documents"), count(found.test) if found.test else ""),
                (t("Not checked yet"), count(summary.none) if summary.none else ""),
                (t("Events that failed"), count(summary.failing_events) if summary.failing_events else ""),
                (
                    t("Other contents of a key that failed"),
                    count(summary.failing_versions) if summary.failing_versions else "",
                ),
                (t("Damaged contents"), count(summary.damaged) if summary.damaged else ""),
                (t("Set aside"), count(len(summary.set_aside)) if summary.set_aside else ""),
                (t(NC_("duration", "Time")), formatting.duration(summary.seconds)),
            ]
        )
    )
    if found.failed or summary.failing_events:
        rows = [entry.row for entry in verify.failed(face.workspace, query, _MOST_TOLD)]
        face.out.print("", tables.documents(rows, face.out.console.width, hidden=face.hides_people))
        face.out.aside(
            t("See why with `confere verify KEY`; all of them with `confere list --verdict failed`.")
            if found.failed
            else t("No document failed, but events did; `confere verify KEY` of their document says why.")
        )
    if summary.failing_versions:
        face.out.aside(t("Another content of the same key is not authentic; `confere show KEY` names them all."))
    if summary.damaged:
        face.out.aside(t("Some contents are no longer what was received; see `confere doctor --verify`."))
    if summary.set_aside:
        reports.set_aside(face.out, summary.set_aside, "confere verify --again")
    if summary.stopped:
        face.out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))
    elif code:
        reasons = (
            (t("Not authentic"), found.failed),
            (t("Events that failed"), summary.failing_events),
            (t("Other contents of a key that failed"), summary.failing_versions),
            (t("Could not be checked"), found.unchecked + summary.none if worst == UNCHECKED else 0),
            (t("Damaged contents"), summary.damaged),
            (t("Set aside"), len(summary.set_aside)),
        )
        face.out.ends_with_1(*(f"{title}: {count(number)}" for title, number in reasons if number))


def _rest(summary: VerifySummary) -> dict[str, object]:
    return {"counts": summary.counts(), "set_aside": summary.set_aside, "stopped": summary.stopped}


def _figures(counts: VerdictCounts) -> dict[str, int]:
    return {"ok": counts.ok, "unchecked": counts.unchecked, "failed": counts.failed, "test": counts.test}
