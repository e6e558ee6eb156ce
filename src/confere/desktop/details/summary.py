"""The summary of a document: one page of selectable text, drawn in the colours of the look."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from confere.desktop.details import sections
from confere.desktop.details.loaded import Loaded
from confere.desktop.details.sections import Fact, Line, Section
from confere.desktop.details.trail import Place
from confere.desktop.look.colours import Colours
from confere.desktop.look.theme import Look
from confere.system.messages import t


class Summary(QTextBrowser):
    """Shows `sections.of`; a link leads to another document."""

    document_wanted = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._sections: tuple[Section, ...] = ()
        self._place: Place | None = None
        self.setAccessibleName(t("Summary"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        # A page, not a field: the frame of fields is for what can be written into.
        self.setStyleSheet(
            "QTextBrowser { border: 1px solid transparent; border-radius: 0; padding: 0; }"
            " QTextBrowser:focus { border-color: palette(link); }"
        )
        self.setOpenLinks(False)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(12)
        self.anchorClicked.connect(self._follow)
        look.changed.connect(self._draw)

    def show_document(self, loaded: Loaded) -> None:
        """Show this one from its beginning; the same one again where it was."""
        self._sections = sections.of(loaded)
        self._draw()
        if loaded.place != self._place:
            self._place = loaded.place
            self.verticalScrollBar().setValue(0)

    def as_text(self) -> str:
        """What is shown, for the clipboard."""
        return sections.as_text(self._sections)

    def _draw(self) -> None:
        place = self.verticalScrollBar().value()
        self.setHtml(html_of(self._sections, self._look.colours))
        self.verticalScrollBar().setValue(place)

    def _follow(self, url: QUrl) -> None:
        if url.scheme() == "document" and url.path().isdecimal():
            self.document_wanted.emit(int(url.path()))


def html_of(found: tuple[Section, ...], colours: Colours) -> str:
    """The page. Everything from outside is escaped."""
    parts = ['<table width="100%" cellspacing="0" cellpadding="3">']
    for number, section in enumerate(found):
        space = 2 if number == 0 else 16
        parts.append(
            f'<tr><td colspan="2" style="padding-top:{space}px;border-bottom:1px solid {colours.line};'
            f'font-weight:600">{escape(section.title)}</td></tr>'
        )
        parts += [_fact(fact, colours) for fact in section.facts]
    parts.append("</table>")
    return "".join(parts)


def _fact(fact: Fact, colours: Colours) -> str:
    said = "<br>".join(_line(line, colours) for line in fact.lines)
    if not fact.label:
        return f'<tr><td colspan="2">{said}</td></tr>'
    return f'<tr><td width="32%" style="color:{colours.muted}">{escape(fact.label)}</td><td>{said}</td></tr>'


def _line(line: Line, colours: Colours) -> str:
    text = escape(line.text)
    if line.link is not None:
        return f'<a href="document:{line.link}" style="color:{colours.accent}">{text}</a>'
    if line.rank == sections.STRONG:
        return f"<b>{text}</b>"
    if line.rank in (sections.MUTED, sections.WARN, sections.BAD):
        return f'<span style="color:{getattr(colours, line.rank)}">{text}</span>'
    return text
