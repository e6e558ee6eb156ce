"""The story's steps in their order, and running them on a sandbox of its own in a data folder of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.context import EMBEDDED, Workspace
from confere.app.sandbox import sandbox
from confere.app.sandbox.demo import PLATFORM
from confere.app.sandbox.sandbox import RunningSandbox, SandboxChoice
from confere.app.sandbox.story import order_steps, seller_steps
from confere.app.sandbox.story.scene import ACCOUNT, Scene, StoryBroken, StoryCall, StoryCheck, StoryListener
from confere.errors import N_, ConfereError, Message, message
from confere.system.processes.cancellation import Stop

DOCUMENTS: Final = 40
"""Of the sandbox's world beside the story: a few, so that it starts at once."""


class StoryOutcome(StrEnum):
    HELD = "held"
    FAILED = "failed"
    NOT_REACHED = "not_reached"


class PlannedStep(NamedTuple):
    """A step: its name in JSON, what happens in it, and what does it and checks it."""

    name: str
    title: str
    act: Callable[[Scene], None]


def _begin(scene: Scene) -> None:
    """The listener has synced once, and the hub announces to it what changes from now on."""
    scene.listener.start()
    scene.wait(lambda: bool(scene.listener.noted("Synced")), message("The listener did not begin."))
    scene.note(StoryCall(f"confere listen --account {ACCOUNT}", "", scene.listener.address))
    scene.panel("POST", "/callbacks", {"url": scene.listener.address, "topics": ["FISCAL_DOCUMENTS"]})


STEPS: Final = (
    PlannedStep("listen", N_("Confere listens, and the hub knows where"), _begin),
    PlannedStep("brand", N_("A brand is registered"), seller_steps.register_brand),
    PlannedStep("category", N_("A category is registered"), seller_steps.register_category),
    PlannedStep("product", N_("A product with two variations is registered"), seller_steps.register_product),
    PlannedStep("stock", N_("Its stock is written"), seller_steps.write_stock),
    PlannedStep(
        "stand-by",
        N_("It is to be published: the marketplace accepts it, the seller says no, it stands by"),
        seller_steps.create_publication,
    ),
    PlannedStep(
        "publish", N_("The seller sends it, and the marketplace reports it active"), seller_steps.send_publication
    ),
    PlannedStep("order", N_("An order comes from the marketplace"), order_steps.create_order),
    PlannedStep("invoice", N_("Its invoice is issued and appears at the hub"), order_steps.issue_invoice),
    PlannedStep("callback", N_("The hub's callback arrives at the listener"), order_steps.take_callback),
    PlannedStep("archive", N_("The XML is in the archive, byte for byte"), order_steps.archive_file),
    PlannedStep("write-back", N_("Confere writes the invoice to the order"), order_steps.write_invoice),
    PlannedStep("shipped", N_("The order is shipped"), order_steps.ship),
    PlannedStep("delivered", N_("The order is delivered"), order_steps.deliver),
    PlannedStep("concluded", N_("The order is over"), order_steps.conclude),
    PlannedStep("deleted", N_("The publication is deleted and taken off sale"), seller_steps.delete_publication),
    PlannedStep("early-failed", N_("An early shipment of another order is refused"), order_steps.fail_early_shipment),
    PlannedStep("early-retried", N_("It is asked for again, and shipped"), order_steps.retry_early_shipment),
)


@dataclass(frozen=True, slots=True)
class StoryStep:
    """A step as it went; `why` says what did not hold."""

    name: str
    title: Message
    outcome: StoryOutcome
    calls: tuple[StoryCall, ...] = ()
    checks: tuple[StoryCheck, ...] = ()
    why: Message | None = None


@dataclass(frozen=True, slots=True)
class StoryResult:
    """Every step, also those that were not reached."""

    steps: tuple[StoryStep, ...]

    @property
    def complete(self) -> bool:
        """Whether every step's check held."""
        return all(step.outcome is StoryOutcome.HELD for step in self.steps)


def run(choice: SandboxChoice, *, told: Callable[[StoryStep], None], stop: Stop) -> StoryResult:
    """Run the story in a temporary data folder, which is removed afterwards; `told` is told of each step as it ends.

    Raises `UsageFault` or `EnvironmentFault` where the sandbox does not start, `Cancelled` when it was stopped.
    """
    with tempfile.TemporaryDirectory(prefix="confere-story-", ignore_cleanup_errors=True) as folder:
        workspace = Workspace.at(folder)
        with sandbox.running(choice) as hub:
            return _play(workspace, hub, told, stop)


def _play(workspace: Workspace, hub: RunningSandbox, told: Callable[[StoryStep], None], stop: Stop) -> StoryResult:
    from confere.hub.session import HubSession

    accounts.add(workspace, NewAccount(ACCOUNT, hub.address, PLATFORM, EMBEDDED), hub.token)
    listener = StoryListener(workspace)
    steps: list[StoryStep] = []
    try:
        with HubSession(hub.address, hub.token, PLATFORM, stop=stop) as session:
            scene = Scene(workspace, hub, session, listener, stop)
            for planned in STEPS:
                stop.check()
                step = _step(scene, planned, reached=not steps or steps[-1].outcome is StoryOutcome.HELD)
                steps.append(step)
                told(step)
    finally:
        listener.close()
        with suppress(ConfereError):  # the folder is gone in a moment, and nothing of it is to stay
            accounts.forget_token(workspace, ACCOUNT)
    return StoryResult(tuple(steps))


def _step(scene: Scene, planned: PlannedStep, *, reached: bool) -> StoryStep:
    title = Message(planned.title)
    if not reached:
        return StoryStep(planned.name, title, StoryOutcome.NOT_REACHED)
    scene.calls, scene.checks = [], []
    outcome, why = StoryOutcome.HELD, None
    try:
        planned.act(scene)
    except StoryBroken as broken:
        outcome, why = StoryOutcome.FAILED, broken.why
    except ConfereError as error:
        scene.stop.check()
        outcome, why = StoryOutcome.FAILED, error.what
    return StoryStep(planned.name, title, outcome, tuple(scene.calls), tuple(scene.checks), why)
