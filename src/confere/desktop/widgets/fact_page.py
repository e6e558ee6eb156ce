"""A page of selectable text made of facts under titles, drawn in the colours of the look."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QFrame, QWidget

from confere.app.documents.view import facts
from confere.app.documents.view.facts import MARKS, Fact, FactLine, Section
from confere.desktop.theme.palettes import Colours
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import RichTextPage, as_page

_MARK_COLOURS = {
    "ok": "good",
    "failed": "bad",
    "unchecked": "warn",
    "test": "info",
    "warn": "warn",
    "not_applicable": "muted",
}


class FactPage(RichTextPage):
    """Shows sections; a link leads to a document, by its row or its key."""

    document_wanted = Signal(object)

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._sections: tuple[Section, ...] = ()
        self._place: object = None
        self._open: set[str] = set()  # folds; what one person opens stays so from page to page
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        as_page(self)
        self.setOpenLinks(False)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(12)
        self.anchorClicked.connect(self._follow)
        look.changed.connect(self._draw)

    def show_sections(self, sections: tuple[Section, ...], place: object) -> None:
        """Show these from the beginning; those of the same `place` again where it was."""
        self._sections = sections
        self._draw()
        if place != self._place:
            self._place = place
            self.verticalScrollBar().setValue(0)

    def as_text(self) -> str:
        """What is shown, for the clipboard."""
        return facts.as_text(tuple(entry for entry in self._sections if not entry.fold or entry.fold in self._open))

    def toggle(self, fold: str) -> None:
        """Open a folded section, or close it."""
        self._open ^= {fold}
        self._draw()

    def _draw(self) -> None:
        place = self.verticalScrollBar().value()
        self.setHtml(html_of(self._sections, self._look.colours, self._open))
        self.verticalScrollBar().setValue(place)

    def _follow(self, url: QUrl) -> None:
        match url.scheme():
            case "document" if url.path().isdecimal():
                self.document_wanted.emit(int(url.path()))
            case "key":
                self.document_wanted.emit(url.path())
            case "fold":
                self.toggle(url.path())


def html_of(found: tuple[Section, ...], colours: Colours, opened: Collection[str] = ()) -> str:
    """The page. Everything from outside is escaped."""
    parts = ['<table width="100%" cellspacing="0" cellpadding="3">']
    for number, section in enumerate(found):
        parts.append(_title(section, colours, 2 if number == 0 else 16, section.fold in opened))
        if not section.fold or section.fold in opened:
            parts += [_fact(fact, colours) for fact in section.facts]
    parts.append("</table>")
    return "".join(parts)


def _title(section: Section, colours: Colours, space: int, is_open: bool) -> str:
    title = escape(section.title)
    if not title:
        return ""
    if section.fold:
        arrow = "▾" if is_open else "▸"
        count = sum(1 for fact in section.facts if fact.label)
        title = (
            f'<a href="fold:{section.fold}" style="color:{colours.accent};text-decoration:none">{arrow} {title}</a>'
            f' <span style="color:{colours.muted};font-weight:400">({count})</span>'
        )
    return (
        f'<tr><td colspan="3" style="padding-top:{space}px;border-bottom:1px solid {colours.line};'
        f'font-weight:600">{title}</td></tr>'
    )


def _fact(fact: Fact, colours: Colours) -> str:
    said = "<br>".join(_line(line, colours) for line in fact.lines)
    label = escape(fact.label)
    if fact.mark:
        ink = getattr(colours, _MARK_COLOURS[fact.mark])
        sign = f'<td width="20" style="color:{ink};font-weight:600">{MARKS[fact.mark]}</td>'
        inner = f'<table cellspacing="0" cellpadding="0"><tr>{sign}<td>{said}</td></tr></table>'
        return f'<tr><td colspan="3">{inner}</td></tr>'
    if not label:
        space = ' style="padding-top:8px"' if fact.lines[0].rank == facts.HEAD else ""
        return f'<tr><td colspan="3"{space}>{said}</td></tr>'
    if fact.figure:
        return (
            f'<tr><td colspan="2" style="color:{colours.muted}">{label}</td>'
            f'<td align="right" style="white-space:pre">{said}</td></tr>'
        )
    return f'<tr><td width="32%" style="color:{colours.muted}">{label}</td><td colspan="2">{said}</td></tr>'


def _line(line: FactLine, colours: Colours) -> str:
    text = escape(line.text)
    if line.link is not None:
        scheme = "document" if isinstance(line.link, int) else "key"
        return f'<a href="{scheme}:{escape(str(line.link))}" style="color:{colours.accent}">{text}</a>'
    if line.rank == facts.STRONG:
        return f"<b>{text}</b>"
    if line.rank == facts.HEAD:
        return f'<span style="font-weight:600;color:{colours.muted}">{text}</span>'
    if line.rank in (facts.MUTED, facts.GOOD, facts.WARN, facts.BAD):
        return f'<span style="color:{getattr(colours, line.rank)}">{text}</span>'
    return text
