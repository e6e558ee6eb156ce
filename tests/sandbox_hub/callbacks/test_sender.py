"""The sender of notifications: tries, what is given up, and the bound of its queue."""

from __future__ import annotations

import socket

from sandbox_hub.callbacks.sender import LONGEST_QUEUE, CallbackSender
from tests.callback_receiver import eventually, receiving

BODY = b'{"content": {"id": "fd-1"}}'
SOON = (0.01, 0.01)


def at_rest(sender: CallbackSender) -> bool:
    return sender.counts()["waiting"] == 0


def test_what_is_refused_is_sent_again_until_it_is_taken() -> None:
    with receiving(500, 302) as receiver:
        sender = CallbackSender(receiver.address + "/hook", SOON)
        sender.put(BODY)
        assert eventually(lambda: at_rest(sender))
        sender.close()
        assert receiver.ids == ["fd-1"] * 3
        assert sender.counts() == {"delivered": 1, "retried": 2, "given_up": 0, "waiting": 0}


def test_after_the_last_try_it_is_given_up_and_the_next_one_arrives() -> None:
    with receiving(500, 429, 404) as receiver:
        sender = CallbackSender(receiver.address, SOON)
        sender.put(BODY)
        assert eventually(lambda: at_rest(sender))
        sender.put(BODY)
        assert eventually(lambda: at_rest(sender))
        sender.close()
        assert sender.counts() == {"delivered": 1, "retried": 2, "given_up": 1, "waiting": 0}


def test_nobody_listens() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound and not listening: every connection is refused
        sender = CallbackSender(f"http://127.0.0.1:{held.getsockname()[1]}", SOON)
        sender.put(BODY)
        assert eventually(lambda: at_rest(sender))
        sender.close()
    assert sender.counts()["given_up"] == 1


def test_the_queue_has_a_bound_and_closing_empties_it() -> None:
    with receiving(500) as receiver:
        sender = CallbackSender(receiver.address, (3_600.0,))
        sender.put(BODY)
        assert eventually(lambda: sender.counts()["retried"] == 1)  # it waits an hour for its second try
        sender._waiting *= LONGEST_QUEUE
        sender.put(BODY)
        assert sender.counts()["given_up"] == 1
        sender.close()
        assert sender.counts()["waiting"] == 0
        assert len(receiver.received) == 1
