"""The use case "call an operation of the hub's contract": looked up, checked, shown, sent once, read back, audited."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from confere.app.accounts import hub_contract
from confere.app.accounts.account_choice import one_account
from confere.app.context import EMBEDDED, Workspace
from confere.app.sandbox.sandbox_accounts import awake
from confere.archive.accounts import audit
from confere.archive.accounts.accounts import Account
from confere.archive.store import Archive
from confere.errors import (
    Cancelled,
    HubAnswerUnreadable,
    HubBroken,
    HubError,
    HubUnreachable,
    Message,
    UsageFault,
    message,
)
from confere.hub.contract.contract import ContractApi as ContractApi
from confere.hub.contract.contract import ContractOperation as ContractOperation
from confere.system.files import system_words
from confere.system.processes.cancellation import Stop
from confere.system.secrets import token_store

if TYPE_CHECKING:
    from confere.hub.contract.contract import Contract
    from confere.hub.http.exchange import HubAnswer
    from confere.hub.session import HubSession

_MOST_SUGGESTIONS = 5
_NO_IDS = ("", ".", "..")  # these would change the path itself


class CallOutcome(StrEnum):
    """What became of a call."""

    ANSWERED = "answered"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class HubOperations:
    """The operations of an account's hub, those of one tag where it was asked for; `tags` are all there are."""

    account: str
    operations: tuple[ContractOperation, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HubCall:
    """A call that is ready to be sent; `body` is the text that goes out, to the last byte, empty for none.

    `address` is that of the account's hub when it was prepared.
    """

    account: str
    address: str
    operation: ContractOperation
    method: str
    path: str
    query: Mapping[str, str]
    body: str

    @property
    def writes(self) -> bool:
        """Whether it may change something at the hub: it is shown and confirmed first then."""
        return self.operation.writes


@dataclass(frozen=True, slots=True)
class CallResult:
    """The hub's answer as JSON, or as text where it is none; `read_back` is what the hub shows of it after a write.

    `status` is None where no answer came; `why` says what stood in the way.
    """

    outcome: CallOutcome
    status: int | None
    answer: Any
    read_back: Any = None
    why: Message | None = None
    hub_words: str = ""


def operations(
    workspace: Workspace,
    account: str | None,
    *,
    tag: str | None = None,
    api: ContractApi = ContractApi.BACKOFFICE,
) -> HubOperations:
    """What the contract of the account's hub declares. Raises `UsageFault` where it publishes none.

    Only what the backoffice declares can be called: the others are the marketplace middleware's, with its credentials.
    """
    chosen, contract = _contract(workspace, account, api)
    tags = tuple(sorted({tag for operation in contract.operations for tag in operation.tags}))
    if tag is not None and tag not in tags:
        raise UsageFault(
            message("The hub's contract has no group {group}.", group=tag),
            message("Choose one of: {known}.", known=", ".join(tags)),
        )
    shown = tuple(operation for operation in contract.operations if tag is None or tag in operation.tags)
    return HubOperations(chosen.name, shown, tags)


def prepare(
    workspace: Workspace, account: str | None, operation_id: str, parameters: Mapping[str, str], body: str | None
) -> HubCall:
    """The call of an operation with these parameters and this JSON text as its body, checked against the contract.

    Raises `UsageFault` that names what the contract does not take; nothing is sent.
    """
    from confere.hub.contract.request import build_request

    chosen, contract = _contract(workspace, account)
    operation = contract.named(operation_id)
    if operation is None:
        raise _elsewhere(workspace, chosen, operation_id) or _no_operation(contract, operation_id)
    content = None
    if body is not None:
        try:
            content = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise UsageFault(message("The body is not JSON: {why}.", why=_not_json(error))) from error
    request = build_request(contract, operation, parameters, content, has_body=body is not None)
    text = "" if request.body is None else request.body.decode("utf-8")
    return HubCall(chosen.name, chosen.address, operation, request.method, request.path, request.query, text)


def _not_json(error: ValueError | RecursionError) -> Message:
    if isinstance(error, json.JSONDecodeError):
        return message("look at line {line}, column {column}", line=error.lineno, column=error.colno)
    return system_words.why(error)


def send(
    workspace: Workspace, call: HubCall, *, stop: Stop | None = None, prompt: token_store.Prompt | None = None
) -> CallResult:
    """Send a call once. One that writes leaves a line before and after it in the audit trail, and is read back.

    Raises `HubError` where a call that only reads was not answered, `UsageFault` where the account has another hub by
    now.
    """
    with workspace.reading() as archive, archive.reading() as transaction:
        chosen = one_account(transaction, call.account)
    if chosen.address != call.address and chosen.environment != EMBEDDED:
        raise UsageFault(
            message("The account {account} has another hub since the preview: nothing was sent.", account=chosen.name),
            message("Look at the requests again."),
        )
    _, contract = _contract(workspace, call.account)
    opened = workspace.writing("hub call") if call.writes else workspace.reading()
    with (
        opened as archive,
        awake(workspace, chosen) as woken,
        workspace.session(archive, woken, stop=stop, prompt=prompt) as session,
    ):
        if not call.writes:
            answer = _sent(session, call)
            return CallResult(CallOutcome.ANSWERED, answer.status, _content(session, answer))
        _audit(archive, call, "sent", call.body)
        result = _written(session, contract, call)
        _audit(archive, call, result.outcome, result.hub_words)
        return result


def _written(session: HubSession, contract: Contract, call: HubCall) -> CallResult:
    try:
        answer = _sent(session, call)
    except (HubUnreachable, HubBroken, HubAnswerUnreadable) as error:
        return CallResult(CallOutcome.UNKNOWN, error.status, None, why=error.what, hub_words=error.hub_words or "")
    except Cancelled as error:  # it may have been under way
        return CallResult(CallOutcome.UNKNOWN, None, None, why=error.what)
    except HubError as error:
        return CallResult(CallOutcome.REFUSED, error.status, None, why=error.what, hub_words=error.hub_words or "")
    content = _content(session, answer)
    return CallResult(CallOutcome.ANSWERED, answer.status, content, _read_back(session, contract, call, content))


def _read_back(session: HubSession, contract: Contract, call: HubCall, content: Any) -> Any:
    """What the hub shows now of what was written; None where the contract has nothing to read it by, or it is gone."""
    path = call.path
    if contract.at("GET", call.operation.path) is None or call.method == "POST":
        made = content.get("id") if isinstance(content, dict) else None
        below = [
            each
            for each in contract.operations
            if each.method == "GET" and each.path.rpartition("/")[0] == call.operation.path and each.path.endswith("}")
        ]
        if not isinstance(made, str | int) or isinstance(made, bool) or made in _NO_IDS or not below:
            return None
        path = f"{call.path}/{quote(str(made), safe='')}"
    try:
        return session.get(path, None, read=lambda answer: _content(session, answer))
    except (HubError, Cancelled):
        return None


def _sent(session: HubSession, call: HubCall) -> HubAnswer:
    body = call.body.encode("utf-8") if call.body else None
    return session.send(call.method, call.path, dict(call.query), body, read=lambda answer: answer)


def _content(session: HubSession, answer: HubAnswer) -> Any:
    """The answer's JSON, or its text; never with the token in it."""
    text = session.without_token(answer.body.decode("utf-8", errors="replace"))
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return text


def _audit(archive: Archive, call: HubCall, what: str, detail: str) -> None:
    with archive.writing() as transaction:
        query = f"?{urlencode(call.query)}" if call.query else ""
        subject = f"{call.account} {call.operation.id} {call.method} {call.path}{query}"
        audit.write(transaction, f"hub call {what}", subject, detail or None)


def _contract(
    workspace: Workspace, account: str | None, api: ContractApi = ContractApi.BACKOFFICE
) -> tuple[Account, Contract]:
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            chosen = one_account(transaction, account)
        with awake(workspace, chosen) as woken:
            workspace.require_origin(archive, woken)
            contract = hub_contract.of_account(workspace.home, chosen, address=woken.address, api=api).contract
    if contract is None:
        raise UsageFault(
            message("The hub of {account} publishes no contract that Confere can read.", account=chosen.name),
            message("Its documents and orders are fetched all the same: `confere sync`."),
        )
    return chosen, contract


def _elsewhere(workspace: Workspace, account: Account, operation_id: str) -> UsageFault | None:
    """Why an operation of another API of this hub is not called; None where there is no such operation."""
    for api in (ContractApi.MARKETPLACE, ContractApi.REMOTE):
        with suppress(UsageFault):
            _chosen, contract = _contract(workspace, account.name, api)
            if contract.named(operation_id) is not None:
                return UsageFault(
                    message(
                        "{operation} is between the hub and the marketplace's middleware: an account has no "
                        "credentials for it.",
                        operation=operation_id,
                    ),
                    message(
                        "`confere hub operations {operation} --api {api}` explains it.",
                        operation=operation_id,
                        api=api.value,
                    ),
                )
    return None


def _no_operation(contract: Contract, operation_id: str) -> UsageFault:
    from difflib import get_close_matches

    names = [operation.id for operation in contract.operations]
    close = get_close_matches(operation_id, names, _MOST_SUGGESTIONS, 0.4)
    return UsageFault(
        message("The hub's contract has no operation {operation}.", operation=operation_id),
        message("Did you mean: {names}?", names=", ".join(close))
        if close
        else message("`confere hub operations` lists them."),
    )
