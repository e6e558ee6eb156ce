"""The callbacks of one environment: where they go, and which changes of its documents they are about."""

from __future__ import annotations

import ipaddress
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from sandbox_hub.callbacks.notification import FISCAL_DOCUMENTS, fiscal_document
from sandbox_hub.callbacks.sender import CallbackSender
from sandbox_hub.errors import SandboxError
from sandbox_hub.posted.document_book import DocumentBook
from sandbox_hub.world.filters import DocumentQuery
from sandbox_hub.world.selection import members

TOPICS = (FISCAL_DOCUMENTS,)


class Callbacks:
    """`kept` belongs to the owner, who keeps it: the address and the topics, over restarts."""

    def __init__(self, documents: DocumentBook, kept: dict[str, Any]) -> None:
        self._documents = documents
        self._world = documents.world
        self._kept = kept
        self._sender: CallbackSender | None = None
        if kept:
            self.configure(kept["url"], kept["topics"])

    def configure(self, url: str | None, topics: list[str]) -> None:
        """Send what happens from now on to `url`, or nowhere for None; what waits for the former one is lost.

        Raises SandboxError where the address is not of this machine or a topic is unknown.
        """
        unknown = [topic for topic in topics if topic not in TOPICS]
        if unknown:
            raise SandboxError(f"There is no topic named {unknown[0]!r}; there is {', '.join(TOPICS)}.")
        if url is not None:
            check_loopback(url)
        self.close()
        self._sender = CallbackSender(url) if url is not None else None
        self._kept.clear()
        if url is not None:
            self._kept.update(url=url, topics=topics)

    def clock_moved(self, before: int) -> None:
        """Send a notification for each document and event that came to be since `before`, by the world's clock."""
        sender = self._wants_documents
        if sender is None or self._world.now <= before:
            return
        changed = self._documents.select(DocumentQuery(changed_from=before + 1, changed_to=self._world.now))
        fitting = list(islice(members(changed), sender.room))
        for index in fitting:
            for occurrence in self._documents.occurrences(index):
                if occurrence.at > before:
                    self.document_changed(index)
        sender.give_up(len(changed) - len(fitting))

    def document_changed(self, index: int) -> None:
        """Send a notification about this document."""
        if self._wants_documents is not None:
            self._wants_documents.put(fiscal_document(self._documents, index))

    def describe(self) -> dict[str, object]:
        """The configuration, and what became of the notifications since it was made."""
        counts = {} if self._sender is None else self._sender.counts()
        return {"url": self._kept.get("url"), "topics": self._kept.get("topics", []), **counts}

    def close(self) -> None:
        """Send nothing more."""
        if self._sender is not None:
            self._sender.close()
            self._sender = None

    @property
    def _wants_documents(self) -> CallbackSender | None:
        return self._sender if FISCAL_DOCUMENTS in self._kept.get("topics", ()) else None


def check_loopback(url: str) -> None:
    """Raises SandboxError unless this is a plain http address on this machine: the sandbox calls nobody else."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        here, port = False, None
    if not here or parts.scheme != "http" or port == 0 or "@" in parts.netloc:
        raise SandboxError(f"A callback goes to http on this machine, like http://127.0.0.1:8000/path, not to {url!r}.")
