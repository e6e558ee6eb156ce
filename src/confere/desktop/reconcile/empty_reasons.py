"""Says why there is nothing to see on the page, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable

from confere.app.labels.labels import month_word
from confere.desktop.core.actions import Action, Actions
from confere.desktop.reconcile.empty_state import Empty
from confere.desktop.reconcile.page_state import PageState
from confere.system import formatting
from confere.system.messages import render, t


def say_yet(empty: Empty, standing: PageState, actions: Actions, bring: Callable[[], None]) -> None:
    """Before the first run: what it needs, or that nothing but itself is wanting."""
    if standing.is_of_files_alone:
        empty.say(
            "reconcile",
            t("No account has this company"),
            t(
                "Its documents came from files alone, and without an account nothing is reconciled. "
                "Connect the account of its hub, or choose another company."
            ),
            (t("Go to the overview"), actions[Action.OVERVIEW].trigger),
        )
    elif standing.account is None:
        empty.say(
            "reconcile",
            t("There is nothing to reconcile yet"),
            t(
                "Reconciliation lays the marketplace's orders beside their documents and freight. "
                "Connect an account and sync it; the demonstration shows how it looks."
            ),
            (t("Go to the overview"), actions[Action.OVERVIEW].trigger),
        )
    elif not standing.has_orders:
        empty.say(
            "reconcile",
            t("There are no orders yet"),
            t(
                "Documents are compared with the marketplace's orders. A sync brings them from the hub; "
                "where it has none to give, import them from the marketplace's spreadsheet."
            ),
            (t("Sync now"), actions[Action.SYNC].trigger),
            (t("Import orders…"), bring),
        )
    else:
        empty.say(
            "reconcile",
            t("Nothing was reconciled yet"),
            t(
                "A run links every order with its documents, says why, and lists what does not agree. "
                "It changes nothing at the hub, and can be done again at any time."
            ),
            (t("Reconcile now"), actions[Action.RECONCILE_NOW].trigger),
        )


def say_none(empty: Empty, standing: PageState, month: str | None, clear: Callable[[], None] | None) -> None:
    """No finding is listed; with `clear` because somebody chose which to see."""
    if clear is not None:
        empty.say(
            "search",
            t("No finding matches"),
            t("Change the filters, or look at how things stand now."),
            (t("Clear filters"), clear),
        )
        return
    newest = standing.runs[0] if standing.runs else None
    counts = newest.entry.counts if newest is not None else ()
    checked = " · ".join(f"{render(name)}: {formatting.count(number)}" for name, number in counts)
    last = (
        t("The last run, of the whole account: {what}.", what=checked)
        if standing.is_shared
        else t("The last run: {what}.", what=checked)
    )
    empty.say(
        "check",
        t("Nothing disagrees in {period}", period=month_word(month)) if month else t("Nothing disagrees"),
        last if checked else "",
        role="good",
    )
