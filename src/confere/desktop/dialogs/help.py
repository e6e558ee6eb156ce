"""The help: topics on the left, the chosen one on the right, beside the window and not over it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QCloseEvent,
    QColor,
    QFont,
    QKeySequence,
    QShortcut,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from confere.desktop.core.actions import Actions
from confere.desktop.dialogs import help_pages
from confere.desktop.dialogs.help_pages import Topic
from confere.desktop.services import Services
from confere.desktop.theme.measures import ROW, WIDE_GAP
from confere.desktop.theme.palettes import Colours
from confere.desktop.widgets.dialog_buttons import resize_on_screen
from confere.desktop.widgets.plain_text import Label, RichTextPage
from confere.system.messages import t

_NAME = Qt.ItemDataRole.UserRole
_MEMORY = "help"
_TWO_COLUMNS = (38, 62)  # percent
_SCHEME = "tema"  # of links from one topic to another: tema:procurar


class HelpWindow(QWidget):
    """A window of its own that stays open while one works."""

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._services = services
        self._help = help_pages.read(actions)
        self._shown: Topic | None = None
        self.setWindowTitle(t("Help of Confere"))
        self.setWindowIcon(services.look.icon("help"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(t("Search the help"))
        self.search.setAccessibleName(t("Search the help"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.topics = QListWidget()
        self.topics.setAccessibleName(t("Topics"))
        self.topics.currentItemChanged.connect(self._chosen)
        self.nothing = Label(t("No topic has these words."))
        self.nothing.setProperty("rank", "muted")
        self.nothing.setWordWrap(True)
        self.nothing.hide()
        self.foreign = Label(t("The help is in Portuguese only, for now."))
        self.foreign.setProperty("rank", "muted")
        self.foreign.setWordWrap(True)
        self.browser = RichTextPage()
        self.browser.setAccessibleName(t("Text of the topic"))
        self.browser.setOpenLinks(False)
        self.browser.anchorClicked.connect(self._follow)
        self.browser.document().setDocumentMargin(24)
        self._lay_out()
        self.foreign.setVisible(self._help.foreign)  # in the layout: what is shown outside one is a window of its own
        self._filter("")
        services.look.changed.connect(self._again)
        for keys in (QKeySequence(Qt.Key.Key_Escape), *QKeySequence.keyBindings(QKeySequence.StandardKey.Close)):
            QShortcut(keys, self, self.close)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(partial(self.search.setFocus, Qt.FocusReason.ShortcutFocusReason))
        if not services.memory.restore_window(_MEMORY, self):
            resize_on_screen(self, 920, 680)

    @property
    def topic(self) -> str:
        """The name of the topic that is shown."""
        return self._shown.name if self._shown else ""

    def open_at(self, name: str) -> None:
        """Show the window with this topic; one that does not exist is the first one."""
        self.search.clear()
        self._select(self._help.named(name).name)
        self.show()
        self.raise_()
        self.activateWindow()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._services.memory.keep_window(_MEMORY, self)
        super().closeEvent(event)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        column.setSpacing(10)
        for widget in (self.search, self.nothing, self.topics, self.foreign):
            column.addWidget(widget, 1 if widget is self.topics else 0)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        right = QWidget()
        around = QVBoxLayout(right)
        around.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        around.addWidget(self.browser)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([350, 570])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _filter(self, words: str) -> None:
        """List the topics that hold the words; the one shown stays where it is one of them."""
        shown = self.topic
        found = self._help.matching(words)
        self.topics.blockSignals(True)
        self.topics.clear()
        for topic in found:
            item = QListWidgetItem(topic.title)
            item.setData(_NAME, topic.name)
            item.setSizeHint(QSize(0, max(ROW, self.fontMetrics().height() + 12)))
            self.topics.addItem(item)
        self.topics.blockSignals(False)
        self.nothing.setVisible(not found)
        if found:
            self._select(shown if any(topic.name == shown for topic in found) else found[0].name)
            self._mark(words)

    def _select(self, name: str) -> None:
        for row in range(self.topics.count()):
            if self.topics.item(row).data(_NAME) == name:
                self.topics.setCurrentRow(row)
        if self.topic != name:
            self._show(self._help.named(name))

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._show(self._help.named(item.data(_NAME)))
            self._mark(self.search.text())

    def _follow(self, link: QUrl) -> None:
        if link.scheme() == _SCHEME:
            self.open_at(link.path())

    def _again(self) -> None:
        if self._shown is not None:
            self._show(self._shown)

    def _show(self, topic: Topic) -> None:
        self._shown = topic
        document = self.browser.document()
        self.browser.setMarkdown(topic.markdown)
        dress(document, self._services.look.colours)
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)
        self.browser.verticalScrollBar().setValue(0)

    def _mark(self, words: str) -> None:
        """Go to the first place of the first word, where it is not in the title anyway."""
        first = next(iter(words.split()), "")
        if first:
            self.browser.moveCursor(QTextCursor.MoveOperation.Start)
            self.browser.find(first)


def dress(document: QTextDocument, colours: Colours) -> None:
    """Give a text read from Markdown its air and colours; Qt's own have neither."""
    block = document.begin()
    while block.isValid():
        cursor = QTextCursor(block)
        form = QTextBlockFormat(block.blockFormat())
        level = form.headingLevel()
        form.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if level:
            form.setTopMargin(0 if level == 1 else 18)
            form.setBottomMargin(8 if level == 1 else 4)
        elif cursor.currentTable() is None:
            form.setTopMargin(2 if block.textList() else 4)
            form.setBottomMargin(2 if block.textList() else 6)
        cursor.setBlockFormat(form)
        if level:
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            size = QTextCharFormat()
            size.setFontWeight(QFont.Weight.DemiBold)
            cursor.mergeCharFormat(size)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame, colours)


def _dress_table(table: QTextTable, colours: Colours) -> None:
    form = table.format()
    form.setBorder(1)
    form.setBorderBrush(QBrush(QColor(colours.line)))
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorderCollapse(True)
    form.setCellPadding(6)
    form.setCellSpacing(0)
    form.setTopMargin(6)
    form.setBottomMargin(6)
    form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    if table.columns() == 2:
        form.setColumnWidthConstraints(
            [QTextLength(QTextLength.Type.PercentageLength, share) for share in _TWO_COLUMNS]
        )
    table.setFormat(form)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        head = cell.format()
        head.setBackground(QBrush(QColor(colours.raised)))
        cell.setFormat(head)
