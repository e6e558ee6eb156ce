"""Attack a listener and see that nothing came of it: `python -m tests.listen_attack [--junk 10000]`.

A sandbox and `confere listen` run as processes; junk of every kind is sent, then the hub announces one real document.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import httpx
import psutil

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.end_to_end.confere import ENVIRONMENT, add_account, command, contents
from tests.loopback import LOOPBACK

PATH: Final = "/callbacks/0123456789abcdef"
CLOCK: Final = "2026-03-01T00:00:00-03:00"
CONTROL: Final = {"X-Sandbox-Control": "1"}
_AT_A_TIME: Final = 40
_PATIENCE: Final = 120.0  # seconds for the real one to arrive
_MOST_GROWTH: Final = 20 * 1024 * 1024  # bytes of memory: the first requests load what serves them


class Junk(NamedTuple):
    """A request as it goes over the wire; `slow`: the body drips, and its end never comes."""

    kind: str
    head: str
    body: bytes
    slow: bool = False


def notification(hub_id: object, type: object = "FISCAL_DOCUMENTS") -> bytes:
    content = {"id": hub_id, "oi": "1", "metadata": {"documentTypeValue": "sale", "marketplace": "M", "type": "NFE"}}
    return json.dumps({"type": type, "event": "UPDATE", "content": content}).encode()


def junk(number: int, others: list[str], known: list[str]) -> Junk:
    """Request `number` of the attack: every kind in turn, of slow ones fewer, since each takes seconds."""
    kinds: list[Callable[[], Junk]] = [
        lambda: _junk("oversized", b"x" * 20_000),
        lambda: Junk("oversized, announced", _head(PATH, 10**9), b""),
        lambda: _junk("wrong type", notification("fd-1", "ORDERS")),
        lambda: _junk("wrong shape", json.dumps([1, {"content": None}]).encode()),
        lambda: _junk("deep", b"[" * 16_000),
        lambda: _junk("no JSON", secrets.token_bytes(200)),
        lambda: _junk("odd id", notification(f"../orders/{number}")),
        lambda: _junk("another account's", notification(others[number % len(others)])),
        lambda: _junk("replayed", notification(known[number % 7])),
        lambda: _junk("invented id", notification(f"fd-{number:08d}-{secrets.token_hex(2)}")),
        lambda: _junk("another path", notification("fd-1"), "/"),
        lambda: Junk("no HTTP", "", secrets.token_bytes(100)),
    ]
    if number % 50 == 0:
        return Junk("slow body", _head(PATH, 500), b"{" * 20, slow=True)
    if number % 50 == 25:
        return Junk("slow head", f"POST {PATH} HTTP/1.1\r\nHost: x\r\nX-", b"a" * 20, slow=True)
    return kinds[number % len(kinds)]()


def _junk(kind: str, body: bytes, path: str = PATH) -> Junk:
    return Junk(kind, _head(path, len(body)), body)


def _head(path: str, length: int) -> str:
    return f"POST {path} HTTP/1.1\r\nHost: listener\r\nContent-Length: {length}\r\n\r\n"


async def attack(address: str, count: int, others: list[str], known: list[str]) -> Counter[tuple[str, str]]:
    """Send so many; how often each kind was answered how."""
    parts = urlsplit(address)
    answers: Counter[tuple[str, str]] = Counter()
    gate = asyncio.Semaphore(_AT_A_TIME)

    async def send(number: int) -> None:
        async with gate:
            one = junk(number, others, known)
            answers[one.kind, await _answer(parts.hostname or "", parts.port or 0, one)] += 1

    await asyncio.gather(*(send(number) for number in range(count)))
    return answers


async def _answer(host: str, port: int, one: Junk) -> str:
    """The status of the answer, or that the connection was ended without one."""
    try:
        reader, writer = await asyncio.open_connection(host, port)
    except OSError:
        return "no connection"
    try:
        writer.write(one.head.encode())
        if one.slow:
            for byte in one.body:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(1)
        writer.write(one.body)
        await writer.drain()
        line = await reader.readline()
    except OSError:
        return "cut off"
    finally:
        writer.close()
    return line.split()[1].decode() if line.startswith(b"HTTP/") else "cut off"


@contextmanager
def listener(home: Path) -> Iterator[subprocess.Popen[str]]:
    line = ("listen", "--account", "shop", "--port", "0", "--path", PATH, "--progress-json", "--exit-with-stdin")
    with subprocess.Popen(
        command(home, *line), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT, encoding="utf-8"
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def told(child: subprocess.Popen[str], beginning: str) -> dict[str, Any]:
    """The parameters of the next note that begins so."""
    assert child.stdout is not None
    for line in child.stdout:
        said = json.loads(line)
        if said.get("text", "").startswith(beginning):
            found: dict[str, Any] = said["message"]["params"]
            return found
    raise SystemExit(f"The listener ended before it said {beginning}.")


def panel(hub: RunningHub, path: str, fields: dict[str, object]) -> None:
    httpx.post(f"{hub.panel}/{path}", headers=CONTROL, json=fields, **LOOPBACK).raise_for_status()


def items(address: str, token: str) -> list[dict[str, Any]]:
    headers = {"serviceToken": token, "platform": "attack"}
    answer = httpx.get(f"{address}/fiscalDocuments", params={"limit": 100}, headers=headers, **LOOPBACK)
    found: list[dict[str, Any]] = answer.raise_for_status().json()["content"]
    return found


def run(count: int, home: Path) -> bool:
    """Run the attack and print what became of it; whether all is as it must be."""
    with running(SandboxOptions(documents=300, seed=3, clock=CLOCK)) as hub:
        add_account(home, "shop", hub.address, hub.token)
        known = items(hub.address, hub.token)
        others = [item["id"] for item in items(hub.production_address, hub.production_token)]
        with listener(home) as child:
            address = str(told(child, "Listening")["address"])
            told(child, "Synced")
            process = psutil.Process(child.pid)
            asyncio.run(attack(address, 200, others, [item["id"] for item in known]))  # loads what serves requests
            before, memory = contents(home), process.memory_info().rss
            began = time.monotonic()
            answers = asyncio.run(attack(address, count, others, [item["id"] for item in known]))
            seconds, memory_after, after = time.monotonic() - began, process.memory_info().rss, contents(home)
            panel(hub, "callbacks", {"url": address + PATH, "topics": ["FISCAL_DOCUMENTS"]})
            sale = next(item for item in known if item["subtype"] == "sale" and len(item["history"]) == 1)
            began = time.monotonic()
            panel(hub, "cancel", {"documentKey": sale["documentKey"]})
            real = told(child, "Announced")
            arrived = time.monotonic() - began
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.close()
            *_, last = child.stdout
            code = child.wait(60)
    figures = json.loads(last)["result"]["listen"]
    for (kind, answer), number in sorted(answers.items()):
        print(f"{kind:22} {answer:14} {number:6}")
    grown = memory_after - memory
    print(f"{sum(answers.values())} junk requests in {seconds:.1f} s")
    print(f"documents before {len(before['documents'])}, after {len(after['documents'])}")  # type: ignore[arg-type]
    print(f"archive {'unchanged' if before == after else 'CHANGED'}")
    print(f"memory before {memory / 2**20:.1f} MB, after {memory_after / 2**20:.1f} MB")
    print(f"the real one: {real['updated']} changed, {real['downloaded']} files, archived after {arrived:.1f} s")
    print(f"the listener's own figures, and its exit code {code}: {json.dumps(figures)}")
    is_archived = (real["updated"], real["downloaded"], real["failed"]) == (1, 1, 0) and arrived < _PATIENCE
    return before == after and grown < _MOST_GROWTH and is_archived and code == 0


def main() -> int:
    """0 where the archive is unchanged, the memory flat and the real one archived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--junk", type=int, default=10_000, help="how many requests")
    with tempfile.TemporaryDirectory() as folder:
        return 0 if run(parser.parse_args().junk, Path(folder) / "home") else 1


if __name__ == "__main__":
    sys.exit(main())
