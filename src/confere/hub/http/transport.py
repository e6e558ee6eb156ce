"""How bytes get to a host: the system's trust store, the system's proxies, and loopback around them."""

from __future__ import annotations

import ssl
import threading
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.request import getproxies, proxy_bypass

import httpx
import truststore

from confere.errors import HubUnreachable, message
from confere.hub.address import is_loopback
from confere.hub.http.response_body import ACCEPTED
from confere.system import diagnostics


class SystemRoutes(httpx.BaseTransport):
    """Sends each request directly or through the proxy that the system names for its host.

    The proxies are those of the environment (`HTTPS_PROXY`, `NO_PROXY`…) or of the system's settings on Windows
    and macOS, as they are when the session opens. Loopback is always reached directly.
    """

    def __init__(self, context: ssl.SSLContext, limits: httpx.Limits) -> None:
        self._context = context
        self._limits = limits
        self._proxies = {scheme: url for scheme, url in getproxies().items() if url}
        self._lock = threading.Lock()
        self._transports: dict[str | None, httpx.HTTPTransport] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._transport(self.proxy_for(request.url), request.url).handle_request(request)

    def close(self) -> None:
        for transport in self._transports.values():
            transport.close()

    def proxy_for(self, url: httpx.URL) -> str | None:
        """Address of the proxy for `url`, None for none."""
        proxy = self._proxies.get(url.scheme) or self._proxies.get("all")
        if proxy is None or is_loopback(url.host) or proxy_bypass(url.netloc.decode("ascii")):
            return None
        return proxy if "://" in proxy else f"http://{proxy}"

    def _transport(self, proxy: str | None, url: httpx.URL) -> httpx.HTTPTransport:
        with self._lock:
            if proxy not in self._transports:
                self._transports[proxy] = self._new(proxy, url)
            return self._transports[proxy]

    def _new(self, proxy: str | None, url: httpx.URL) -> httpx.HTTPTransport:
        try:
            return httpx.HTTPTransport(verify=self._context, limits=self._limits, proxy=proxy, trust_env=False)
        except (ImportError, ValueError, httpx.InvalidURL):
            # Its text could hold the proxy's password, so it is not passed on.
            pass
        raise HubUnreachable(
            message("The proxy that this system names for {host} is of a kind that Confere cannot use.", host=url.host),
            message("Name an http or https proxy in the system's settings, or except the hub's host from the proxy."),
        )


@cache
def user_agent() -> str:
    """What every request to a hub says who asks: `confere/VERSION`."""
    return f"confere/{diagnostics.version()}"


def client(*, connections: int, timeout: httpx.Timeout) -> httpx.Client:
    """A client without credentials: no `.netrc`, no cookies kept, no redirects followed."""
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=30.0)
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx.Client(
        transport=SystemRoutes(context, limits),
        timeout=timeout,
        trust_env=False,
        follow_redirects=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        headers={"Accept-Encoding": ACCEPTED, "User-Agent": user_agent()},
    )
