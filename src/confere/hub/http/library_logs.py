"""Keeps other libraries' logs free of what must not be written down, signed links and headers, and of noise."""

from __future__ import annotations

import logging

import httpx


class _ShortUrls(logging.Filter):
    """Cuts the query off logged addresses: a link to object storage is a credential as long as it is signed."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                arg.copy_with(query=None, fragment=None) if isinstance(arg, httpx.URL) else arg for arg in record.args
            )
        return True


class _NoHeaders(logging.Filter):
    """Drops the trace of answers' headers, which hold such links (Location) and cookies."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "receive_response_headers.complete" not in record.getMessage()


class _NoRetries(logging.Filter):
    """Drops stamina's warning for each retry: an everyday thing with a hub, which `confere.hub.retry.retry` logs."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.msg != "stamina.retry_scheduled"


_SHORT_URLS = _ShortUrls()
_NO_HEADERS = _NoHeaders()
_NO_RETRIES = _NoRetries()


def quieten() -> None:
    """Put the filters in place; calling it again changes nothing."""
    logging.getLogger("httpx").addFilter(_SHORT_URLS)
    for name in ("httpcore.http11", "httpcore.http2", "httpcore.proxy"):
        logging.getLogger(name).addFilter(_NO_HEADERS)
    logging.getLogger("stamina").addFilter(_NO_RETRIES)
