"""What of a request's body is taken for a notification: its document's id, or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from confere.app.listening.notification import MOST_BYTES, NotificationRefused, RefusedBecause, document_id


def body(**changes: Any) -> bytes:
    content = {
        "id": "fd-00000001-ab12",
        "oi": "259",
        "metadata": {"documentTypeValue": "sale", "marketplace": "M", "type": "NFE"},
    }
    return json.dumps({"type": "FISCAL_DOCUMENTS", "event": "UPDATE", "content": content, **changes}).encode()


def test_the_id_of_the_specifications_shape() -> None:
    assert document_id(body()) == "fd-00000001-ab12"
    assert document_id(body(more={"x": [1]}, content={"id": "A.b_c:d~1-"})) == "A.b_c:d~1-"
    assert document_id(body(event="CREATE", content={"id": "a" * 128})) == "a" * 128


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"FISCAL_DOCUMENTS"',
        b"\xff\xfe{}",
        b"[" * MOST_BYTES,
        b'{"type": ' * 900,
        b'{"n": ' + b"9" * 9_000 + b"}",
        b"<xml/>",
        body(content=None),
        body(content=[]),
        body(content={}),
        body(content={"id": None}),
        body(content={"id": 5}),
        body(content={"id": ["fd-1"]}),
        body(content={"id": ""}),
        body(content={"id": "."}),
        body(content={"id": ".."}),
        body(content={"id": "../orders/1"}),
        body(content={"id": "download/di-1"}),
        body(content={"id": "fd-1?token=x"}),
        body(content={"id": "fd-1%2f"}),
        body(content={"id": "fd 1"}),
        body(content={"id": "fd-1\n"}),
        body(content={"id": "fd-\u0661"}),
        body(content={"id": "a" * 129}),
        body(event=None),
        body(type=5),
    ],
)
def test_what_is_no_notification_is_malformed(junk: bytes) -> None:
    with pytest.raises(NotificationRefused) as refused:
        document_id(junk)
    assert refused.value.why is RefusedBecause.MALFORMED


@pytest.mark.parametrize("type", ["ORDERS", "fiscal_documents", "FISCAL_DOCUMENTS ", ""])
def test_another_type_is_named_so(type: str) -> None:
    with pytest.raises(NotificationRefused) as refused:
        document_id(body(type=type))
    assert refused.value.why is RefusedBecause.OTHER_TYPE
