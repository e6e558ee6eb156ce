"""The relations and the chain of a document as trees for a terminal; what is not in the archive has a hollow mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from confere.app.labels.labels import event_word
from confere.app.labels.marketplace_labels import marketplace_word
from confere.cli.render import labels
from confere.fiscal import access_keys
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.documents.browse import DocumentRow
    from confere.app.documents.relations import ChainStep, Edge, Relations

_HERE, _ABSENT = "●", "○"
_MOST = 20  # of a kind; a program gets all of them
_STATES = {"authorized": "green", "complemented": "green", "unregistered": "yellow", "no_protocol": "yellow"}


def parts(found: Relations) -> list[RenderableType]:
    """What to print, in order."""
    made: list[RenderableType] = [_relations(found)]
    if len(found.chain) > 1:
        made += [Text(""), *_chain(found.chain)]
    if found.left_out:
        count = formatting.count(found.left_out)
        made += [Text(""), Text(t("Further documents of this chain that are not shown: {count}.", count=count))]
    if found.notes:
        made.append(Text(""))
        made += [Text(f"- {plain(render(note))}") for note in found.notes]
    return made


def _relations(found: Relations) -> Tree:
    step = found.step
    row = step.row if step is not None else None
    tree = _tree(_label(found.access_key, row, bold=True))
    for edges, reverse in ((found.out, False), (found.incoming, True)):
        groups: dict[str, list[Edge]] = {}
        for edge in edges:
            groups.setdefault(labels.relation_word(edge.kind, reverse=reverse), []).append(edge)
        for word, members in groups.items():
            _group(tree, word, members)
    for order in found.orders:
        tree.add(Text(f"{t('Order')} {plain(order.order_id)} {plain(marketplace_word(order.marketplace))}".rstrip()))
    for event in found.events:
        name = event_word(event.code, event.description, event.access_key)
        told = " · ".join(filter(None, (name, formatting.moment(event.occurred_at))))
        missing = "" if event.registered else f" · {t('not registered')}"
        tree.add(Text(plain(f"{t('Event')}: {told}{missing}")))
    if not tree.children:
        tree.add(Text(t("It refers to no document, and none refers to it.")))
    return tree


def _group(tree: Tree, word: str, members: Sequence[Edge]) -> None:
    heading = f"{word} ({formatting.count(len(members))})" if len(members) > 1 else word
    branch = tree.add(Text(heading, style="bold"))
    for edge in members[:_MOST]:
        label = _label(edge.key, edge.row, archived=edge.archived)
        label.append(f"  {t('says {who}', who=labels.claims_word(edge.claims))}", style="dim")
        branch.add(label)
    if len(members) > _MOST:
        more = formatting.count(len(members) - _MOST)
        branch.add(Text(t("and {count} more; all of them with --json", count=more), style="dim"))


def _chain(steps: Sequence[ChainStep]) -> list[RenderableType]:
    """One tree from each beginning; a step that refers to several stands below the last of them."""
    by_key = {step.access_key: step for step in steps}
    below: dict[str, list[ChainStep]] = {}
    beginnings = []
    for step in steps:
        above = [by_key[key] for key in step.refers_to if key in by_key and _is_before(by_key[key], step)]
        if above:
            nearest = max(above, key=lambda other: (other.stage, other.access_key))
            below.setdefault(nearest.access_key, []).append(step)
        else:
            beginnings.append(step)
    made: list[RenderableType] = [Text(t("Chain"), style="bold")]
    for step in beginnings:
        tree = _tree(_step(step))
        waiting = [(tree, step)]
        while waiting:
            branch, parent = waiting.pop()
            waiting += [(branch.add(_step(child)), child) for child in below.get(parent.access_key, ())]
        made.append(tree)
    return made


def _is_before(other: ChainStep, step: ChainStep) -> bool:
    """Whether `step` can hang below `other`: a carrier stands at the stage of what it carries."""
    if other.stage == step.stage:
        return (other.role == "carrier", other.access_key) < (step.role == "carrier", step.access_key)
    return other.stage < step.stage


def _step(step: ChainStep) -> Text:
    label = _label(step.access_key, step.row, operation=step.operation, bold=step.role == "self")
    if step.role == "self":
        label.append(f"  ◂ {t('this document')}", style="bold")
    if step.evidence is not None:
        label.append(f"  {plain(render(step.evidence))}", style="dim")
    for count, sentence in (
        (
            step.refers_elsewhere,
            t("refers to further documents: {count}", count=formatting.count(step.refers_elsewhere)),
        ),
        (
            step.referred_elsewhere,
            t("further ones refer to it: {count}", count=formatting.count(step.referred_elsewhere)),
        ),
    ):
        if count:
            label.append(f"\n  {sentence}", style="dim")
    return label


def _label(
    key: str,
    row: DocumentRow | None,
    *,
    archived: bool | None = None,
    operation: str | None = None,
    bold: bool = False,
) -> Text:
    """A document in two lines: what it is, and its key whole, to be copied."""
    is_here = row is not None if archived is None else archived
    text = Text(f"{_HERE if is_here else _ABSENT} ", style="" if is_here else "yellow")
    text.append(_name(key, row), style="bold" if bold else "")
    told = [labels.operation_word(operation or (row.operation if row is not None else None))]
    if row is not None:
        told += [formatting.date(row.issued_at), formatting.money(row.total)]
    text.append("".join(f" · {plain(word)}" for word in told if word))
    if row is not None:
        text.append(f" · {labels.state_word(row.state)}", style=_STATES.get(row.state, "red"))
    elif not is_here:
        text.append(f" · {t('not in the archive')}", style="yellow")
    text.append(f"\n  {plain(key)}")
    return text


def _name(key: str, row: DocumentRow | None) -> str:
    if row is not None:
        return f"{labels.type_word(row.type)} {labels.number_word(row.series, row.number)}".strip()
    parts = access_keys.parse(key)
    if parts is None:
        return t("unreadable key")
    kind = labels.model_word(parts.model)
    return f"{kind} {labels.number_word(parts.series, parts.number)}"


def _tree(label: Text) -> Tree:
    return Tree(label, guide_style="dim")
