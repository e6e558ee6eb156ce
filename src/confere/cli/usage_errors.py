"""Says in the user's language what typer found wrong with a line."""

from __future__ import annotations

from typing import Any

import typer

from confere.cli.options import value_names
from confere.errors import Message, UsageFault, message

# The base of every complaint about a line, wherever this typer keeps it.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def explain(error: Any) -> UsageFault:
    """The complaint as an error of our own. What was typed is not repeated where it might be a token."""
    what = _what(error)
    command = error.ctx.command_path if getattr(error, "ctx", None) is not None else "confere"
    possible = sorted(getattr(error, "possibilities", None) or ())
    if possible:
        return UsageFault(what, message("Did you mean {name}?", name=", ".join(possible)))
    return UsageFault(what, message("See {command}.", command=f"{command} --help"))


def _what(error: Any) -> Message:
    kind = type(error).__name__
    if kind == "NoSuchOption":
        return message("There is no option {option}.", option=str(error.option_name).partition("=")[0])
    if kind == "MissingParameter":
        return message("{name} is missing.", name=_name(error))
    if kind == "BadOptionUsage":
        if "requires" in error.message:
            return message("{option} needs a value after it.", option=error.option_name)
        return message("{option} takes no value.", option=error.option_name)
    if kind == "BadParameter":
        return _bad_value(error)
    if "extra argument" in error.format_message():
        return message("More was given than this command takes.")
    return message("This line cannot be understood: {why}", why=error.format_message())


def _bad_value(error: Any) -> Message:
    kind = _kind(error.param)
    if "int" in kind:
        return message("{option} takes a whole number within its limits.", option=_name(error))
    if "float" in kind:
        return message("{option} takes a number.", option=_name(error))
    return message("{option} does not take this value: {why}", option=_name(error), why=error.message)


def _kind(param: Any) -> str:
    """The type that a parameter takes: newer typers describe it, older ones name click's."""
    described = getattr(getattr(param, "type_descriptor", None), "annotation", None)
    return str(described) if described is not None else str(getattr(getattr(param, "type", None), "name", ""))


def _name(error: Any) -> str:
    param = error.param
    if param is None:
        return "?"
    options = [str(name) for name in getattr(param, "opts", ()) if str(name).startswith("-")]
    return options[-1] if options else value_names.shown(str(param.metavar or str(param.name).upper()).strip("[]"))
