"""What the program shows of an archive, in one language: every sentence that is made of what is stored.

Asked for by commands and use cases, never by tables, so that it can be asked of any archive that the program opens.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.overview import activity
from confere.app.reconciliation import queries
from confere.errors import Message
from confere.system.messages import render, set_language
from tests.cli.json_recorder import answer_of

LANGUAGES: Final = ("en", "pt_BR", "es")
# Of a document what is more than its own fields, which other tests look at.
_OF_DOCUMENTS: Final = ("standing", "disagreements", "problems", "warnings", "findings")


def shown(home: Path, language: str) -> dict[str, Any]:
    """Everything, as JSON has it. `home` is a data folder with an archive of this program's own format."""
    asking = _Asking(home, language)
    found: dict[str, Any] = {"accounts": {}}
    for account in asking("account list")["accounts"]:
        found["accounts"][account["name"]] = {"short": account["short"], **_of_account(asking, account["name"])}
    found |= _documents(asking)
    set_language(language)
    opened = OpenArchive(Workspace.at(home))
    try:
        return found | _activity(opened)
    finally:
        opened.close()


class _Asking:
    """Asks commands for their JSON."""

    def __init__(self, home: Path, language: str) -> None:
        self._common = ("--home", str(home), "--lang", language, "--json")

    def __call__(self, line: str, *names: object) -> Any:
        code, text = answer_of(*line.split(), *map(str, names), *self._common)
        assert code == 0, text
        return json.loads(text)


def _of_account(asking: _Asking, account: str) -> dict[str, Any]:
    """Findings, links and what else a reconciliation and a person left there."""
    states = [word for state in queries.FindingState for word in ("--state", state.value)]
    findings = asking("findings list --account", account, *states)
    links = asking("links list --account", account)["links"]
    known = {entry["order_id"] for entry in asking("orders list --all --account", account)["orders"]}
    orders = sorted({link["order"] for link in links} & known)[:2]
    return {
        "groups": findings["groups"],
        "findings": findings["findings"],
        "findings in full": {
            name: {part: whole[part] for part in ("differences", "history")}
            for name, whole in (
                (f"{entry['rule']} {entry['subject'] or entry['id']}", asking("findings show", entry["id"]))
                for entry in _first_of_each(findings["findings"], "rule", "state")
            )
        },
        "links": links,
        "ties": asking("links ties --account", account)["ties"],
        "near misses": asking("links suggestions --account", account)["suggestions"],
        "explained by a rule": asking("findings explained --account", account)["explained"],
        "history": asking("links history --account", account)["history"],
        "orders": {
            order: {part: whole[part] for part in ("links_to", "findings")}
            for order, whole in ((name, asking("orders show --account", account, name)) for name in orders)
        },
    }


def _documents(asking: _Asking) -> dict[str, Any]:
    """The state of every document with its ground, and of one of each kind the reasons and the verdict."""
    every = asking("list --all")["documents"]
    return {
        "documents": {
            str(entry["row"]): [entry["access_key"], entry["state"], entry["state_ground"], entry["verdict"]]
            for entry in every
        },
        "documents in full": {
            str(entry["row"]): {part: whole[part] for part in _OF_DOCUMENTS}
            | {"verdicts": _verdicts(whole["verdicts"])}
            for entry, whole in (
                (entry, asking("show", entry["row"]))
                for entry in _first_of_each(every, "type", "operation", "state", "state_ground", "verdict")
            )
        },
        "not believed": asking("list --not-believed")["not_believed"],
        "not understood": asking("list --not-understood")["not_understood"],
        "unreadable": asking("list --unreadable")["unreadable"],
        "declarations": asking("declarations list")["declarations"],
    }


def _verdicts(found: Iterable[dict[str, Any]]) -> list[list[Any]]:
    """The result on each paper with the lines that say why."""
    return [
        [entry["kind"], entry["verdict"], *([line["check"], line["why"]] for line in entry["lines"] if line["why"])]
        for entry in found
    ]


def _first_of_each(entries: Iterable[dict[str, Any]], *names: str) -> Iterator[dict[str, Any]]:
    """Of those that are alike in these fields the first."""
    seen = set()
    for entry in entries:
        kind = tuple(str(entry[name]) for name in names)
        if kind not in seen:
            seen.add(kind)
            yield entry


def _activity(opened: OpenArchive) -> dict[str, Any]:
    """The page of activities: runs, downloads that failed, and the audit trail; and the runs of reconciliation."""
    return {
        "activities": [
            {
                "id": entry.id,
                "kind": entry.kind,
                "account": entry.account,
                "outcome": entry.outcome,
                "counts": [[render(label), number] for label, number in entry.counts],
                "parameters": _texts(entry.parameters),
                "problem": _text(entry.problem),
            }
            for entry in activity.runs(opened)
        ],
        "failed downloads": [
            {
                "item": failure.download.item_id,
                "access_key": failure.download.access_key,
                "reason": render(failure.download.reason),
            }
            for failure in activity.failures(opened)
        ],
        "audit trail": [
            {"action": entry.line.action, "subject": entry.subject, "details": _texts(entry.details)}
            for entry in activity.trail(opened)
        ],
        "reconciliations": [
            {
                "id": line.entry.id,
                "period": line.period,
                "outcome": line.entry.outcome,
                "counts": [[render(label), number] for label, number in line.entry.counts],
                "open": line.open_findings,
                "not checked": line.not_checked,
                "compared": None
                if line.compared is None
                else [line.compared.new, line.compared.resolved, line.compared.reopened, line.compared.changed],
                "problem": _text(line.entry.problem),
            }
            for line in queries.runs(opened)
        ],
    }


def _texts(found: Iterable[Message]) -> list[str]:
    return [render(entry) for entry in found]


def _text(found: Message | None) -> str | None:
    return None if found is None else render(found)


def merged(trees: Mapping[str, Any]) -> Any:
    """What is shown in several languages as one tree: where it differs, by language."""
    first, *others = trees.values()
    if all(other == first for other in others):
        return first
    every = [first, *others]
    if all(isinstance(tree, dict) and list(tree) == list(first) for tree in every):
        return {key: merged({language: tree[key] for language, tree in trees.items()}) for key in first}
    if all(isinstance(tree, list) and len(tree) == len(first) for tree in every):
        return [merged({name: tree[place] for name, tree in trees.items()}) for place in range(len(first))]
    return dict(trees)


def in_language(tree: Any, language: str) -> Any:
    """What a merged tree says of one language."""
    if isinstance(tree, list):
        return [in_language(entry, language) for entry in tree]
    if not isinstance(tree, dict):
        return tree
    if tuple(tree) == LANGUAGES:
        return tree[language]
    return {key: in_language(entry, language) for key, entry in tree.items()}
