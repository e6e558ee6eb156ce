"""Makes commands of plain functions: common options, log, stop, errors and exit codes, once for all of them."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_command_from_info

from confere.cli import errors, help_text, window
from confere.cli.context import Face
from confere.cli.options import options, value_names
from confere.cli.options.global_options import Given
from confere.cli.options.typed_values import words
from confere.cli.output import Mode, Output
from confere.errors import Message, UsageFault, message
from confere.system import logs
from confere.system.messages import render, set_language, t
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


class CommandSpec(NamedTuple):
    """A command: the module in `confere.cli.commands` and its function that does the work, and what it is for.

    A `job` may be another program's child. `details` follow the first sentence of the command's own help.
    """

    module: str
    function: str
    help: str
    job: bool = False
    details: str = ""


class GroupSpec(NamedTuple):
    """A group of commands: what it is for, and what is in it by name, in the order in which people need it."""

    help: str
    commands: Mapping[str, CommandSpec | GroupSpec]


class LocalizedCommand(TyperCommand):
    """A command whose usage line speaks the user's language."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        formatter.write_usage(*_usage(self, ctx), prefix=t("Usage: "))


class LocalizedGroup(TyperGroup):
    """A group that makes each command when it is called, and speaks the user's language, also of what is not there."""

    specs: Mapping[str, CommandSpec | GroupSpec] = MappingProxyType({})

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        formatter.write_usage(*_usage(self, ctx), prefix=t("Usage: "))

    def list_commands(self, _ctx: Any) -> list[str]:
        return list(self.specs)

    def get_command(self, _ctx: Any, name: str) -> Any:
        spec = self.specs.get(name)
        if spec is not None and name not in self.commands:
            made = made_group(name, spec) if isinstance(spec, GroupSpec) else _made_command(name, spec)
            self.commands[name] = made
        return self.commands.get(name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and args[0] not in self.specs:
            close = get_close_matches(args[0], self.specs, 1)
            raise UsageFault(
                message("There is no command {name}.", name=f"{ctx.command_path} {args[0]}"),
                message("Did you mean {name}?", name=f"{ctx.command_path} {close[0]}")
                if close
                else message("See {command}.", command=f"{ctx.command_path} --help"),
            )
        return super().resolve_command(ctx, args)


def made_group(name: str, spec: GroupSpec) -> LocalizedGroup:
    """The group `name`, which takes the common options too; alone the program opens its window, a group its help."""
    app = typer.Typer(
        name=name,
        help=render(Message(spec.help)),
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
    app.callback(help=render(Message(spec.help)))(remember)
    made = get_command(app)
    assert isinstance(made, LocalizedGroup)
    made.specs = spec.commands
    return made


def _made_command(name: str, spec: CommandSpec) -> Any:
    """The command `name` of the function `work(face, **options) -> exit code`."""
    work: Work = getattr(import_module(f"confere.cli.commands.{spec.module}"), spec.function)
    hints = get_type_hints(work, include_extras=True)
    own = [
        parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in list(inspect.signature(work).parameters.values())[1:]
    ]
    common = {**_COMMON, **(_OF_JOBS if spec.job else {})}

    def run(ctx: typer.Context, **values: Any) -> None:
        del values["help"]
        given = Given(**{option: values.pop(option) for option in common}).after(ctx.obj or Given())
        raise typer.Exit(perform(work, given, {option: words(value) for option, value in values.items()}))

    _give_signature(run, [*own, *_parameters(common), _help_option()])
    app = typer.Typer(add_completion=False)
    what = (
        f"{render(Message(spec.help))}\n\n{render(Message(spec.details))}"
        if spec.details
        else render(Message(spec.help))
    )
    app.command(name, help=what, cls=LocalizedCommand, add_help_option=False)(run)
    (made,) = app.registered_commands
    return get_command_from_info(made, pretty_exceptions_short=True, rich_markup_mode=None)


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
    """Print the help of the command at hand, and end."""
    command: Any = ctx.command
    arguments, its_options = help_text.parameter_lines(command.get_params(ctx))
    specs = command.specs if isinstance(command, LocalizedGroup) else {}
    commands = [help_text.HelpLine(name, "", render(Message(spec.help))) for name, spec in specs.items()]
    help_text.print_help(" ".join(_usage(command, ctx)), command.help or "", arguments, its_options, commands)
    raise typer.Exit(0)


def _show_version(given: Given) -> None:
    from confere.system.diagnostics import version

    out = Output(Mode.JSON if given.json else Mode.PEOPLE)
    out.result({"version": version()})
    if out.for_people:
        out.text(f"confere {version()}\n")
    raise typer.Exit(0)


def _usage(command: TyperCommand | TyperGroup, ctx: Any) -> tuple[str, str]:
    """The command as it is called, and what may follow it."""
    pieces = {"[OPTIONS]": t("[OPTIONS]"), "COMMAND [ARGS]...": t("COMMAND [ARGS]...")}
    return ctx.command_path, " ".join(
        pieces.get(piece) or value_names.shown(piece) for piece in command.collect_usage_pieces(ctx)
    )


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
