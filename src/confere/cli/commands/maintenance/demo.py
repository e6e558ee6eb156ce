"""`confere demo`: the whole way at once, on invented documents: sandbox, sync, reconciliation, package."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from confere.cli import window
from confere.cli.context import Face
from confere.cli.json import json_shapes, reconciliation_json
from confere.cli.json.encoder import each_of, fields_of
from confere.cli.options import option_values, sandbox_options, typed_values
from confere.cli.render import reports
from confere.system.messages import render, t
from confere.system.plain_text import plain
from confere.system.processes.command_text import command_text

if TYPE_CHECKING:
    from confere.app.sandbox.sandbox import SandboxChoice
    from confere.app.sandbox.story.story import StoryStep

_LONGEST_BODY: Final = 100  # characters of a request's body, or of a value, that are shown


def demo(
    face: Face,
    documents: sandbox_options.Documents = 2000,
    seed: sandbox_options.Seed = 7,
    faults: sandbox_options.Faults = None,
    rate_limit: sandbox_options.RateLimit = None,
    retry_after: sandbox_options.RetryAfter = None,
    truth: sandbox_options.Truth = None,
    clock: sandbox_options.Clock = None,
    forget: sandbox_options.Forget = True,
    anomalies: sandbox_options.Anomalies = "all",
    clean_months: sandbox_options.CleanMonths = "2026-02,2026-06",
    withhold: sandbox_options.Withhold = 0.0,
    no_orders: sandbox_options.NoOrders = False,
    no_returns: sandbox_options.NoReturns = False,
    shape: sandbox_options.Shape = None,
    strict_bodies: sandbox_options.StrictBodies = False,
    story: Annotated[
        bool,
        typer.Option(
            "--story",
            metavar="",
            help=t(
                "Tell the story of one product instead, from its brand to the end of its publication, with every "
                "request; nothing of it is kept."
            ),
        ),
    ] = False,
    no_window: Annotated[
        bool, typer.Option("--no-window", metavar="", help=t("Do not open the window afterwards."))
    ] = False,
) -> int:
    """1 where downloads failed, a package lacks something, a step of the story failed or the user stopped it."""
    from confere.app.sandbox import demo as use_case
    from confere.app.sandbox import world_words
    from confere.app.sandbox.sandbox import SandboxChoice

    choice = SandboxChoice(
        documents=documents,
        seed=seed,
        faults=world_words.faults(faults),
        rate_limit=rate_limit,
        retry_after=typed_values.choice(
            "--retry-after", retry_after or "none", typed_values.RETRY_AFTER, option_values.RETRY_AFTER
        ),
        clock=world_words.clock(clock),
        state_file=face.home.sandbox_state,
        truth_file=truth,
        forget=forget,
        anomalies=world_words.anomalies(anomalies),
        clean_months=world_words.clean_months(clean_months),
        withhold=withhold,
        orders=not no_orders,
        returns=not no_returns,
        shape=world_words.shapes(shape),
        strict_bodies=strict_bodies,
    )
    if story:
        return _story(face, choice)
    with face.job() as reporter:
        result = use_case.run(face.workspace, choice, reporter=reporter, stop=face.stop)
    bad = result.sync.lacking or result.sync.stopped or not all(entry.contents.is_whole for entry in result.packages)
    code = 1 if bad else 0
    reconciled = None if result.reconciled is None else reconciliation_json.demo(result.reconciled)
    face.out.result({**json_shapes.demo(result), "reconciled": reconciled}, code)
    if face.out.for_people:
        reports.demo(face.out, result, face.given.home)
        if no_window or result.sync.stopped:
            return code
        if window.can_open():
            window.open_window(face)
        else:
            face.out.aside(
                t(
                    "No window was opened, as there is no screen here. Where there is one, `{command}` opens it; here "
                    "the lines above do the same work.",
                    command=command_text(["confere", *(["--home", str(face.given.home)] if face.given.home else [])]),
                )
            )
    return code


def _story(face: Face, choice: SandboxChoice) -> int:
    """Tell it step by step, to programs at the end; 1 where a step's check did not hold."""
    from confere.app.sandbox.story import story

    world = replace(
        choice,
        documents=story.DOCUMENTS,
        anomalies="none",
        forget=False,
        withhold=0.0,
        state_file=None,
        truth_file=None,
        middleware=True,
    )
    names = [planned.name for planned in story.STEPS]

    def told(step: StoryStep) -> None:
        if face.out.for_people:
            _show_step(face, step, f"{names.index(step.name) + 1}/{len(names)}")

    with face.job():
        result = story.run(world, told=told, stop=face.stop)
    code = 0 if result.complete else 1
    steps = [
        fields_of(step, "step=name", "title", "outcome", "why")
        | {
            "calls": each_of(step.calls, "request", "body", "answer"),
            "checks": each_of(step.checks, "what", "seen"),
        }
        for step in result.steps
    ]
    face.out.result({"story": {"complete": result.complete, "steps": steps}}, code)
    if result.complete:
        face.out.aside(t("Every step held."))
    return code


def _show_step(face: Face, step: StoryStep, place: str) -> None:
    """The step with its requests, and what came of each."""
    mark = {"held": t("ok"), "failed": t("failed"), "not_reached": t("not reached")}[step.outcome.value]
    lines = [f"{place}  {mark}  {render(step.title)}"]
    for call in step.calls:
        body = f" {_short(call.body)}" if call.body else ""
        lines.append(f"      {call.request}{body} → {call.answer}")
    lines += [f"      {check.what}: {_short(check.seen)}" for check in step.checks]
    if step.why is not None:
        lines.append(f"      {render(step.why)}")
    face.out.sentences(*map(plain, lines))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_BODY else f"{text[:_LONGEST_BODY]}…"
