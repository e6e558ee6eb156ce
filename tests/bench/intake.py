"""How fast documents come in, by file and by hub, and how small they lie, beside ceilings of the same run."""

from __future__ import annotations

import tempfile
import time
import zipfile
from pathlib import Path

import httpx

from confere.app.sandbox import sandbox
from confere.archive.accounts import accounts
from confere.archive.maintenance import health
from confere.archive.store import Archive
from confere.hub.session import HubSession
from confere.intake.documents.document_sync import SyncResult, sync
from confere.intake.files.file_import import import_files
from tests.bench import bare, corpus


def run(documents: int = 20_000) -> None:
    """Import `documents`, sync a tenth of them, and sync a few under an imposed limit."""
    with tempfile.TemporaryDirectory() as folder:
        _files(Path(folder), documents)
        _hub(Path(folder), max(1000, documents // 10))
        _limited(Path(folder), rate=200.0, documents=1000)


def _files(folder: Path, documents: int) -> None:
    paths = corpus.write(folder / "xml", documents)
    files = [path.read_bytes() for path in paths]
    raw = sum(map(len, files))
    print(f"{len(files)} files of {raw / len(files):.0f} bytes mean")
    parse = bare.parse_once(files)
    pipeline = bare.pipeline(paths, folder / "bare.sqlite3")
    with Archive.to_write(folder / "import" / "archive.sqlite3", "benchmark") as archive:
        result = import_files(archive, [folder / "xml"])
        with archive.reading() as transaction:
            found = health.examine(transaction, archive)
    whole = (folder / "import" / "archive.sqlite3").stat().st_size  # closed: the write-ahead log is in it
    assert result.recorded == len(files), result.counts()
    _rate("bare lxml, one pass", len(files), parse)
    _rate("bare pipeline", len(files), pipeline)
    _rate("import", len(files), result.seconds)
    print(f"  import / bare lxml one pass  {parse / result.seconds:6.2f}")
    print(f"  import / bare pipeline       {pipeline / result.seconds:6.2f}   (budget 0.60)")
    zipped = folder / "all.zip"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as target:
        for path in paths:
            target.write(path, path.name)
    print("bytes a document            raw    zlib     ZIP   vault   whole archive")
    sizes = (raw, bare.zlib_bytes(files), zipped.stat().st_size, found.vault_bytes, whole)
    print("                       " + "".join(f"{size / len(files):8.0f}" for size in sizes))
    print(f"  vault / raw {found.vault_bytes / raw:.3f} (budget 0.16)   whole / raw {whole / raw:.3f} (budget 0.30)")


def _hub(folder: Path, documents: int) -> None:
    with sandbox.running(sandbox.SandboxChoice(documents=documents, seed=7)) as hub:
        headers = {"serviceToken": hub.token, "platform": "bench"}
        urls = _urls(hub.address, headers)
        alone = bare.fetch(urls, headers, 1)
        threads = bare.fetch(urls, headers, 8)
        result, seconds = _sync(folder / "sync", hub)
        again, _ = _sync(folder / "sync", hub)
    assert result.failed == 0 and again.downloaded == 0, (result.counts(), again.counts())
    print(
        f"sync of {result.listed} documents, {result.downloaded} XML, {result.requests} requests;"
        f" again: {again.requests}"
    )
    _rate("bare httpx loop, 1 thread", len(urls), alone, "requests")
    _rate("bare httpx loop, 8 threads", len(urls), threads, "requests")
    _rate("sync", result.listed, seconds)
    _rate("sync", result.requests, seconds, "requests")
    print(f"  sync / bare loop, 1 thread   {alone / len(urls) * result.requests / seconds:6.2f}   (budget 0.50)")
    print(f"  sync / bare loop, 8 threads  {threads / len(urls) * result.requests / seconds:6.2f}   (budget 0.50)")
    budget = 1 + result.downloaded / result.listed + 1 / 100
    print(f"  requests a document          {result.requests / result.listed:6.3f}   (budget {budget:.3f})")


def _limited(folder: Path, rate: float, documents: int) -> None:
    choice = sandbox.SandboxChoice(documents=documents, seed=8, rate_limit=rate)
    with sandbox.running(choice) as hub:
        result, seconds = _sync(folder / "limited", hub)
    useful = result.requests - result.throttled
    print(f"under a limit of {rate:.0f} requests/s: {useful / seconds:.1f} used, {result.throttled} answers 429")
    print(f"  used / allowed               {useful / seconds / rate:6.2f}   (budget 0.95)")


def _sync(folder: Path, hub: sandbox.RunningSandbox) -> tuple[SyncResult, float]:
    with Archive.to_write(folder / "archive.sqlite3", "benchmark") as archive:
        with archive.writing() as transaction:
            known = accounts.every(transaction)
            account = (
                known[0]
                if known
                else accounts.add(
                    transaction, name="bench", environment="embedded", address=hub.address, platform="bench"
                )
            )
        with HubSession(hub.address, hub.token, "bench") as session:
            began = time.perf_counter()
            result = sync(archive, session, account)
            return result, time.perf_counter() - began


def _urls(address: str, headers: dict[str, str]) -> list[str]:
    """Everything that a first sync asks for: list pages, details where the list withholds the items, downloads."""
    urls: list[str] = []
    with httpx.Client(headers=headers, timeout=60, trust_env=False) as client:
        offset = 0
        while True:
            url = f"{address}/fiscalDocuments?limit=100&offset={offset}"
            content = client.get(url).json()["content"]
            if not content:
                break
            urls.append(url)
            offset += len(content)
            for entry in content:
                if "documents" not in entry:
                    detail = f"{address}/fiscalDocuments/{entry['id']}"
                    urls.append(detail)
                    entry = client.get(detail).json()
                urls += [
                    f"{address}/fiscalDocuments/download/{item['path']['document_item_id']}"
                    for item in entry["documents"]
                ]
    return urls


def _rate(name: str, count: int, seconds: float, unit: str = "documents") -> None:
    print(f"  {name:28} {count / seconds:8.0f} {unit}/s")
