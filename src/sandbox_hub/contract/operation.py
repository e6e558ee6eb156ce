"""One operation of the contract: its path, what it takes and what it answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, NamedTuple

from sandbox_hub.contract.schema_parts import Schema
from sandbox_hub.contract.words import Words


class Api(Enum):
    """Which of the three documents an operation stands in; the value is the document's id."""

    BACKOFFICE = "backoffice"
    MARKETPLACE = "marketplace"
    REMOTE = "remote"


class Special(Enum):
    """A kind of parameter whose form follows the deployment's shapes."""

    FIRST_MOMENT = auto()
    LAST_MOMENT = auto()


class Parameter(NamedTuple):
    """One query or path parameter; a `special` one has its schema from the deployment.

    `own_choice`: the specification shows the operation, and not this of it (its name, or the form of its values).
    """

    name: str
    words: Words
    schema: Schema | Special
    required: bool = False
    own_choice: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """`path` is relative to the API's address and names its parameters in braces.

    `paged`: a list that is asked for by page. `body` is the JSON that is sent (`body_required` False: it may be
    left out), `examples` named bodies that are right. `answer` is the JSON of `status` (None: `media_type` alone
    says what comes, or nothing does where that is empty too). `own_choice`: the specification does not show this
    operation, or not how it is called. `refusals`: the error statuses beside 401 and 429, which all have.
    """

    id: str
    method: str
    path: str
    tag: str
    summary: Words
    description: Words | None = None
    path_parameters: tuple[Parameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    paged: bool = False
    body: Schema | None = None
    body_required: bool = True
    examples: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    answer: Schema | None = None
    media_type: str = "application/json"
    refusals: tuple[int, ...] = (400,)
    own_choice: bool = False

    @property
    def path_names(self) -> list[str]:
        """The names of the parameters in the path, in order."""
        return re.findall(r"\{([^}]+)\}", self.path)

    @property
    def slug(self) -> str:
        """The operation's id as it stands in an address."""
        return re.sub(r"[^a-z0-9]+", "-", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", self.id).lower()).strip("-")
