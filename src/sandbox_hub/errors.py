"""The one error that the sandbox raises to whoever starts it: a sentence fit to show."""

from __future__ import annotations


class SandboxError(Exception):
    """The sandbox cannot be started like this; its text says why."""


class ClockOutOfRange(SandboxError):
    """A well-written time that the sandbox's clock cannot show."""
