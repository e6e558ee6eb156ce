"""What an answer that is no success means: its status and the hub's words as one of our errors."""

from __future__ import annotations

from collections.abc import Mapping

from confere.errors import (
    HubAnswerUnreadable,
    HubBroken,
    HubError,
    HubNotFound,
    HubRefusedRequest,
    HubRefusedToken,
    HubTooBusy,
    Message,
    message,
)

# Each sentence twice: with the hub's own words, and for a body that says nothing.
_TOKEN = (
    message("The hub refused the token ({status}): {words}"),
    message("The hub refused the token ({status}) and gave no reason."),
    message(
        "Check the account's token, platform name and address: a token of the sandbox is refused in production, "
        "and the other way round."
    ),
)
_REQUEST = (
    message("The hub refused the request {request} ({status}): {words}"),
    message("The hub refused the request {request} ({status}) and gave no reason."),
    message("Check the filters; if they are right, the hub's interface may have changed: look for a newer Confere."),
)
_NOT_FOUND = (
    message("The hub does not know {request}: {words}"),
    message("The hub does not know {request}."),
    message("Check the address of the account; if it is right, the hub no longer has this."),
)
_BUSY = (
    message("The hub still asks to slow down after {tries} tries of {request}: {words}"),
    message("The hub still asks to slow down after {tries} tries of {request}."),
    message("Try again later, or give the account a lower rate limit."),
)
_BROKEN = (
    message("The hub has a fault of its own at {request} ({status}): {words}"),
    message("The hub has a fault of its own at {request} ({status})."),
    message("Try again later; if it stays, tell the hub's support what is written here."),
)
_STORE = (
    message("{host}, where the hub sent us for {request}, did not give the file ({status}): {words}"),
    message("{host}, where the hub sent us for {request}, did not give the file ({status})."),
    message("Try again later; if it stays, tell the hub's support what is written here."),
)
_ELSEWHERE = (
    message("The hub sends {request} on to somewhere unknown ({status}): {words}"),
    message("The hub sends {request} on to somewhere unknown ({status})."),
    message("Check the address of the account."),
)

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})


class BadAnswer(Exception):
    """A success whose body is not what was asked for; `again` where another try may bring a better one.

    Its sentence has a `{request}` that whoever sent it fills in.
    """

    def __init__(self, what: Message, *, again: bool = True) -> None:
        super().__init__(what.id)
        self.what = what
        self.again = again


def refusal(status: int, request: str, words: str, *, tries: int = 1, store: str = "") -> HubError:
    """The error for a `status` that is no success; `store` names the other host that answered, if one did."""
    kind, sentences = _meaning(status, elsewhere=bool(store))
    told, silent, remedy = sentences
    params = {"status": status, "request": request, "words": words, "tries": tries, "host": store}
    return kind(Message((told if words else silent).id, params), Message(remedy.id), status=status, hub_words=words)


def unreadable(sentence: str, params: Mapping[str, object]) -> HubAnswerUnreadable:
    """The error for a body that cannot be used; `sentence` is that of a `BadAnswer`."""
    return HubAnswerUnreadable(
        Message(sentence, params),
        message("Try again later; if it stays, check the address of the account and tell the hub's support."),
        status=200,
    )


def _meaning(status: int, *, elsewhere: bool) -> tuple[type[HubError], tuple[Message, Message, Message]]:
    if elsewhere:
        return (HubNotFound if status in (404, 410) else HubBroken), _STORE
    if status in (401, 403):
        return HubRefusedToken, _TOKEN
    if status in (404, 410):
        return HubNotFound, _NOT_FOUND
    if status == 429:
        return HubTooBusy, _BUSY
    if status >= 500:
        return HubBroken, _BROKEN
    if status >= 400:
        return HubRefusedRequest, _REQUEST
    return HubAnswerUnreadable, _ELSEWHERE
