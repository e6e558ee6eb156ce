"""DNS rebinding: a page that reaches the sandbox through somebody else's name is answered 403, on every path."""

from __future__ import annotations

import pytest

from sandbox_hub.web.host_check import names_this_machine
from tests.sandbox_hub.web.client import CONTROL, Client, error_of

PATHS = ("/sandbox/info", "/v2/fiscalDocuments", "/v2/orders", "/v2/nothing", "/production/v2/fiscalDocuments", "/")


@pytest.mark.parametrize("path", PATHS)
def test_somebody_elses_name_is_refused_on_every_path(client: Client, path: str) -> None:
    root = client.hub.panel.removesuffix("/sandbox")
    port = root.rpartition(":")[2]
    for host in (f"rebind.example:{port}", f"127.0.0.1.example:{port}", "127.0.0.1:1", "127.0.0.1", "", f":{port}"):
        response = client.http.get(root + path, headers={"Host": host, **CONTROL})
        assert response.status_code == 403, host
        assert error_of(response)["code"] == "FORBIDDEN"
    usual = client.http.get(root + path, headers=CONTROL).status_code
    assert usual != 403
    for host in (f"localhost:{port}", f"LOCALHOST:{port}", f"127.0.0.1:{port}", f"[::1]:{port}"):
        assert client.http.get(root + path, headers={"Host": host, **CONTROL}).status_code == usual, host


@pytest.mark.parametrize(
    ("host", "port", "ours"),
    [
        ("localhost", 80, True),
        ("localhost:80", 80, True),
        ("127.4.5.6:80", 80, True),
        ("[::1]", 80, True),
        ("[::1]:8080", None, True),
        ("[::1", 80, False),
        ("[::1]x", 80, False),
        ("::1", 80, False),
        ("localhost:", 80, False),
        ("localhost:٨٠", 80, False),
        ("localhost:080000", 80, False),
        ("0.0.0.0:80", 80, False),
        ("192.168.0.1:80", 80, False),
        ("user@localhost:80", 80, False),
        ("localhost.example:80", 80, False),
    ],
)
def test_which_names_are_this_machines(host: str, port: int | None, ours: bool) -> None:
    assert names_this_machine(host, port) is ours
