"""An account's hub contract: fetched at connect, kept for a day in the data folder, and held against what was seen.

Everything works without it: a hub that publishes none is asked as the specification says, and learnt from.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from confere.archive.accounts.accounts import Account
from confere.archive.hub.hub_traits import StoredTrait
from confere.errors import ConfereError
from confere.system import messages
from confere.system.files.atomic_file import write_text
from confere.system.language_choice import LANGUAGES
from confere.system.paths import Home

if TYPE_CHECKING:
    from confere.hub.contract.contract import Contract
    from confere.hub.session import HubSession

_DAY: Final = 86_400.0
_HOUR: Final = 3_600.0  # after which a hub without a contract is asked for one again


class KeptContract(NamedTuple):
    """The contract of an account's hub; `fetched_at` in seconds of the epoch, 0 where it was never asked for."""

    contract: Contract | None
    fetched_at: float


class ContractDrift(NamedTuple):
    """A trait of a list: what the contract says, what was seen, and which of them is used; empty where not known."""

    list: str
    trait: str
    declared: str
    seen: str
    used: str

    @property
    def differs(self) -> bool:
        """Whether the hub does otherwise than its contract says."""
        return bool(self.declared and self.seen and self.declared != self.seen)


def of_account(home: Home, account: Account, *, address: str | None = None, refresh: bool = False) -> KeptContract:
    """The contract of the account's hub in the reader's language, asked for again where it is older than a day.

    `address` is where an embedded hub is now; `refresh` asks in any case. A hub that cannot be asked now leaves what
    was kept.
    """
    from confere.hub.contract.lookup import fetch

    address = account.address if address is None else address
    language = messages.language()
    file = _file(home, account, language)
    text, fetched_at = _read(file)
    age = time.time() - fetched_at
    # A moment in the future is of a clock that was wrong.
    if not refresh and 0 <= age < (_DAY if text else _HOUR):
        return KeptContract(_parsed(text), fetched_at)
    fresh = fetch(address, language)
    now = time.time()
    with suppress(OSError, ConfereError):  # a full disk is said by whoever must write
        home.ensure()
        file.parent.mkdir(exist_ok=True)
        write_text(file, json.dumps({"fetched_at": now, "contract": fresh or text}, ensure_ascii=False))
    return KeptContract(_parsed(fresh or text), now)


def kept(home: Home, account: Account) -> KeptContract:
    """What is kept, in the reader's language where it is kept in that, without asking anybody."""
    own, newest = messages.language(), 0.0
    for language in (own, *(other for other in LANGUAGES if other != own)):
        text, fetched_at = _read(_file(home, account, language))
        if text:
            return KeptContract(_parsed(text), fetched_at)
        newest = max(newest, fetched_at)
    return KeptContract(None, newest)


def declare(home: Home, account: Account, session: HubSession) -> None:
    """Tell a session what its hub's contract says of its lists; what was learnt there counts more."""
    from confere.hub.contract.list_terms import declared_traits

    contract = of_account(home, account, address=session.base).contract
    if contract is not None:
        session.shapes.declare(declared_traits(contract))


def drift(contract: Contract | None, seen: Mapping[tuple[str, str], str]) -> tuple[ContractDrift, ...]:
    """Each trait that the contract speaks of, beside what was learnt (`seen`, by list and trait)."""
    from confere.hub.contract.list_terms import declared_traits

    if contract is None:
        return ()
    rows = []
    for name, traits in declared_traits(contract).items():
        for trait, declared in traits.items():
            learnt = seen.get((name, trait), "")
            rows.append(ContractDrift(name, trait, declared, learnt, learnt or declared))
    return tuple(rows)


def seen_traits(stored: Iterable[StoredTrait]) -> dict[tuple[str, str], str]:
    """What was learnt of a hub, by list and trait."""
    seen = {}
    for trait in stored:
        name, _, of_list = trait.trait.partition(".")
        seen[name, of_list] = trait.value
    return seen


def missing_lists(contract: Contract | None) -> tuple[str, ...]:
    """The lists that the contract has no operation for; none where there is no contract."""
    from confere.hub.contract.list_terms import missing_lists as of_contract

    return () if contract is None else of_contract(contract)


def _file(home: Home, account: Account, language: str) -> Path:
    return home.contracts / f"{account.id}.{language}.json"


def _read(file: Path) -> tuple[str, float]:
    """What the file holds; nothing where it is not there or damaged: it is fetched again then."""
    try:
        content: Any = json.loads(file.read_text("utf-8"))
        text, fetched_at = content["contract"], content["fetched_at"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return "", 0.0
    if not isinstance(fetched_at, int | float) or not (text is None or isinstance(text, str)):
        return "", 0.0
    return text or "", float(fetched_at)


def _parsed(text: str) -> Contract | None:
    from confere.hub.contract.contract import read_contract

    if not text:
        return None
    try:
        return read_contract(text)
    except ValueError:
        return None
