from __future__ import annotations

import gzip
import logging
import threading
import time
import traceback
from email.utils import formatdate
from urllib.parse import quote

import pytest
import stamina.instrumentation

from confere.errors import (
    Cancelled,
    HubAnswerUnreadable,
    HubBroken,
    HubError,
    HubNotFound,
    HubRefusedRequest,
    HubRefusedToken,
    HubTooBusy,
    HubUnreachable,
    UsageFault,
)
from confere.hub.documents.documents import download, fetch
from confere.hub.http.exchange import HubAnswer
from confere.hub.session import HubSession
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Asked, Reply, data

FD1 = {"id": "fd-1", "documents": []}


def _body(answer: HubAnswer) -> bytes:
    return answer.body


def test_both_headers_go_with_every_request_and_the_path_is_right(
    serve: MakeServer, connect: MakeSession, token: str
) -> None:
    hub = serve([data(FD1)])
    for address in (hub.address, f"{hub.address}/", f"{hub.address}/v2", f"{hub.address}/v2/v2/"):
        fetch(connect(address, platform="My ERP"), "fd-1")
    assert [asked.path for asked in hub.asked] == ["/v2/fiscalDocuments/fd-1"] * 4
    assert {asked.headers["servicetoken"] for asked in hub.asked} == {token}
    assert {asked.headers["platform"] for asked in hub.asked} == {"My ERP"}


def test_ids_are_one_segment_of_the_path_whatever_they_hold(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([Reply(body=b"<nfeProc/>")])
    session = connect(hub)
    for item_id in ("a/b", "../../orders", "100%", "é ç", "a?b#c", "a+b&c=d"):
        assert download(session, item_id) == b"<nfeProc/>"
    assert [asked.target.removeprefix("/v2/fiscalDocuments/download/") for asked in hub.asked] == [
        "a%2Fb",
        "..%2F..%2Forders",
        "100%25",
        "%C3%A9%20%C3%A7",
        "a%3Fb%23c",
        "a%2Bb%26c%3Dd",
    ]
    for item_id in ("", ".", ".."):
        with pytest.raises(HubNotFound):
            download(session, item_id)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, HubRefusedRequest),
        (401, HubRefusedToken),
        (403, HubRefusedToken),
        (404, HubNotFound),
        (409, HubRefusedRequest),
        (422, HubRefusedRequest),
        (429, HubTooBusy),
        (500, HubBroken),
        (503, HubBroken),
        (599, HubBroken),
        (304, HubAnswerUnreadable),
    ],
)
def test_each_status_is_its_own_error_with_the_hubs_words(
    serve: MakeServer, connect: MakeSession, status: int, kind: type[HubError]
) -> None:
    told = {"code": 17, "message": "O pedido não serve.", "details": "Veja o campo limit.", "resources": None}
    hub = serve([Reply(status) if status == 304 else data(told, status)])
    with pytest.raises(HubError) as caught:
        fetch(connect(hub, attempts=2, total_seconds=1.0), "fd-1")
    assert type(caught.value) is kind
    assert caught.value.status == status
    assert caught.value.remedy is not None
    if status != 304:
        assert caught.value.hub_words == "O pedido não serve. Veja o campo limit. (17)"
        assert caught.value.hub_words in str(caught.value)


def test_what_no_other_try_can_mend_is_asked_once(serve: MakeServer, connect: MakeSession) -> None:
    for status in (400, 401, 403, 404, 409, 422, 501):
        hub = serve([Reply(status)])
        with pytest.raises(HubError):
            fetch(connect(hub), "fd-1")
        assert len(hub.asked) == 1


@pytest.mark.parametrize(
    "bad",
    [
        Reply(500),
        Reply(502),
        Reply(503),
        Reply(504),
        Reply(408),
        Reply(fate="reset"),
        Reply(body=b'{"id": "fd-1", "docu', claimed=500, fate="cut"),
        Reply(body=b'{"id": "fd-1", "docu'),
        Reply(body=b""),
        Reply(body=b"   \n"),
        Reply(body=b"[1, 2]"),
        Reply(body=b"<!DOCTYPE html><html><head><title>Volte logo</title></head></html>"),
        Reply(headers={"Content-Type": "text/html; charset=utf-8"}, body=b"<p>ok</p>"),
        Reply(headers={"Content-Encoding": "gzip"}, body=b"no gzip at all"),
    ],
    ids=lambda reply: f"{reply.status}-{reply.fate}-{reply.body[:12]!r}",
)
def test_what_passes_is_tried_again(serve: MakeServer, connect: MakeSession, bad: Reply) -> None:
    hub = serve([bad, bad, data(FD1)])
    session = connect(hub)
    assert fetch(session, "fd-1").hub_id == "fd-1"
    assert len(hub.asked) == session.requests == 3
    assert session.retries == 2


@pytest.mark.parametrize(
    "bad",
    [
        Reply(body=b""),
        Reply(body=b"<html><head><title>Em&nbsp;manuten\xc3\xa7\xc3\xa3o</title>"),
        Reply(body=b"<nfeProc>", claimed=900, fate="cut"),
    ],
)
def test_a_download_that_stays_bad_ends_in_an_error_and_never_in_bytes(
    serve: MakeServer, connect: MakeSession, bad: Reply
) -> None:
    hub = serve([bad])
    with pytest.raises(HubError) as caught:
        download(connect(hub, attempts=3), "x")
    assert len(hub.asked) == 3
    assert "/v2/fiscalDocuments/download/x" in str(caught.value) or isinstance(caught.value, HubUnreachable)
    if b"title" in bad.body:
        assert "Em manutenção" in str(caught.value)


def test_bytes_come_as_they_were_sent_compressed_or_not(serve: MakeServer, connect: MakeSession) -> None:
    xml = "<?xml version='1.0' encoding='ISO-8859-1'?>\r\n<nfe>ação\t</nfe>\n\n".encode("latin-1")
    hub = serve([Reply(body=xml), Reply(body=gzip.compress(xml), headers={"Content-Encoding": "gzip"})])
    session = connect(hub)
    assert download(session, "x") == xml
    assert download(session, "x") == xml
    assert hub.asked[0].headers["accept-encoding"] == "gzip, deflate"


def test_an_answer_larger_than_allowed_is_refused_while_it_comes(serve: MakeServer, connect: MakeSession) -> None:
    bomb = gzip.compress(b"x" * 5_000_000)
    hub = serve([Reply(body=bomb, headers={"Content-Encoding": "gzip"})])
    with pytest.raises(HubAnswerUnreadable, match="larger than 1 MB"):
        connect(hub).get("/fiscalDocuments/download/x", read=_body, most=1_000_000)
    assert len(hub.asked) == 1


@pytest.mark.parametrize("as_date", [False, True])
def test_retry_after_is_waited_for(serve: MakeServer, connect: MakeSession, as_date: bool) -> None:
    # A date has whole seconds, so two of them mean more than one.
    value = formatdate(time.time() + 2, usegmt=True) if as_date else "1"
    dated = {"Date": formatdate(time.time(), usegmt=True)} if as_date else {}
    hub = serve(
        [Reply(429, headers={"Retry-After": value}), Reply(503, headers={"Retry-After": value, **dated}), data(FD1)]
    )
    session = connect(hub)
    fetch(session, "fd-1")
    gaps = [later.at - earlier.at for earlier, later in zip(hub.asked, hub.asked[1:], strict=False)]
    assert all(gap > 0.95 for gap in gaps)
    assert session.throttled == 1


def test_429_counts_against_the_time_and_not_the_attempts(serve: MakeServer, connect: MakeSession) -> None:
    busy = Reply(429, headers={"Retry-After": "0.05"})
    hub = serve([busy] * 6 + [data(FD1)])
    session = connect(hub, attempts=2)
    assert fetch(session, "fd-1").hub_id == "fd-1"
    assert session.throttled == 6


def test_a_wait_that_would_take_too_long_is_not_begun(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([Reply(429, headers={"Retry-After": "100"}, body=b'{"message": "calma"}')])
    with pytest.raises(HubTooBusy, match="calma"):
        fetch(connect(hub, total_seconds=5.0), "fd-1")
    assert len(hub.asked) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_stop_ends_a_wait(serve: MakeServer, connect: MakeSession, status: int) -> None:
    stop = threading.Event()
    hub = serve([Reply(status, headers={"Retry-After": "60"})])
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    with pytest.raises(Cancelled):
        fetch(connect(hub), "fd-1", stop=stop)
    timer.join()
    with pytest.raises(Cancelled):
        fetch(connect(hub, stop=stop), "fd-1")
    assert len(hub.asked) == 1


def test_a_hub_that_is_not_there_is_told_at_once(connect: MakeSession, serve: MakeServer) -> None:
    gone = serve([Reply()])
    gone.close()
    session = connect(gone.address, attempts=8)
    with pytest.raises(HubUnreachable, match="refused") as caught:
        fetch(session, "fd-1")
    assert str(gone.port) in str(caught.value)
    assert session.requests == 3


def test_a_name_that_does_not_exist(connect: MakeSession) -> None:
    with pytest.raises(HubUnreachable) as caught:
        fetch(connect("https://hub.invalid"), "fd-1")
    assert "https://hub.invalid:443" in str(caught.value)


def test_a_hub_that_falls_silent(serve: MakeServer, connect: MakeSession) -> None:
    done = threading.Event()

    def silent(_: Asked) -> Reply:
        done.wait(60)
        return Reply()

    hub = serve(silent)
    with pytest.raises(HubUnreachable, match="fell silent"):
        fetch(connect(hub, attempts=2, read_seconds=0.2), "fd-1")
    done.set()


def test_an_answer_that_drips_for_ever_is_given_up(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([Reply(body=b"x" * 3_000_000)])
    session = connect(hub, total_seconds=0.0)
    with pytest.raises(HubUnreachable, match="too slowly"):
        download(session, "x")


def test_only_accepted_writes_return(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([Reply(503), Reply(204, body=b""), Reply(307, headers={"Location": "http://127.0.0.1:1/"}), Reply(404)])
    session = connect(hub)
    session.put("/orders/feeds/1", b'{"token": "t"}')
    assert [(asked.method, asked.body) for asked in hub.asked] == [("PUT", b'{"token": "t"}')] * 2
    assert hub.asked[0].headers["content-type"] == "application/json"
    with pytest.raises(HubAnswerUnreadable):
        session.put("/orders/feeds/1", b"{}")
    with pytest.raises(HubNotFound):
        session.put("/orders/feeds/1", b"{}")


def test_cookies_are_not_kept(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([data(FD1, Set_Cookie="session=1; Path=/")])
    session = connect(hub)
    fetch(session, "fd-1")
    fetch(session, "fd-1")
    assert "cookie" not in hub.asked[1].headers


def test_threads_share_a_session_and_its_counts(serve: MakeServer, connect: MakeSession) -> None:
    lock = threading.Lock()
    seen: set[str] = set()

    def every_other_fails(asked: Asked) -> Reply:
        with lock:
            first = asked.path not in seen
            seen.add(asked.path)
        return Reply(503) if first else Reply(body=asked.path.encode())

    hub = serve(every_other_fails)
    session = connect(hub)
    results: dict[int, list[bytes]] = {}

    def work(worker: int) -> None:
        results[worker] = [download(session, f"{worker}-{number}") for number in range(25)]

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for worker, bodies in results.items():
        assert bodies == [f"/v2/fiscalDocuments/download/{worker}-{number}".encode() for number in range(25)]
    assert session.requests == len(hub.asked) == 400
    assert session.retries == 200


@pytest.mark.parametrize("bad", ["", "  ", "two words", "line\nbreak", "tab\tbed", "ação", "nul\0"])
def test_a_token_that_no_header_can_carry_is_refused_without_showing_it(bad: str) -> None:
    with pytest.raises(HubRefusedToken) as caught:
        HubSession("https://hub.example.com", bad, "Confere")
    assert bad.strip() == "" or bad not in str(caught.value)
    with pytest.raises(UsageFault):
        HubSession("https://hub.example.com", "good", bad.replace(" ", "\n") or "")


def test_a_rate_that_would_never_send_is_refused() -> None:
    for rate in (0.0, -1.0, float("nan")):
        with pytest.raises(UsageFault):
            HubSession("https://hub.example.com", "t", "p", rate=rate)


def test_a_pasted_token_loses_what_surrounds_it(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([data(FD1)])
    fetch(connect(hub, token="  abc\r\n"), "fd-1")
    assert hub.asked[0].headers["servicetoken"] == "abc"


def test_the_token_is_in_no_log_error_or_repr(
    serve: MakeServer, connect: MakeSession, token: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = {"message": f"O token {token} ({quote(token, safe='')}) não vale.", "code": token}
    hub = serve(
        [
            Reply(503, headers={"X-Echo": token}),
            Reply(fate="reset"),
            Reply(302, headers={"Location": f"/v2/x?token={token}"}),
            data(echo, 401, X_Echo=token),
            Reply(body=f"<html><title>{token}</title>".encode()),
        ]
    )
    session = connect(hub, attempts=3)
    errors = []
    for _ in range(2):
        with pytest.raises(HubError) as caught:
            fetch(session, "fd-1")
        errors.append(caught.value)
        link: BaseException | None = caught.value
        while link is not None:
            assert type(link).__module__.startswith("confere.")
            link = link.__cause__ or link.__context__
        shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(caught.value.args)
        assert token not in shown
        assert token not in caught.value.hub_words
    assert [type(error) for error in errors] == [HubRefusedToken, HubAnswerUnreadable]
    assert "[hidden]" in errors[0].hub_words
    assert token not in repr(session)
    assert caplog.records
    assert "httpx" in {record.name for record in caplog.records}
    assert all(token not in record.getMessage() for record in caplog.records)
    assert token not in caplog.text


def test_retries_are_told_to_stamina_without_secrets(serve: MakeServer, connect: MakeSession, token: str) -> None:
    told: list[str] = []
    before = stamina.instrumentation.get_on_retry_hooks()
    stamina.instrumentation.set_on_retry_hooks([lambda details: told.append(repr(details))])
    try:
        hub = serve([Reply(500, body=f'{{"message": "{token}"}}'.encode()), data(FD1)])
        fetch(connect(hub), "fd-1")
    finally:
        stamina.instrumentation.set_on_retry_hooks(before)
    assert len(told) == 1
    assert token not in told[0]
