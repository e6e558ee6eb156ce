from __future__ import annotations

import datetime as dt
import ipaddress
import socket
import ssl
import sys
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from confere.errors import HubAnswerUnreadable, HubBroken, HubNotFound, HubTlsFailed, HubUnreachable
from confere.hub.documents.documents import download, download_from, fetch
from confere.hub.http.exchange import Exchange
from confere.hub.http.status_errors import BadAnswer
from confere.hub.http.transport import SystemRoutes, client
from confere.system import diagnostics
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Reply, data

XML = b"<procEventoNFe/>"


def redirect(location: str, status: int = 302) -> Reply:
    return Reply(status, body=b"", headers={"Location": location})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_file_on_another_host_is_fetched_without_credentials(
    serve: MakeServer, connect: MakeSession, token: str, status: int
) -> None:
    store = serve([Reply(body=XML)])
    hub = serve([redirect(f"{store.address}/bucket/x?signature=abc%2F", status)])
    session = connect(hub)
    assert download(session, "x") == XML
    (asked,) = store.asked
    assert asked.target == "/bucket/x?signature=abc%2F"
    assert not {"servicetoken", "platform", "authorization", "cookie", "referer"} & set(asked.headers)
    assert token not in str(asked)
    assert session.requests == 2


def test_another_port_or_name_of_the_same_machine_is_another_origin(
    serve: MakeServer, connect: MakeSession, token: str
) -> None:
    hub = serve(lambda asked: Reply(body=XML) if asked.path == "/elsewhere" else redirect(elsewhere))
    elsewhere = f"http://localhost:{hub.port}/elsewhere"
    assert download(connect(hub), "x") == XML
    assert hub.asked[0].headers["servicetoken"] == token
    assert "servicetoken" not in hub.asked[1].headers
    assert {asked.headers["user-agent"] for asked in hub.asked} == {f"confere/{diagnostics.version()}"}


def test_a_redirect_within_the_hub_keeps_the_credentials(serve: MakeServer, connect: MakeSession, token: str) -> None:
    hub = serve(lambda asked: Reply(body=XML) if asked.path == "/files/x" else redirect("/files/x"))
    assert download(connect(hub), "x") == XML
    assert [asked.headers["servicetoken"] for asked in hub.asked] == [token, token]


def test_who_left_the_hub_comes_back_without_credentials(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve(lambda asked: Reply(body=XML) if asked.path == "/secret" else redirect(store.address))
    store = serve(lambda _: redirect(f"{hub.address}/secret"))
    download(connect(hub), "x")
    assert "servicetoken" not in store.asked[0].headers
    assert hub.asked[1].path == "/secret"
    assert "servicetoken" not in hub.asked[1].headers


def test_a_redirect_chain_ends(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([redirect("/v2/again")])
    with pytest.raises(HubAnswerUnreadable, match="circles"):
        download(connect(hub), "x")
    assert len(hub.asked) == 6


@pytest.mark.parametrize(
    "location",
    [
        "http://store.example.com/x",
        "ftp://127.0.0.1/x",
        "file:///etc/passwd",
        "https://",
        "http://[",
        "javascript:x",
    ],
)
def test_a_redirect_to_where_nobody_should_go(serve: MakeServer, connect: MakeSession, location: str) -> None:
    hub = serve([redirect(location)])
    with pytest.raises(HubAnswerUnreadable):
        download(connect(hub), "x")
    assert len(hub.asked) == 1


def test_credentials_in_a_redirect_are_not_used(serve: MakeServer, connect: MakeSession) -> None:
    store = serve([Reply(body=XML)])
    hub = serve([redirect(f"http://joao:hunter2@127.0.0.1:{store.port}/x")])
    assert download(connect(hub), "x") == XML
    assert "authorization" not in store.asked[0].headers


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "[::]",
        "2130706433",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_hub_elsewhere_cannot_send_us_to_this_machine(scheme: str, host: str) -> None:
    exchange = Exchange("https://hub.example.com/v2", {}, connections=1, timeout=httpx.Timeout(5))
    with pytest.raises(BadAnswer):
        exchange._target(exchange._base, f"{scheme}://{host}:8080/x")
    assert exchange._target(exchange._base, "https://store.example.com/x").host == "store.example.com"
    exchange.close()


def test_what_the_store_refuses_is_not_the_tokens_fault(serve: MakeServer, connect: MakeSession) -> None:
    said = b"<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"
    store = serve([Reply(403, body=said), Reply(body=XML), Reply(403, body=said), Reply(403, body=said), Reply(404)])
    hub = serve([redirect(store.address)])
    session = connect(hub, attempts=2)
    assert download(session, "x") == XML  # with a fresh link
    assert len(hub.asked) == 2
    with pytest.raises(HubBroken, match="AccessDenied Request has expired"):
        download(session, "x")
    with pytest.raises(HubNotFound):
        download(session, "x")


def test_the_stores_429_says_nothing_about_the_hubs_pace(serve: MakeServer, connect: MakeSession) -> None:
    store = serve([Reply(429), Reply(429), Reply(body=XML)])
    hub = serve([redirect(store.address)])
    session = connect(hub)
    assert download(session, "x") == XML
    assert session.throttled == 0
    assert session.pace is None


def test_netrc_is_never_read(
    serve: MakeServer, connect: MakeSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in (".netrc", "_netrc"):
        (tmp_path / name).write_text("machine 127.0.0.1 login joao password hunter2\ndefault login a password b\n")
        (tmp_path / name).chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    store = serve([Reply(body=XML)])
    hub = serve([redirect(store.address)])
    download(connect(hub), "x")
    for asked in hub.asked + store.asked:
        assert "authorization" not in asked.headers


def test_loopback_goes_around_proxies(serve: MakeServer, connect: MakeSession, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        dead = f"http://127.0.0.1:{unused.getsockname()[1]}"
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, dead)
    store = serve([Reply(body=XML)])
    hub = serve([redirect(store.address)])
    assert download(connect(hub), "x") == XML


def test_other_hosts_go_through_the_systems_proxy_which_sees_no_credentials(
    serve: MakeServer, connect: MakeSession, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    proxy = serve([Reply(502)])
    monkeypatch.setenv("HTTPS_PROXY", f"http://joao:hunter2@127.0.0.1:{proxy.port}")
    with pytest.raises(HubUnreachable, match="proxy") as caught:
        fetch(connect("https://hub.example.com"), "fd-1")
    assert "hunter2" not in str(caught.value)
    assert {(asked.method, asked.target) for asked in proxy.asked} == {("CONNECT", "hub.example.com:443")}
    assert all(token not in str(asked) for asked in proxy.asked)


def test_no_proxy_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "proxy.example.com:3128")
    monkeypatch.setenv("NO_PROXY", "hub.example.com,.internal.example")
    routes = SystemRoutes(ssl.create_default_context(), httpx.Limits())
    seen = {
        host: routes.proxy_for(httpx.URL(f"https://{host}/v2"))
        for host in ("hub.example.com", "a.internal.example", "store.example.net", "127.0.0.1", "localhost", "[::1]")
    }
    assert seen.pop("store.example.net") == "http://proxy.example.com:3128"
    assert set(seen.values()) == {None}


def test_a_proxy_of_an_unknown_kind_is_told_without_its_password(
    connect: MakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "gopher://joao:hunter2@proxy.example.com")
    with pytest.raises(HubUnreachable, match=r"hub\.example\.com") as caught:
        fetch(connect("https://hub.example.com"), "fd-1")
    assert "hunter2" not in str(caught.value)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 that nobody has signed but itself, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "hub.pem"
    path.write_bytes(
        signed.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return path


def test_a_certificate_that_nobody_vouches_for(serve: MakeServer, connect: MakeSession, certificate: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    hub = serve([data({})], context=context)
    session = connect(hub)
    with pytest.raises(HubTlsFailed) as caught:
        fetch(session, "fd-1")
    assert "127.0.0.1" in str(caught.value)
    assert caught.value.remedy is not None
    assert hub.asked == []
    assert session.requests == 1  # trying again mends nothing


def test_an_authority_of_the_systems_store_is_trusted(
    serve: MakeServer, connect: MakeSession, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform in ("win32", "darwin"):
        return  # the stores of Windows and macOS belong to the user: nothing is put there
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    hub = serve([data({"id": "fd-1"})], context=context)
    assert fetch(connect(hub), "fd-1").hub_id == "fd-1"


def test_a_host_that_speaks_no_tls(serve: MakeServer, connect: MakeSession) -> None:
    plain = serve([data({})])
    with pytest.raises(HubTlsFailed, match="TLS"):
        fetch(connect(f"https://127.0.0.1:{plain.port}"), "fd-1")


def test_plain_clients_hold_no_credentials() -> None:
    bare = client(connections=1, timeout=httpx.Timeout(5))
    assert not bare.trust_env
    assert not bare.follow_redirects
    assert bare.auth is None
    bare.close()


def test_signed_links_stay_out_of_the_logs(
    serve: MakeServer, connect: MakeSession, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    store = serve(lambda asked: Reply(body=XML) if asked.query == {"signature": "s3cret"} else Reply(403))
    hub = serve([redirect(f"{store.address}/x?signature=s3cret")])
    assert download(connect(hub), "x") == XML
    assert "s3cret" not in caplog.text
    assert f"{store.address}/x" in caplog.text


def test_an_address_in_a_record_gets_credentials_only_at_the_hub(
    serve: MakeServer, connect: MakeSession, token: str
) -> None:
    store, hub = serve([Reply(body=XML)]), serve([Reply(body=XML)])
    session = connect(hub)
    assert download_from(session, f"{store.address}/n/1.xml?sig=abc%2F") == XML
    assert download_from(session, f"http://joao:hunter2@{hub.address.removeprefix('http://')}/n/1.xml") == XML
    (there,), (here,) = store.asked, hub.asked
    assert there.target == "/n/1.xml?sig=abc%2F"
    assert not {"servicetoken", "platform", "authorization", "cookie", "referer"} & set(there.headers)
    assert (here.headers["servicetoken"], "authorization" in here.headers) == (token, False)


@pytest.mark.parametrize(
    "address", ["http://store.example.com/x", "ftp://127.0.0.1/x", "https://", "file:///etc/passwd", ""]
)
def test_an_address_that_is_not_safe_is_not_asked(serve: MakeServer, connect: MakeSession, address: str) -> None:
    with pytest.raises(HubAnswerUnreadable, match="not encrypted or makes no sense"):
        download_from(connect(serve([Reply()])), address)


def test_a_refused_address_does_not_show_its_signature(serve: MakeServer, connect: MakeSession) -> None:
    store = serve([Reply(403)])
    with pytest.raises(HubBroken) as caught:
        download_from(connect(serve([Reply()])), f"{store.address}/x?sig=s3cret")
    assert "s3cret" not in str(caught.value)
    assert len(store.asked) == 3
