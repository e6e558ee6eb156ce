"""Which acts this window made: undo takes back the newest of them, whatever account the list stands on by then."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from confere.app.context import Workspace
from confere.app.reconciliation import decisions
from confere.app.reconciliation.decisions import Acted
from confere.errors import UsageFault, message


class _Step(NamedTuple):
    """An act by its number, and the account that it is of."""

    account: str
    act: int | None


class ActHistory:
    """Acts are written one after the other, on a thread of no widget. Nothing of it outlives the window.

    Before the first act of this window, and after the last one was taken back, undo and redo are about the newest act
    of the account in use.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._made: list[_Step] = []
        self._taken_back: list[_Step] = []

    def do(self, work: Callable[[], Acted]) -> Acted:
        """Write this act."""
        acted = work()
        if acted.act is not None and acted.account is not None:
            self._made.append(_Step(acted.account, acted.act))
            self._taken_back.clear()
        return acted

    def undo(self, account: str | None) -> Acted:
        """Take the newest act of this window back, else that of `account`. `UsageFault` where it is not next there."""
        return self._over(decisions.undo, self._made, self._taken_back, account)

    def redo(self, account: str | None) -> Acted:
        """Do again what this window took back last, else what was taken back in `account`."""
        return self._over(decisions.redo, self._taken_back, self._made, account)

    def accounts(self, account: str | None) -> tuple[str | None, str | None]:
        """Which account undo and which account redo would be about."""
        made, taken_back = self._made[-1:], self._taken_back[-1:]
        return made[0].account if made else account, taken_back[0].account if taken_back else account

    def _over(self, act: Callable[..., Acted], steps: list[_Step], others: list[_Step], account: str | None) -> Acted:
        step = steps[-1] if steps else _Step(account, None) if account is not None else None
        if step is None:
            raise UsageFault(message("There is nothing to undo."))
        try:
            acted = act(self._workspace, step.account, step.act)
        except UsageFault:  # it will not become possible: the step before it may be
            del steps[-1:]
            raise
        del steps[-1:]
        others.append(_Step(step.account, acted.act))
        return acted
