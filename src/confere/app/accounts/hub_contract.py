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
from urllib.parse import urlsplit

from confere.archive.accounts.accounts import Account
from confere.archive.hub.hub_traits import StoredTrait
from confere.errors import ConfereError, EnvironmentFault
from confere.hub.contract.contract import ContractApi
from confere.system import messages
from confere.system.files.atomic_file import write_text
from confere.system.files.own_files import read_own
from confere.system.language_choice import LANGUAGES
from confere.system.paths import Home

if TYPE_CHECKING:
    from confere.hub.contract.contract import Contract
    from confere.hub.session import HubSession

_DAY: Final = 86_400.0
_HOUR: Final = 3_600.0  # after which a hub is asked again that has no contract, or did not give it
_LARGEST: Final = 64 * 1024 * 1024  # bytes of a file; contracts have some hundred kilobytes
_LAST: Final = 253_402_300_800.0  # the year 10000: no moment that could be shown lies behind it


class KeptContract(NamedTuple):
    """The contract of an account's hub; `fetched_at` in seconds of the epoch: when it came, or when the hub was asked
    in vain; 0 where it was never asked for."""

    contract: Contract | None
    fetched_at: float


class _File(NamedTuple):
    """What a file holds: the contract's text (empty for none), when it came, and when the hub was asked last."""

    text: str = ""
    fetched_at: float = 0.0
    asked_at: float = 0.0

    @property
    def contract(self) -> KeptContract:
        return KeptContract(_parsed(self.text), self.fetched_at)


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


def of_account(
    home: Home,
    account: Account,
    *,
    address: str | None = None,
    refresh: bool = False,
    api: ContractApi = ContractApi.BACKOFFICE,
) -> KeptContract:
    """The contract of the account's hub in the reader's language, asked for again where it is older than a day.

    `address` is where an embedded hub is now; `refresh` asks in any case; a hub that cannot be asked now leaves what
    was kept.
    """
    from confere.hub.contract.lookup import fetch

    address = account.address if address is None else address
    language = messages.language()
    path = _path(home, account, language, api)
    known = _read(path, account)
    age = time.time() - known.asked_at
    # A moment in the future is of a clock that was wrong.
    if not refresh and 0 <= age < (_DAY if known.text and known.asked_at == known.fetched_at else _HOUR):
        return known.contract
    text, now = fetch(address, language, api), time.time()
    is_away = text is None and bool(known.text)
    new = known._replace(asked_at=now) if is_away else _File(text or "", now, now)
    with suppress(OSError, ConfereError):  # a full disk is said by whoever must write
        home.ensure()
        path.parent.mkdir(exist_ok=True)
        content = {"hub": _hub(account), "fetched_at": new.fetched_at, "asked_at": now, "contract": new.text}
        write_text(path, json.dumps(content), own=True)
    return new.contract


def kept(home: Home, account: Account) -> KeptContract:
    """What is kept, in the reader's language where it is kept in that, without asking anybody."""
    own = messages.language()
    files = [_read(_path(home, account, each), account) for each in (own, *(each for each in LANGUAGES if each != own))]
    contracts = [file.contract for file in files if file.text]
    return contracts[0] if contracts else KeptContract(None, max(file.asked_at for file in files))


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


def _path(home: Home, account: Account, language: str, api: ContractApi = ContractApi.BACKOFFICE) -> Path:
    name = language if api is ContractApi.BACKOFFICE else f"{api}.{language}"
    return home.contracts / f"{account.id}.{name}.json"


def _hub(account: Account) -> str:
    """Whose contract a file holds: an account can move to another hub, and another can get the number of one that is
    gone. An embedded hub has another port at every start."""
    from confere.hub.address import is_loopback
    from confere.hub.contract.lookup import site_root

    return "this machine" if is_loopback(urlsplit(account.address).hostname or "") else site_root(account.address)


def _read(path: Path, account: Account) -> _File:
    """What the file holds; nothing where it is not there, damaged or of another hub: it is fetched again then."""
    try:
        content: Any = json.loads(read_own(path, _LARGEST))
        text, hub = content["contract"], content["hub"]
        moments = [float(content["fetched_at"]), float(content["asked_at"])]
    except (OSError, EnvironmentFault, ValueError, RecursionError, KeyError, TypeError, OverflowError):
        return _File()
    if not isinstance(text, str) or hub != _hub(account) or not all(0 <= moment < _LAST for moment in moments):
        return _File()
    kept = _File(text, *moments)
    return _File() if text and kept.contract.contract is None else kept


def _parsed(text: str) -> Contract | None:
    from confere.hub.contract.contract import read_contract

    if not text:
        return None
    try:
        return read_contract(text)
    except ValueError:
        return None
