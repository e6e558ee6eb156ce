"""The check of a protocol number (nProt) against the access key and the date of the answer that it stands in.

The number (nProt) has one digit for the kind of authorizer, two for the state (IBGE), two for the year, and ten to
twelve that count within the year. Source: MOC 7.0, 4.3.5; NT 2025.002 v1.31, 5.1 (17 digits); MOC of the CT-e and
MDF-e. Answers are not signed: a number that agrees is claimed by the file, and no more.

What no authorizer can have given fails: another length, a year that is neither the answer's nor after the key's. A
state that is not the key's is only "could not be checked": in contingency another authorizer answers, some authorizers
serve many states, and which code each writes is nowhere published in full.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from confere.errors import Message, message
from confere.fiscal.authenticity.verdict import CLAIMED, Check, CheckLine, Result

_SHAPE: Final = re.compile(r"[0-9]{15,17}", re.ASCII)
_NATIONAL: Final = frozenset({"90", "91", "92"})  # environments that register events for all states (cOrgao)
_CONTINGENCY: Final = frozenset("3678")  # tpEmis: SCAN, SVC-AN, SVC-RS, SVC-SP: another authorizer answers
_CLOCKS: Final = timedelta(days=1)  # by which the year of a number and the date beside it may part at New Year

CLAIMED_LINE: Final = CheckLine(Check.PROTOCOL, Result.OK, CLAIMED)
_NUMBERLESS: Final = message("The authority's answer has no protocol number.")


def checked(line: CheckLine, answer: dict[str, str], access_key: str | None) -> CheckLine:
    """`line` where `nProt` in `answer` agrees with the access key and the date; else a line that says what does not.

    Source: MOC 7.0, 4.3.5 (`nProt`: authorizer 1, state 2, year 2, sequence 10 digits); NT 2025.002 v1.31, 5.1 (17
    digits).
    """
    number = answer.get("nProt")
    if number is None:
        return CheckLine(Check.PROTOCOL, Result.UNCHECKED, _NUMBERLESS)
    why = _impossible(number, answer.get("dhRecbto") or answer.get("dhRegEvento") or "", access_key)
    if why is not None:
        return CheckLine(Check.PROTOCOL, Result.FAILED, why)
    state = number[1:3]
    if _foreign(state, answer, access_key):
        why = message(
            "The protocol {number} names the state {state}, not the key's: whether that can be is not known here.",
            number=number,
            state=state,
        )
        return CheckLine(Check.PROTOCOL, Result.UNCHECKED, why)
    return line


def _impossible(number: str, written: str, access_key: str | None) -> Message | None:
    if _SHAPE.fullmatch(number) is None:
        return message("The protocol {number} is no number of 15 to 17 digits.", number=number[:30])
    year = int(number[3:5])
    at = _day(written)
    if at is not None and year not in {(at + shift).year % 100 for shift in (-_CLOCKS, timedelta(), _CLOCKS)}:
        return message(
            "The protocol {number} is of the year {year}, the answer that it stands in of {date}.",
            number=number,
            year=f"20{year:02d}",
            date=at.isoformat(),
        )
    issued = access_key[2:4] if access_key is not None else ""
    # Issued in the first minutes of a year by a clock that runs ahead: the authority's year is the one before.
    if issued.isascii() and issued.isdigit() and year < int(issued) - (access_key or "")[4:6].startswith("01"):
        return message(
            "The protocol {number} is of the year {year}, before the document's own, {issued}.",
            number=number,
            year=f"20{year:02d}",
            issued=f"20{issued}",
        )
    return None


def _foreign(state: str, answer: dict[str, str], access_key: str | None) -> bool:
    """Whether the number's state is neither the key's nor that of who says to have answered."""
    if state in _NATIONAL or state in (answer.get("cOrgao"), answer.get("cUF")):
        return False
    return access_key is not None and access_key[:2] != state and access_key[34:35] not in _CONTINGENCY


def _day(written: str) -> date | None:
    try:
        day = date.fromisoformat(written[:10])
    except ValueError:
        return None
    # The days beside it have to exist too.
    return day if date.min + _CLOCKS <= day <= date.max - _CLOCKS else None
