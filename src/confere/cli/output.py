"""Where a command's words go: tables for people, one JSON object or JSON lines for programs; errors to stderr."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from confere.cli import prose
from confere.cli.json.encoder import encoded, json_text
from confere.errors import EnvironmentFault, message
from confere.system.files import system_words
from confere.system.messages import RenderedError, t
from confere.system.plain_text import plain, plain_json
from confere.system.progress import JsonLines
from confere.system.redaction import redact

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.text import Text

# What nobody reads is never cut: a file, a pipe and a search in it want whole lines.
ENDLESS_WIDTH = 4000
_MOST_REASONS = 5
_GONE = {errno.EPIPE, errno.ESHUTDOWN, *({errno.EINVAL} if os.name == "nt" else ())}


class Mode(Enum):
    """Who reads stdout."""

    PEOPLE = "people"
    JSON = "json"  # exactly one object
    LINES = "lines"  # objects of progress, then one of type result or error


def error_shape(error: RenderedError) -> dict[str, Any]:
    """An error as programs get it."""
    words = redact(error.hub_words)
    return {"title": error.title, "what": error.what, "remedy": error.remedy, "hub_words": words}


class Output:
    """The streams of one command."""

    def __init__(self, mode: Mode = Mode.PEOPLE) -> None:
        self.mode = mode
        self._is_open = False  # an object of which a list is being written

    @cached_property
    def lines(self) -> JsonLines:
        """The one writer of `Mode.LINES`."""
        return JsonLines(sys.stdout, encoded)

    @cached_property
    def console(self) -> Console:
        """Rich's view of stdout."""
        return _console(sys.stdout, None if is_terminal(sys.stdout) else ENDLESS_WIDTH)

    @cached_property
    def error_console(self) -> Console:
        """Rich's view of stderr: progress and errors."""
        return _console(sys.stderr, None)

    @property
    def for_people(self) -> bool:
        return self.mode is Mode.PEOPLE

    def result(self, shape: Mapping[str, Any], exit_code: int = 0) -> None:
        """Give programs the result; people get tables from the command itself."""
        if self.mode is Mode.JSON:
            self.text(as_json(shape, is_terminal(sys.stdout)) + "\n")
        elif self.mode is Mode.LINES:
            self.lines.write({"type": "result", "exit_code": exit_code, "result": shape})

    def stream(self, name: str, entries: Iterable[Mapping[str, Any]], rest: Callable[[], Mapping[str, Any]]) -> None:
        """Give programs one object with a list that is larger than the memory; `rest` is asked after it.

        Should anything go wrong midway, the object ends with the error in it.
        """
        self.text(f"{{{json_text(name)}: [")
        self._is_open = True
        between = ""
        for entry in entries:
            self.text(between + json_text(entry))
            between = ", "
        end = json_text(rest())[1:]
        self._is_open = False
        self.text(f"], {end}\n")

    def print(self, *what: RenderableType) -> None:
        """Show tables or sentences to a person, on stdout. A terminal gets sentences in lines that fit it."""
        from rich.text import Text

        try:
            for entry in what:
                if isinstance(entry, str | Text):
                    self.console.print(self._lines(Text(entry) if isinstance(entry, str) else entry), soft_wrap=True)
                else:
                    self.console.print(entry)
        except OSError as error:
            self.failed(error)

    def sentences(self, *lines: str) -> None:
        """Write sentences to stdout, each in lines that fit the terminal."""
        text = "".join(f"{line}\n" for line in lines)
        self.text(prose.wrapped(text, prose.width_of(sys.stdout)) if is_terminal(sys.stdout) else text)

    def _lines(self, text: Text) -> Text:
        """`text` broken at the terminal's width, styles and all; as it is where nobody looks."""
        from rich.text import Text

        if not is_terminal(sys.stdout):
            return text
        width = self.console.width
        made = [
            Text.assemble(before, line[start:end])
            for line in text.split("\n", allow_blank=True)
            for before, start, end in prose.breaks(line.plain, width)
        ]
        return Text("\n", end=text.end).join(made)

    def text(self, text: str) -> None:
        """Write lines to stdout as they are: nothing in them acts on a terminal."""
        try:
            sys.stdout.write(plain(text, lines=True))
            sys.stdout.flush()
        except OSError as error:
            self.failed(error)

    def data(self, data: bytes) -> None:
        """Write bytes to stdout untouched: no encoding, no line ends of a system's own. A terminal gets text."""
        if is_terminal(sys.stdout):
            return self.text(data.decode("utf-8", "replace"))
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except OSError as error:
            self.failed(error)

    def aside(self, text: str) -> None:
        """A sentence beside the result, for people only, on stderr."""
        if self.for_people:
            _to_stderr(text)

    @staticmethod
    def asked(question: str) -> str:
        """A question for stderr, in lines that fit the terminal."""
        return prose.wrapped(question, prose.width_of(sys.stderr)) if is_terminal(sys.stderr) else question

    def ends_with_1(self, *reasons: str) -> None:
        """Say to people, as the last line, why the exit code is 1; nothing where there is no reason."""
        told = [plain(reason.rstrip(".")) for reason in reasons[:_MOST_REASONS]]
        if len(reasons) > _MOST_REASONS:
            told.append("…")
        if told:
            self.aside(t("The exit code is 1 because of: {reasons}", reasons="; ".join(told)))

    def error(self, error: RenderedError, exit_code: int) -> None:
        """Tell an error: on stdout to a program, on stderr to a person."""
        shape = error_shape(error)
        words = shape["hub_words"]
        if self.mode is Mode.JSON and self._is_open:
            self._is_open = False
            self.text(f"], {as_json({'error': shape})[1:]}\n")
        elif self.mode is Mode.JSON:
            self.text(as_json({"error": shape}, is_terminal(sys.stdout)) + "\n")
        elif self.mode is Mode.LINES:
            self.lines.write({"type": "error", "exit_code": exit_code, "error": shape})
        else:
            _to_stderr(f"confere: {error.title}: {error.what}")
            if error.remedy:
                _to_stderr(error.remedy)
            if words:
                _to_stderr(t("The hub's own words: {words}", words=words))

    def trace(self, text: str) -> None:
        """Details for who asked for them, on stderr."""
        _to_stderr(redact(text), folds=False)

    def finish(self) -> None:
        """Write out what is still held back. Raises `EnvironmentFault` where stdout does not take it."""
        try:
            sys.stdout.flush()
        except OSError as error:
            self.failed(error)

    def failed(self, error: OSError) -> None:
        """A reader that went away (`| head`) is no error; a full disk is one, told where it can be."""
        _to_nowhere(sys.stdout)
        self.mode = Mode.PEOPLE
        if error.errno not in _GONE:
            raise EnvironmentFault(
                message("The result cannot be written: {why}.", why=system_words.why(error)),
                message("Look at where the output goes, then run it again; what it had done by then is kept."),
            ) from error


def prepare_streams() -> None:
    """Make stdout and stderr take every character: UTF-8, unless the user named an encoding.

    Windows gives a pipe the code page of the system, in which half of the names here cannot be written.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # a windowed build has none
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif hasattr(stream, "reconfigure"):
            if stream.encoding.lower().replace("-", "") == "utf8" or os.environ.get("PYTHONIOENCODING"):
                stream.reconfigure(errors="replace" if name == "stdout" else "backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8", errors="replace")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at `stream`."""
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # closed
        return False


def as_json(shape: Mapping[str, Any], readable: bool = False) -> str:
    """One object as text: indented for eyes, else one line in ASCII, which no code page can spoil."""
    if readable:
        return plain_json(json_text(shape, readable=True))
    return json_text(shape)


def _console(stream: TextIO, width: int | None) -> Console:
    from rich.console import Console
    from rich.segment import Segment

    class Plain(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            """Nothing of what is printed acts, wherever it comes from: rich lets some control characters through."""
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(plain(segment.text, lines=True), segment.style)

        def on_broken_pipe(self) -> None:
            """Leave it to `Output`; rich would end the process."""
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    return Plain(file=stream, width=width, markup=False, highlight=False, emoji=False)


def _to_stderr(text: str, *, folds: bool = True) -> None:
    with suppress(OSError, ValueError):
        clean = plain(text, lines=True)
        if folds and is_terminal(sys.stderr):
            clean = prose.wrapped(clean, prose.width_of(sys.stderr))
        sys.stderr.write(clean + "\n")
        sys.stderr.flush()


def _to_nowhere(stream: TextIO) -> None:
    """Let what is still to come, and what Python flushes at its end, vanish without a word."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
