from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.errors import HubAddressRefused
from confere.hub.address import is_loopback, normalise, origin, same_origin


@pytest.mark.parametrize(
    ("given_address", "base"),
    [
        ("https://hub.example.com", "https://hub.example.com/v2"),
        ("https://hub.example.com/", "https://hub.example.com/v2"),
        ("https://hub.example.com/v2", "https://hub.example.com/v2"),
        ("https://hub.example.com/v2/", "https://hub.example.com/v2"),
        ("https://hub.example.com/v2/v2", "https://hub.example.com/v2"),
        ("https://hub.example.com//v2//v2//", "https://hub.example.com/v2"),
        ("https://hub.example.com/V2", "https://hub.example.com/v2"),
        ("  https://hub.example.com/v2\n", "https://hub.example.com/v2"),
        ("https://hub.example.com/api/v2/", "https://hub.example.com/api/v2"),
        ("https://hub.example.com/v2/fiscalDocuments", "https://hub.example.com/v2"),
        ("https://hub.example.com/v2/orders/", "https://hub.example.com/v2"),
        ("https://HUB.example.com:443/v2", "https://hub.example.com/v2"),
        ("https://hub.example.com:8443", "https://hub.example.com:8443/v2"),
        ("hub.example.com", "https://hub.example.com/v2"),
        ("localhost:8080", "http://localhost:8080/v2"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v2"),
        ("http://127.9.9.9", "http://127.9.9.9/v2"),
        ("http://[::1]:9/v2", "http://[::1]:9/v2"),
    ],
)
def test_every_way_of_writing_it_is_the_same_base(given_address: str, base: str) -> None:
    assert normalise(given_address) == base


@pytest.mark.parametrize(
    "given_address",
    [
        "",
        "   ",
        "http://hub.example.com",
        "http://127.0.0.1.example.com",
        "http://10.0.0.1",
        "http://0.0.0.0",
        "http://[::ffff:127.0.0.1]",
        "http://127.1",
        "ftp://hub.example.com",
        "file:///etc/hosts",
        "https://user:pass@hub.example.com",
        "https://token@hub.example.com",
        "https://hub.example.com?token=x",
        "https://hub.example.com/?",
        "https://hub.example.com/#x",
        "https://hub.example.com/../v2",
        "https://hub example.com",
        "https://hub.example.com\\@evil.example",
        "https://hub.example.com:99999",
        "https://hub.example.com:port",
        "https://",
        "https://[::1",
        "https://hub..example.com",
        f"https://{'a' * 64}.example.com",
    ],
)
def test_what_cannot_be_used_is_refused_with_a_way_out(given_address: str) -> None:
    with pytest.raises(HubAddressRefused) as caught:
        normalise(given_address)
    assert str(caught.value.what)
    assert caught.value.remedy is not None


def test_a_password_in_the_address_is_not_shown_back() -> None:
    with pytest.raises(HubAddressRefused) as caught:
        normalise("https://joao:hunter2@hub.example.com/v2")
    assert "hunter2" not in str(caught.value)
    assert "joao" not in str(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_a_base_or_refused(text: str) -> None:
    try:
        base = normalise(text)
    except HubAddressRefused:
        return
    assert base.endswith("/v2")
    assert not base.endswith("/v2/v2")
    assert base.startswith("https://") or is_loopback(base.split("//")[1].split("/")[0].rsplit(":", 1)[0].strip("[]"))


@given(st.lists(st.sampled_from(["", "api", "v2", "V2", "hub"]), max_size=5))
def test_normalising_twice_changes_nothing(segments: list[str]) -> None:
    base = normalise("https://hub.example.com/" + "/".join(segments))
    assert normalise(base) == base


def test_origin_is_scheme_host_and_port() -> None:
    assert origin("https://hub.example.com/v2") == ("https", "hub.example.com", 443)
    assert same_origin("https://hub.example.com/a", "https://HUB.example.com:443/b")
    assert not same_origin("https://hub.example.com", "https://hub.example.com:8443")
    assert not same_origin("https://hub.example.com", "http://hub.example.com")
    assert not same_origin("https://hub.example.com", "https://hub.example.com.evil.example")
