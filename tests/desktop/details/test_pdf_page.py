"""The PDF page: it shows what `confere pdf` makes, in any size, prints and saves it, and leaves no file behind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPageRanges, QPageSize, QWheelEvent
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents.view import loaded
from confere.desktop.details.pdf import pdf_maker
from confere.desktop.details.pdf.page_pictures import MOST_PIXELS, PdfPages
from confere.desktop.details.pdf.pdf_maker import PdfMaker, PdfRequest
from confere.desktop.details.pdf.pdf_page import PdfPage
from confere.desktop.details.pdf.pdf_printing import PrintRun, ticket_of
from confere.desktop.details.pdf.pdf_view import PageFit, PdfView
from confere.desktop.widgets.notices import GOOD, Notice
from confere.export.pdf.render import render
from confere.system.messages import RenderedError
from tests.desktop.conftest import Made
from tests.desktop.details_made import bring_in, one, with_event
from tests.export.pdf.looked_at import pages, words
from tests.fiscal import made as paper
from tests.system.printing.spooler import Spooler

LONG_MS = 60_000  # a child has to start; what is waited for comes


class Shown:
    """The page in a window of its own."""

    def __init__(self, qtbot: QtBot, made: Made) -> None:
        self.qtbot, self.services = qtbot, made.services
        self.page = PdfPage(made.services)
        qtbot.addWidget(self.page)
        self.page.resize(520, 700)
        self.page.show()

    def show(self, place: int | str, hidden: bool = False) -> None:
        self.page.show_document(loaded.load(self.services.opened, place, hidden))
        self.rest()

    def choose(self, place: int) -> None:
        self.page.choice.setCurrentIndex(place)
        self.rest()

    def rest(self) -> None:
        """Wait until nothing is made or drawn any more."""
        self.qtbot.waitUntil(self._is_still, timeout=LONG_MS)

    def _is_still(self) -> bool:
        if self.page.maker.busy or self.services.reader.busy:
            return False
        self.page.view.viewport().grab()  # asks for pictures of what is in sight
        return self.page.view.rested and not self.services.reader.busy


@pytest.fixture
def shown(qtbot: QtBot, made: Made) -> Shown:
    return Shown(qtbot, made)


@pytest.fixture
def told(made: Made) -> list[Notice]:
    found: list[Notice] = []
    made.services.notices.added.connect(found.append)
    return found


def is_inked(image: QImage) -> bool:
    """Whether something other than white stands on it."""
    step = max(image.width() // 60, 1)
    return any(
        image.pixelColor(x, y).lightness() < 100
        for x in range(0, image.width(), step)
        for y in range(0, image.height(), step)
    )


def test_a_note_is_shown_as_its_danfe_and_no_file_is_left_behind(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"  # of this test alone: others make and remove files meanwhile
    temporary.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(temporary))
    bring_in(shown.services, tmp_path / "in", b"<pedido><numero>1</numero></pedido>")
    row = one(shown.services, types=("nfe",))
    shown.show(row.id, hidden=True)
    assert shown.page.made is not None
    assert shown.page.made.official
    assert row.access_key is not None
    assert row.access_key[:4] in words(shown.page.made.data)
    assert shown.page.place.text() == "Page 1 of 1"
    assert not shown.page.about.isVisible()
    assert is_inked(shown.page.view.viewport().grab().toImage())
    for button in (shown.page.save_button, shown.page.print_button, shown.page.in_button):
        assert button.isEnabled()
    assert shown.page.maker._folder is not None
    assert Path(shown.page.maker._folder.path()).parent == temporary
    assert [path for path in temporary.rglob("*") if path.is_file()] == []
    assert shown.page.persons.isVisible()  # they are hidden elsewhere, and told of here
    shown.show(row.id)
    assert not shown.page.persons.isVisible()
    # of a kind without a PDF that is said, and the one before goes
    shown.show(one(shown.services, types=("other",)).id)
    assert shown.page.made is None
    assert "makes no PDF of this kind" in shown.page.sentence.text()
    assert not shown.page.save_button.isEnabled()
    assert shown.page.view.page == 0


def test_a_plain_rendering_says_that_it_is_one_and_why(shown: Shown, tmp_path: Path) -> None:
    key = paper.access_key(number=77)  # without a transport, on which the library fails
    bring_in(shown.services, tmp_path / "in", paper.nfe_proc(paper.note(key), paper.protocol(key)).encode())
    shown.show(key)
    assert shown.page.made is not None
    assert not shown.page.made.official
    assert shown.page.about.isVisible()
    assert shown.page.about.text().startswith("Plain rendering by Confere, not an official form. The library")
    assert shown.page.about.property("rank") == "warn"


@pytest.mark.exhaustive
def test_each_event_has_its_pdf(shown: Shown) -> None:
    row = with_event(shown.services, "110110")
    shown.show(row.id)
    document = shown.page.made
    place = next(
        number
        for number in range(shown.page.choice.count())
        if shown.page.choice.itemText(number).startswith("Correction letter")
    )
    shown.choose(place)
    assert shown.page.made is not None
    assert shown.page.made.official
    assert "CORREÇÕES A SEREM CONSIDERADAS" in words(shown.page.made.data)
    assert shown.page.made.wanted.file_name == f"{row.access_key}-cce-1.pdf"
    # the same document, read again, stays where it was; what was made before is there at once
    shown.show(row.id)
    assert shown.page.choice.currentIndex() == place
    shown.page.choice.setCurrentIndex(0)
    assert not shown.page.maker.busy  # nothing is made a second time
    shown.rest()
    assert shown.page.made == document


def test_only_the_last_one_asked_for_is_made_and_saved_as_it_is_shown(
    shown: Shown, told: list[Notice], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []
    whole = PdfMaker._begin
    monkeypatch.setattr(PdfMaker, "_begin", lambda self: (begun.append(self._wanted), whole(self))[1])
    shown.page.maker._pause.timeout.disconnect()
    shown.page.maker._pause.timeout.connect(lambda: PdfMaker._begin(shown.page.maker))
    rows = [one(shown.services, types=(kind,)) for kind in ("nfe", "cte")]
    loads = [loaded.load(shown.services.opened, row.id, False) for row in rows]
    for entry in loads:
        shown.page.show_document(entry)
    shown.rest()
    assert len(begun) == 1
    row = rows[1]
    proposed: list[Path] = []

    def answer(_: QWidget, path: Path) -> Path:
        proposed.append(path)
        return tmp_path / path.name

    shown.page.ask_where = answer
    shown.page.save_button.click()
    shown.rest()
    assert [path.name for path in proposed] == [f"{row.access_key}-dacte.pdf"]
    assert shown.page.made is not None
    assert shown.page.made.wanted.sha256 == row.sha256
    assert (tmp_path / proposed[0].name).read_bytes() == shown.page.made.data
    assert [(notice.kind, notice.text) for notice in told] == [(GOOD, f"Saved to {tmp_path / proposed[0].name}.")]
    shown.page.ask_where = lambda _parent, _path: None
    shown.page.save_button.click()
    shown.rest()
    assert len(told) == 1


def test_pages_are_put_on_paper(shown: Shown, told: list[Notice], tmp_path: Path) -> None:
    key = paper.access_key(number=78)
    items = [paper.item(number) for number in range(1, 40)]
    bring_in(
        shown.services, tmp_path / "in", paper.nfe_proc(paper.note(key, items=items), paper.protocol(key)).encode()
    )
    shown.show(key)
    assert shown.page.made is not None
    assert pages(shown.page.made.data) == 3
    for first, last, printed in ((0, 0, 3), (2, 3, 2)):
        file = tmp_path / f"from-{first}.pdf"
        asked: list[tuple[str, int]] = []

        def answer(
            _: QWidget, name: str, count: int, file: Path = file, asked: Any = asked, span: Any = (first, last)
        ) -> QPrinter:
            asked.append((name, count))
            printer = QPrinter()
            printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
            printer.setOutputFileName(str(file))
            printer.setResolution(72)
            printer.setFromTo(*span)
            return printer

        told.clear()
        shown.page.ask_printer = answer
        shown.page.print_button.click()
        shown.qtbot.waitUntil(lambda: bool(told), timeout=LONG_MS)
        assert asked == [(f"{key}-danfe", 3)]
        assert [(notice.kind, notice.text) for notice in told] == [(GOOD, f"Saved to {file}.")]
        assert pages(file.read_bytes()) == printed
        assert key[25:34].lstrip("0") in words(file.read_bytes())  # text, not a picture of it
        with PdfPages(file.read_bytes()) as found:
            assert is_inked(found.picture(0, 1.0))
        assert shown.page.print_button.isEnabled()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no CUPS")
@pytest.mark.parametrize("code", [0, 1])
def test_a_spooler_is_given_the_pdf_itself(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: list[Notice], code: int
) -> None:
    key = paper.access_key(number=78)
    items = [paper.item(number) for number in range(1, 40)]
    bring_in(
        shown.services, tmp_path / "in", paper.nfe_proc(paper.note(key, items=items), paper.protocol(key)).encode()
    )
    shown.show(key)
    made = shown.page.made
    assert made is not None
    spooler = Spooler(tmp_path / "spool", monkeypatch, code)
    pictures: list[object] = []

    def answer(_: QWidget, _name: str, _count: int) -> QPrinter:
        printer = QPrinter()
        printer.setCopyCount(2)
        printer.setPageRanges(QPageRanges.fromString("1,3"))
        printer.setPageSize(QPageSize(QPageSize.PageSizeId.Letter))
        return printer

    def as_pictures(_: object, printer: object) -> None:
        pictures.append(printer)

    told.clear()
    shown.page.ask_printer = answer
    monkeypatch.setattr(shown.page.printing, "paint", as_pictures)
    shown.page.print_button.click()
    shown.qtbot.waitUntil(lambda: bool(told or pictures), timeout=LONG_MS)
    assert spooler.arguments[:-1] == [
        *("-t", f"{key}-danfe", "-n", "2", "-P", "1,3", "-o", "media=Letter", "-o", "sides=one-sided"),
        *("-o", "collate=true", "-o", "fit-to-page=true", "-o", "print-scaling=fit"),
    ]
    assert spooler.printed == made.data, "text stays text"
    assert [notice.text for notice in told] == ([] if code else ["Sent to the printer."])
    assert len(pictures) == code, "what the spooler refuses is printed as pictures"


def test_a_page_of_the_papers_size_is_not_made_to_fit(qtbot: QtBot) -> None:
    printer = QPrinter()
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    assert not ticket_of(printer, "a", [(595.0, 842.0), (842.0, 595.0)]).fits
    assert ticket_of(printer, "a", [(595.0, 842.0), (226.0, 842.0)]).fits
    assert ticket_of(printer, "a", [(595.0, 842.0)]).pages == ()


def test_a_child_that_takes_too_long_is_given_up(qtbot: QtBot, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_maker, "_PATIENCE_MS", 1)
    maker = PdfMaker(made.services.workspace.home, made.owner)
    row = one(made.services, types=("nfe",))
    failed: list[RenderedError] = []
    maker.failed.connect(failed.append)
    maker.ask(PdfRequest(str(row.id), None, row.sha256, row.state, "x.pdf"))
    qtbot.waitUntil(lambda: bool(failed) and not maker.busy, timeout=LONG_MS)
    assert [error.what for error in failed] == ["Making the PDF took too long; it was given up."]


def test_what_the_command_says_is_shown(qtbot: QtBot, made: Made) -> None:
    maker = PdfMaker(made.services.workspace.home, made.owner)
    failed: list[RenderedError] = []
    maker.failed.connect(failed.append)
    maker.ask(PdfRequest("99999999", None, "", "", "x.pdf"))
    qtbot.waitUntil(lambda: bool(failed) and not maker.busy, timeout=LONG_MS)
    assert failed[0].what == "The archive holds no paper called 99999999."


# -- the view alone --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long() -> bytes:
    """A PDF of several pages."""
    key = paper.access_key()
    items = [paper.item(number) for number in range(1, 60)]
    return render(paper.nfe_proc(paper.note(key, items=items), paper.protocol(key)).encode(), 0).pdf


@pytest.fixture
def view(qtbot: QtBot, made: Made, long: bytes) -> Iterator[PdfView]:
    found = PdfView(made.services.look, made.services.reader)
    qtbot.addWidget(found)
    found.resize(500, 600)
    found.show()
    with PdfPages(long) as shown:
        found.show_pages(shown)
        yield found
        qtbot.waitUntil(lambda: not made.services.reader.busy)


def test_pages_fit_the_width_or_the_whole_page(view: PdfView) -> None:
    assert view.fit is PageFit.WIDTH
    assert view.horizontalScrollBar().maximum() == 0
    wide = view.zoom
    view.use(PageFit.PAGE)
    assert view.zoom < wide
    view.resize(900, 600)
    assert view.fit is PageFit.PAGE
    view.use(PageFit.WIDTH)
    assert view.zoom > wide


def test_the_beginning_stays_in_sight_when_the_page_grows_with_its_room(view: PdfView) -> None:
    for width, height in ((320, 200), (900, 200), (1200, 700)):
        view.resize(width, height)
        assert view.verticalScrollBar().value() == 0
    view.turn_to(2)
    view.resize(500, 300)
    assert view.page == 2


def test_keys_and_wheel_change_the_size(qtbot: QtBot, view: PdfView) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    view.use(PageFit.FREE, 1.0)
    sizes = [view.zoom]
    for key in (Qt.Key.Key_Plus, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Minus, Qt.Key.Key_Minus):
        qtbot.keyClick(view, key, control)
        sizes.append(view.zoom)
    assert sizes == [1.0, 1.1, 1.25, 1.1, 1.0, 0.9]
    wheel = QWheelEvent(
        *(QPointF(10, 10), QPointF(10, 10), QPoint(0, 0), QPoint(0, 120)),
        *(Qt.MouseButton.NoButton, control, Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(view.viewport(), wheel)
    assert view.zoom == pytest.approx(0.99)
    qtbot.keyClick(view, Qt.Key.Key_0, control)
    assert view.fit is PageFit.WIDTH
    for _ in range(60):
        view.zoom_in()
    assert view.zoom == 6.0
    for _ in range(60):
        view.zoom_out()
    assert view.zoom == 0.1


def test_the_page_in_sight_is_told_and_turned_to(qtbot: QtBot, view: PdfView) -> None:
    turned: list[int] = []
    view.turned.connect(turned.append)
    view.turn_to(3)
    assert (view.page, turned[-1]) == (3, 3)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.page == 1
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.page == len(view._tops)
    view.turn_to(2)
    before = view.page
    view.use(PageFit.FREE, view.zoom * 2)
    assert view.page == before  # what is in the middle stays there


def test_pictures_are_as_fine_as_the_screen_and_bounded(view: PdfView, long: bytes) -> None:
    with PdfPages(long) as shown:
        width, height = shown.sizes[0]
        fine = shown.picture(0, 2.0)
        assert (fine.width(), fine.height()) == (pytest.approx(width * 2, abs=1), pytest.approx(height * 2, abs=1))
        assert is_inked(fine)
        huge = shown.picture(0, 50.0)
        assert huge.width() * huge.height() <= MOST_PIXELS * 1.01
    assert shown.picture(0, 1.0).isNull()  # closed


def test_only_so_many_pictures_are_kept(
    qtbot: QtBot, view: PdfView, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    from confere.desktop.details.pdf import pdf_view

    monkeypatch.setattr(pdf_view, "_MOST_BYTES", 1)
    for page in (1, 2, 3):
        view.turn_to(page)
        view.viewport().grab()
        qtbot.waitUntil(lambda: not made.services.reader.busy)
    assert len(view._pictures) == 1


def test_what_is_no_pdf_is_refused() -> None:
    with pytest.raises(ValueError, match="PDF"):
        PdfPages(b"no pdf")


def test_a_page_without_anything_can_be_looked_at(qtbot: QtBot, made_empty: Made) -> None:
    page = PdfPage(made_empty.services)
    qtbot.addWidget(page)
    page.show()
    page.save()
    page.print()
    assert page.made is None
    assert not page.maker.busy


@pytest.mark.parametrize("is_killed", [True, False])
def test_who_goes_away_and_comes_back_gets_the_pdf(
    qtbot: QtBot, made: Made, monkeypatch: pytest.MonkeyPatch, is_killed: bool
) -> None:
    taken = pdf_maker._taken
    monkeypatch.setattr(pdf_maker, "_taken", lambda path: b"" if is_killed and path.name == "1.pdf" else taken(path))
    maker, heard, failed = PdfMaker(made.services.workspace.home, made.owner), [], []
    maker.made.connect(heard.append)
    maker.failed.connect(failed.append)
    row = one(made.services, types=("nfe",))
    wanted, passed = (PdfRequest(str(row.id), None, sha256, row.state, "a.pdf") for sha256 in (row.sha256, "passed"))
    maker.ask(wanted)
    qtbot.waitUntil(lambda: bool(maker._children), timeout=LONG_MS)
    maker.ask(passed)
    maker.ask(wanted)  # while the process of the first wish ends
    qtbot.waitUntil(lambda: not maker.busy, timeout=LONG_MS)
    assert failed == []
    assert [entry.wanted for entry in heard] == [wanted]


def test_a_pdf_that_opens_after_its_page_is_gone_is_dropped(qtbot: QtBot, made: Made) -> None:
    """A change of language takes the window down while something is read."""
    page = PdfPage(made.services)
    page._asked = wanted = PdfRequest("1", None, "aa", "authorized", "a.pdf")
    page._arrived(pdf_maker.MadePdf(wanted, b"no PDF", True, ""))
    assert made.services.reader.busy
    page.deleteLater()
    QCoreApplication.sendPostedEvents(page, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: not made.services.reader.busy, timeout=LONG_MS)
    assert made.faults == []


def test_a_printer_takes_one_page_after_the_other(shown: Shown, tmp_path: Path) -> None:
    key = paper.access_key(number=79)
    items = [paper.item(number) for number in range(1, 40)]
    bring_in(
        shown.services, tmp_path / "in", paper.nfe_proc(paper.note(key, items=items), paper.protocol(key)).encode()
    )
    shown.show(key)
    assert shown.page.made is not None
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    printer.setResolution(72)
    printer.setFromTo(2, 3)
    with PdfPages(shown.page.made.data) as found:
        run = PrintRun(found, printer, shown.services.reader, shown.page)
        with shown.qtbot.waitSignal(run.ended, timeout=LONG_MS) as ended:
            run.start()
    assert ended.args == [True]
    assert pages((tmp_path / "printed.pdf").read_bytes()) == 2
