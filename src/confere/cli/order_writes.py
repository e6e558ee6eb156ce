"""Writing to orders from the command line: the exact requests first, then a yes, then what became of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, TypeVar

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of
from confere.errors import Message, UsageFault, message
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.orders.write_back import RequestPreview, Sent, WriteBackPlan, WriteBackResult, WriteOutcome

C = TypeVar("C", bound=Any)
_MOST_LEFT_OUT: Final = 50

Preview = Annotated[bool, typer.Option("--preview", metavar="", help=t("Show the requests and send nothing."))]
Yes = Annotated[bool, typer.Option("--yes", metavar="", help=t("Send without asking."))]
OnlyIf = Annotated[
    str | None,
    typer.Option(
        "--only-if", metavar="DIGEST", help=t("Send only if the requests are still those of a preview's digest.")
    ),
]


@dataclass(frozen=True, slots=True)
class WriteWords(Generic[C]):
    """What is said of a kind of writing: `sides` what stands below each request, `nothing` where there is none.

    `requests` and `answers` give what the JSON has of requests and of their results.
    """

    sides: Callable[[RequestPreview[C]], Sequence[str]]
    outcomes: Mapping[WriteOutcome, str]
    nothing: str
    requests: Callable[[Sequence[RequestPreview[C]]], list[Shape]]
    answers: Callable[[Sequence[Sent]], list[Shape]]


def write(
    face: Face,
    plan: WriteBackPlan[C],
    words: WriteWords[C],
    *,
    named: bool,
    preview: bool,
    yes: bool,
    only_if: str | None,
    whole: bool,
) -> int:
    """Show what would be sent, and send it after a yes; 1 where an order was left as it is or the user said no.

    `named`: the orders were named one by one, so that none may be left out. `whole`: the JSON has every request.
    """
    from confere.app.orders import write_back

    previews = tuple(map(write_back.preview, plan.candidates))
    digest = write_back.digest(previews)
    lacking = 1 if named and plan.left_out else 0
    _show(face, plan, previews, words)
    if preview or not previews:
        face.out.result(_shape(plan, previews, digest, None, words, whole=whole), lacking)
        return lacking
    check_digest(only_if, digest)
    if not yes and not _confirmed(face, plan, len(previews)):
        face.out.aside(t("Nothing was sent."))
        return 1
    with face.job() as reporter:
        result = write_back.send(
            face.workspace, plan.account, previews, reporter=reporter, stop=face.stop, prompt=face.prompt
        )
    code = lacking if result.complete else 1
    face.out.result(_shape(plan, previews, digest, result, words, whole=whole), code)
    if face.out.for_people:
        _tell(face, result, words.outcomes)
    return code


def check_choice(*, preview: bool, yes: bool) -> None:
    """Raises `UsageFault` where both are given."""
    if preview and yes:
        raise UsageFault(message("--preview sends nothing, so there is nothing to say --yes to."))


def check_digest(only_if: str | None, digest: str) -> None:
    """Raises `UsageFault` where the requests are others than those that `only_if` names."""
    if only_if is not None and only_if != digest:
        raise UsageFault(
            message("The requests are no longer those of the preview: nothing was sent."),
            message("Look at the preview again."),
        )


def _confirmed(face: Face, plan: WriteBackPlan[C], count: int) -> bool:
    if not face.interactive:
        raise UsageFault(
            message("Nobody is there to confirm what would be written to orders of {account}.", account=plan.account),
            message("Look at it with --preview, then give --yes."),
        )
    hub = f"{plan.host} ({plan.account})" if plan.host else plan.account
    return face.confirm(
        message("Send this request to {hub}?", hub=hub)
        if count == 1
        else message("Send these {count} requests to {hub}?", count=formatting.count(count), hub=hub)
    )


def _show(face: Face, plan: WriteBackPlan[C], previews: Sequence[RequestPreview[C]], words: WriteWords[C]) -> None:
    """The requests to the last byte on stdout, with what speaks for and against each."""
    if not face.out.for_people:
        return
    out = face.out
    if not previews:
        out.aside(words.nothing)
    for preview in previews:
        out.text(f"{plain(preview.method)} {plain(preview.path)}\n{plain(preview.body, lines=True)}\n")
        doubts = (t("look: {doubt}", doubt=render(doubt)) for doubt in preview.candidate.doubts)
        out.sentences(*(f"  {plain(line)}" for line in (*words.sides(preview), *doubts)), "")
    for left in plan.left_out[:_MOST_LEFT_OUT]:
        out.aside(t("Order {order} is left out: {why}", order=left.order_id, why=render(left.why)))
    if len(plan.left_out) > _MOST_LEFT_OUT:
        more = formatting.count(len(plan.left_out) - _MOST_LEFT_OUT)
        out.aside(t("… and {count} more orders are left out.", count=more))


def _tell(face: Face, result: WriteBackResult, outcomes: Mapping[WriteOutcome, str]) -> None:
    """One line an order: what is done on stdout, what is not on stderr, with the hub's words where it gave some."""
    from confere.app.orders.write_back import DONE

    for answer in result.sent:
        line = f"{plain(answer.order_id)}: {render(Message(outcomes[answer.outcome]))}"
        if answer.outcome in DONE:
            face.out.sentences(line)
            continue
        face.out.aside(line)
        if answer.hub_words:
            face.out.aside("  " + t("The hub's own words: {words}", words=answer.hub_words))
        elif answer.why is not None:
            face.out.aside(f"  {plain(render(answer.why))}")
    if result.stopped:
        face.out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))


def _shape(
    plan: WriteBackPlan[C],
    previews: Sequence[RequestPreview[C]],
    digest: str,
    result: WriteBackResult | None,
    words: WriteWords[C],
    *,
    whole: bool,
) -> Shape:
    """`body` is the text that is sent, to the last byte; `results` is null where nothing was to be sent.

    Unless it is to be `whole`, the requests are left out, and of the results those that are well.
    """
    from confere.app.orders.write_back import DONE

    results = None
    if result is not None:
        answers = [answer for answer in result.sent if whole or answer.outcome not in DONE]
        results = words.answers(answers)
    return {
        "account": plan.account,
        **({"requests": words.requests(previews)} if whole else {}),
        "digest": digest,
        "left_out": each_of(plan.left_out, "order=order_id", "why"),
        "results": results,
        "counts": None if result is None else result.counts(),
        "stopped": result is not None and result.stopped,
    }
