"""The help's topics: Markdown files by language, with the lists in them made from what the program really knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.app.documents.search import search_language
from confere.desktop.core.actions import Action, Actions, key_text
from confere.errors import Bug
from confere.system.language_choice import DEFAULT
from confere.system.messages import language, t
from confere.system.plain_text import folded
from confere.system.resources import resource

SUFFIX: Final = ".md"
_SHORTEST_STEM: Final = 5
_LONGEST_ENDING: Final = 3

# What F1 opens on each page, in the search box, and on each page of the details.
TOPIC_OF: Final[Mapping[Action, str]] = {
    Action.OVERVIEW: "visao-geral",
    Action.DOCUMENTS: "procurar",
    Action.ORDERS: "pedidos",
    Action.CATALOG: "catalogo",
    Action.RECONCILE: "conciliacao",
    Action.CLOSING: "fechamento",
    Action.ACTIVITY: "problemas",
    Action.SETTINGS: "conta",
    Action.SEARCH: "procurar",
    Action.SUMMARY: "nota",
    Action.ITEMS: "nota",
    Action.HISTORY: "situacoes",
    Action.RELATIONS: "relacoes",
    Action.XML: "nota",
    Action.PDF: "pdf",
}


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of the help: its name, the heading it begins with, and its Markdown."""

    name: str
    title: str
    markdown: str

    def holds(self, words: Iterable[str]) -> bool:
        """Whether each of `words`, which are folded, stands in it; case and accents do not matter."""
        text = folded(self.markdown)
        return all(word in text for word in words)


@dataclass(frozen=True, slots=True)
class Help:
    """All topics in their order. `foreign` says that they are not in the language in use."""

    topics: tuple[Topic, ...]
    foreign: bool

    def named(self, name: str) -> Topic:
        """The topic of that name, else the first one."""
        return next((topic for topic in self.topics if topic.name == name), self.topics[0])

    def matching(self, words: str) -> tuple[Topic, ...]:
        """The topics that hold these words, those first whose title does.

        Where none does, a long word stands for all that begin as it does: `etiquetar` finds `etiqueta`.
        """
        wanted = folded(words).split()
        found = [topic for topic in self.topics if topic.holds(wanted)]
        if not found:
            wanted = [_stem(word) for word in wanted]
            found = [topic for topic in self.topics if topic.holds(wanted)]
        return tuple(sorted(found, key=lambda topic: not all(word in folded(topic.title) for word in wanted)))


def _stem(word: str) -> str:
    """A word without the ending that it has in one of its forms: of three letters where five or more are left."""
    return word[: max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING)]


def read(actions: Actions) -> Help:
    """The help in the language in use, else in Portuguese. Files are in the order of their names: `10-comecar.md`."""
    code = language()
    folder = _folder(code) or _folder(DEFAULT)
    if folder is None:
        return Help((), False)
    lists: Mapping[str, Callable[[], str]] = {
        "{{atalhos}}": lambda: _shortcuts(actions),
        "{{campos}}": _fields,
    }
    topics = []
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        markdown = file.read_text(encoding="utf-8")
        for mark, make in lists.items():
            if mark in markdown:
                markdown = markdown.replace(mark, make())
        topics.append(Topic(file.stem.partition("-")[2], markdown.partition("\n")[0].lstrip("# ").strip(), markdown))
    return Help(tuple(topics), folder.name != code)


def _folder(code: str) -> Path | None:
    try:
        return resource("help", code)
    except Bug:  # no help in that language
        return None


def _shortcuts(actions: Actions) -> str:
    """A table of every command that has keys."""
    lines = [f"| {t('Keys')} | {t('What they do')} |", "| --- | --- |"]
    for act in Action:
        keys = [key_text(key) for key in actions[act].shortcuts()]
        keys = keys[:1] + [key for key in keys[1:] if "+" in key]  # not the keys that only some keyboards have
        if keys:
            shown = "  ·  ".join(keys)
            lines.append(f"| **{_cell(shown)}** | {_cell(actions[act].text().rstrip('…'))} |")
    return "\n".join(lines)


def _fields() -> str:
    """A table of what the search box understands before a colon."""
    lines = [f"| {t('Example')} | {t('What it finds')} |", "| --- | --- |"]
    for field in search_language.fields():
        said = field.explanation
        if field.values:
            said += f" ({', '.join(field.values)})" if len(field.values) <= 12 else ""
        lines.append(f"| **{_cell(field.example)}** | {_cell(said)} |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Signs that Markdown would take for its own."""
    for sign in "\\|*_<>`":
        text = text.replace(sign, f"\\{sign}")
    return text
