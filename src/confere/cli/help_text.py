"""Prints the help of a command or a group: how it is called, what it does, its arguments, options and commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from confere.cli.options import value_names
from confere.system.messages import t

if TYPE_CHECKING:
    from rich.console import RenderableType

_LEAST = 20  # columns of a terminal
_MOST = 100
_LEFT_GAP = 2


class HelpLine(NamedTuple):
    """One argument, option or command: what it is called, what stands for its value, what it is for."""

    name: str
    value: str
    text: str


def print_help(
    usage: str, what: str, arguments: list[HelpLine], options: list[HelpLine], commands: list[HelpLine]
) -> None:
    """Print it to the standard output, as wide as the terminal."""
    from rich.console import Console, Group
    from rich.padding import Padding
    from rich.text import Text

    parts: list[RenderableType] = [Padding(Text(f"{t('Usage: ')}{usage}"), (1, 1)), Padding(Text(what), (0, 1, 1, 1))]
    parts += _panels(((t("Arguments"), arguments), (t("Options"), options), (t("Commands"), commands)))
    console = Console(highlight=False)
    console.width = max(_LEAST, min(console.width, _MOST))
    console.print(Group(*parts))


def parameter_lines(parameters: Iterable[Any]) -> tuple[list[HelpLine], list[HelpLine]]:
    """The arguments and the options among a command's parameters; hidden ones are left out."""
    arguments: list[HelpLine] = []
    options: list[HelpLine] = []
    for parameter in parameters:
        if getattr(parameter, "hidden", False):
            continue
        text = parameter.help or ""
        if parameter.required:
            text = f"{text} {t('[required]')}".strip()
        if parameter.param_type_name == "argument":
            arguments.append(HelpLine(value_names.shown(parameter.metavar or str(parameter.name).upper()), "", text))
        else:
            options.append(
                HelpLine(", ".join(sorted(parameter.opts, key=len)), value_names.shown(parameter.metavar or ""), text)
            )
    return arguments, options


def _panels(sections: Iterable[tuple[str, list[HelpLine]]]) -> Iterator[RenderableType]:
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    for title, lines in sections:
        if not lines:
            continue
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, _LEFT_GAP, 0, 0), expand=True)
        has_values = any(line.value for line in lines)
        table.add_column(overflow="fold", style="bold cyan")
        if has_values:
            table.add_column(overflow="fold", style="yellow")
        table.add_column(ratio=1, overflow="fold")
        for line in lines:
            cells = (line.name, line.value, line.text) if has_values else (line.name, line.text)
            table.add_row(*map(Text, cells))
        yield Panel(table, title=title, title_align="left", border_style="dim")
