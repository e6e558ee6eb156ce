"""The lines of a verdict, and what they amount to together."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from confere.errors import Message, message


class SignedKind(StrEnum):
    """What a judged paper is; the position of each counts by itself, as in `model.Paper`."""

    DOCUMENT = "document"
    EVENT = "event"
    VOIDING = "voiding"


class Check(StrEnum):
    """The checks of a document, independent of each other, in the order in which they are shown."""

    CHECK_DIGIT = "check_digit"  # of the access key
    KEY_FIELDS = "key_fields"  # Id, key and the fields of `ide` agree
    DIGEST = "digest"  # the signature's digest, recomputed from the signed element
    SIGNATURE = "signature"  # the signature's value, by the key in its certificate
    PROTOCOL_DIGEST = "protocol_digest"  # the digest that the authority answered for is the signature's
    PROTOCOL = "protocol"  # there is an answer, about this key, and it authorizes (registers)
    SIGNER = "signer"  # the certificate is of the emitter's company, or of the event's author
    CERTIFICATE_DATES = "certificate_dates"  # the certificate was valid when it signed
    CHAIN = "chain"  # the certificate chains to ICP-Brasil
    ENVIRONMENT = "environment"  # tpAmb: a test has no fiscal value
    SCHEMA = "schema"  # the official schema of the layout


class Result(StrEnum):
    OK = "ok"
    FAILED = "failed"
    NOT_APPLICABLE = "not_applicable"
    UNCHECKED = "unchecked"  # could not be checked; `why` says why
    TEST = "test"  # of the environment, and so of the whole: issued as a test, which is no forgery


ALTERED: Final = "altered"
"""The word for what failed because it was changed after signing. Its `Result` is FAILED all the same."""
NO_GATE: Final = frozenset({Check.SCHEMA})
"""Lines that are told but decide nothing: the official schemas lag behind the law and disagree among themselves."""


_WORST_FIRST: Final = (Result.FAILED, Result.TEST, Result.UNCHECKED)

CLAIMED: Final = message("Claimed by the file, not provable offline: the authority does not sign its answers.")
"""Why of a protocol's line that holds: what agrees was not proved by that."""


class CheckLine(NamedTuple):
    """One check with its result; `why` is there if the result is failed or unchecked, and on a protocol that holds.

    `altered`: it failed because what stands there now is not what was signed.
    """

    check: Check
    result: Result
    why: Message | None = None
    altered: bool = False

    @property
    def word(self) -> str:
        """The word of its result: `altered` where the signed text was changed, else the value of `result`."""
        return ALTERED if self.altered else self.result.value


class Verdict(NamedTuple):
    """All lines on one paper, in the order of `Check`."""

    lines: tuple[CheckLine, ...]

    @property
    def result(self) -> Result:
        """FAILED where a line failed, else TEST of a test, else UNCHECKED where one could not be checked, else OK."""
        results = {line.result for line in self.lines if line.check not in NO_GATE}
        return next((worst for worst in _WORST_FIRST if worst in results), Result.OK)

    @property
    def altered(self) -> bool:
        """Whether it failed because digest or signature do not match: then it was changed after signing."""
        return any(line.altered for line in self.lines)

    @property
    def word(self) -> str:
        """The word of its result: `altered` where the signed text was changed, else the value of `result`."""
        return ALTERED if self.altered else self.result.value

    def line(self, check: Check) -> CheckLine:
        """The line of `check`."""
        return next(line for line in self.lines if line.check == check)
