"""Makes commands of plain functions: common options, log, stop, errors and exit codes, once for all of them."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from confere.cli import errors, window
from confere.cli.context import Face
from confere.cli.options import options
from confere.cli.options.global_options import Given
from confere.cli.options.typed_values import words
from confere.cli.output import Mode, Output
from confere.errors import UsageFault, message
from confere.system import logs
from confere.system.messages import set_language, t
from confere.system.processes.cancellation import stop_when_stdin_closes
from confere.system.processes.priority import give_way

PROGRAM = "confere"
Work = Callable[..., int]

_COMMON = {
    "home": options.Home,
    "json": options.Json,
    "lang": options.Lang,
    "verbose": options.Verbose,
}
_OF_JOBS = {"progress_json": options.ProgressJson, "exit_with_stdin": options.ExitWithStdin}
_NOTHING_GIVEN: dict[str, object] = {
    "home": None,
    "json": False,
    "lang": None,
    "verbose": False,
    "progress_json": False,
    "exit_with_stdin": False,
}


class LocalizedCommand(TyperCommand):
    """A command whose usage line speaks the user's language."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        _usage(self, ctx, formatter)


class LocalizedGroup(TyperGroup):
    """A group that speaks the user's language, also of commands that are not there."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        _usage(self, ctx, formatter)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            close = get_close_matches(args[0], self.list_commands(ctx), 1)
            raise UsageFault(
                message("There is no command {name}.", name=f"{ctx.command_path} {args[0]}"),
                message("Did you mean {name}?", name=f"{ctx.command_path} {close[0]}")
                if close
                else message("See {command}.", command=f"{ctx.command_path} --help"),
            )
        return super().resolve_command(ctx, args)


def group(name: str, *, help: str) -> typer.Typer:
    """A group of commands that takes the common options too; alone the program opens its window, a group its help."""
    made = typer.Typer(
        name=name,
        help=help,
        cls=LocalizedGroup,
        add_completion=False,
        add_help_option=False,
        invoke_without_command=True,
        pretty_exceptions_enable=False,
    )

    def remember(ctx: typer.Context, **values: Any) -> None:
        version = values.pop("version", False)
        del values["help"]  # its callback has answered it
        ctx.obj = Given(**values).after(ctx.obj or Given())
        if version:
            _show_version(ctx.obj)
        if ctx.invoked_subcommand is None:
            if name == PROGRAM and window.is_known() and not ctx.obj.json:
                raise typer.Exit(perform(window.open_window, ctx.obj, {}))
            show_help(ctx)

    own = {"version": options.Version} if name == PROGRAM else {}
    _give_signature(remember, [*_parameters({**_COMMON, **own}), _help_option()])
    made.callback(help=help)(remember)
    return made


def add(parent: typer.Typer, name: str, work: Work, *, help: str, job: bool = False, hidden: bool = False) -> None:
    """Make the command `name` of `work(face, **options) -> exit code`; a `job` may be another program's child."""
    hints = get_type_hints(work, include_extras=True)
    own = [
        parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in list(inspect.signature(work).parameters.values())[1:]
    ]
    common = {**_COMMON, **(_OF_JOBS if job else {})}

    def run(ctx: typer.Context, **values: Any) -> None:
        del values["help"]
        given = Given(**{option: values.pop(option) for option in common}).after(ctx.obj or Given())
        raise typer.Exit(perform(work, given, {option: words(value) for option, value in values.items()}))

    _give_signature(run, [*own, *_parameters(common), _help_option()])
    parent.command(name, help=help, cls=LocalizedCommand, add_help_option=False, hidden=hidden)(run)


def perform(work: Work, given: Given, values: dict[str, Any]) -> int:
    """Run `work` and give its exit code, whatever happens in it."""
    face = Face(given)
    try:
        if given.lang is not None:
            set_language(given.lang)
        if given.exit_with_stdin:  # somebody's child: it goes when they go, and gives way to them
            stop_when_stdin_closes(face.stop)
            give_way()
        log = logs.open_log(face.home.logs, _log_variables(given))
    except Exception as error:
        return errors.tell(face, error)
    try:
        code = work(face, **values)
        face.out.finish()
        return code
    except (Exception, KeyboardInterrupt) as error:
        return errors.tell(face, error)
    finally:
        logs.close_log(log)


def show_help(ctx: typer.Context) -> None:
    """Print the help of the command at hand, with its titles in the user's language, and end."""
    _translate_titles()
    text = ctx.get_help()
    if text:  # rich has printed it already
        typer.echo(text)
    raise typer.Exit(0)


def _show_version(given: Given) -> None:
    from confere.system.diagnostics import version

    out = Output(Mode.JSON if given.json else Mode.PEOPLE)
    out.result({"version": version()})
    if out.for_people:
        out.text(f"confere {version()}\n")
    raise typer.Exit(0)


def _usage(command: TyperCommand | TyperGroup, ctx: Any, formatter: Any) -> None:
    formatter.write_usage(ctx.command_path, " ".join(command.collect_usage_pieces(ctx)), prefix=t("Usage: "))


def _help_option() -> inspect.Parameter:
    def on_help(ctx: typer.Context, value: bool) -> bool:
        if value:
            show_help(ctx)
        return value

    kind = Annotated[
        bool,
        typer.Option("--help", "-h", metavar="", is_eager=True, callback=on_help, help=t("Show this help and end.")),
    ]
    return inspect.Parameter("help", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=kind)


def _parameters(kinds: dict[str, Any]) -> list[inspect.Parameter]:
    return [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=_NOTHING_GIVEN.get(name, False), annotation=kind
        )
        for name, kind in kinds.items()
    ]


def _give_signature(function: Callable[..., None], parameters: Sequence[inspect.Parameter]) -> None:
    """Let typer see these parameters in place of `**values`."""
    context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    every = [context, *parameters]
    for parameter in parameters:
        for info in getattr(parameter.annotation, "__metadata__", ()):
            info.show_default = False  # help texts say in words what holds without an option
    function.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in every}


def _log_variables(given: Given) -> dict[str, str]:
    return {**({logs.LEVEL_VARIABLE: "DEBUG"} if given.verbose else {}), **os.environ}


def _translate_titles() -> None:
    """Typer keeps these words as constants of its own module."""
    from typer import rich_utils

    for name, text in (
        ("ARGUMENTS_PANEL_TITLE", t("Arguments")),
        ("OPTIONS_PANEL_TITLE", t("Options")),
        ("COMMANDS_PANEL_TITLE", t("Commands")),
        ("REQUIRED_LONG_STRING", t("[required]")),
    ):
        if hasattr(rich_utils, name):
            setattr(rich_utils, name, text)
