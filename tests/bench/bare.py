"""Ceilings: the same work with the bare libraries and nothing that makes it trustworthy."""

from __future__ import annotations

import hashlib
import sqlite3
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import zstandard
from lxml import etree


def parse_once(files: Sequence[bytes]) -> float:
    """Seconds to parse each file and walk the direct children of its parts into a dict, once."""
    began = time.perf_counter()
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    for data in files:
        _one_pass(etree.fromstring(data, parser))
    return time.perf_counter() - began


def pipeline(paths: Sequence[Path], target: Path) -> float:
    """Seconds for read, SHA-256, one pass, zstd with a dictionary, and rows of header, items and words."""
    began = time.perf_counter()
    database = sqlite3.connect(target, isolation_level=None)
    database.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA page_size=8192;"
        "CREATE TABLE blob (id INTEGER PRIMARY KEY, sha BLOB UNIQUE, data BLOB);"
        "CREATE TABLE header (id INTEGER PRIMARY KEY, key TEXT, number TEXT, day TEXT, emitter TEXT, name TEXT,"
        " recipient TEXT, total TEXT, cstat TEXT);"
        "CREATE INDEX header_key ON header(key); CREATE INDEX header_day ON header(emitter, day);"
        "CREATE TABLE item (doc INTEGER, n TEXT, code TEXT, what TEXT, ncm TEXT, cfop TEXT, q TEXT, v TEXT);"
        "CREATE INDEX item_doc ON item(doc);"
        "CREATE VIRTUAL TABLE found USING fts5(words, content='', tokenize='unicode61 remove_diacritics 2');"
    )
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    sample = [path.read_bytes() for path in paths[:300]]
    trained = zstandard.train_dictionary(65536, sample, level=3)
    trained.precompute_compress(level=3)
    compressor = zstandard.ZstdCompressor(level=3, dict_data=trained)
    for start in range(0, len(paths), 500):
        blobs, headers, items, words = [], [], [], []
        for number, path in enumerate(paths[start : start + 500], start + 1):
            data = path.read_bytes()
            blobs.append((number, hashlib.sha256(data).digest(), compressor.compress(data)))
            header, lines = _one_pass(etree.fromstring(data, parser))
            headers.append((number, *header))
            items += [(number, *line) for line in lines]
            words.append((number, " ".join([header[4] or "", *(line[2] or "" for line in lines)])))
        database.execute("BEGIN")
        database.executemany("INSERT INTO blob VALUES (?,?,?)", blobs)
        database.executemany("INSERT INTO header VALUES (?,?,?,?,?,?,?,?,?)", headers)
        database.executemany("INSERT INTO item VALUES (?,?,?,?,?,?,?,?)", items)
        database.executemany("INSERT INTO found(rowid, words) VALUES (?,?)", words)
        database.execute("COMMIT")
    database.close()
    return time.perf_counter() - began


def fetch(urls: Sequence[str], headers: dict[str, str], threads: int) -> float:
    """Seconds to GET every URL with one `httpx.Client` and throw the answers away."""
    with httpx.Client(headers=headers, timeout=60, trust_env=False) as client:

        def get(url: str) -> None:
            client.get(url).raise_for_status()

        began = time.perf_counter()
        if threads == 1:
            for url in urls:
                get(url)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(get, urls))
        return time.perf_counter() - began


def zlib_bytes(files: Sequence[bytes]) -> int:
    """What the files would take, each by itself with zlib."""
    return sum(len(zlib.compress(data, 6)) for data in files)


def _one_pass(root: etree._Element) -> tuple[list[str | None], list[list[str | None]]]:
    parts: dict[str, dict[str, str | None]] = {}
    lines: list[list[str | None]] = []
    for element in root.iter("{*}infNFe", "{*}infCte", "{*}infEvento", "{*}infProt"):
        name = etree.QName(element).localname
        parts[name] = {"Id": element.get("Id")}
        for child in element:
            local = etree.QName(child).localname
            values = {etree.QName(leaf).localname: leaf.text for leaf in child}
            if local == "det":
                found = {etree.QName(leaf).localname: leaf.text for leaf in child[0]}
                lines.append(
                    [
                        child.get("nItem"),
                        *(found.get(tag) for tag in ("cProd", "xProd", "NCM", "CFOP", "qCom", "vProd")),
                    ]
                )
            elif local == "total":
                parts["total"] = {etree.QName(leaf).localname: leaf.text for leaf in child[0]}
            else:
                parts[local] = values or {local: child.text}
    body = next((parts[name] for name in ("infNFe", "infCte", "infEvento") if name in parts), {})
    ide, emit, dest = parts.get("ide", {}), parts.get("emit", {}), parts.get("dest", {})
    header = [
        (body.get("Id") or "")[3:],
        ide.get("nNF") or ide.get("nCT"),
        ide.get("dhEmi"),
        emit.get("CNPJ"),
        emit.get("xNome"),
        dest.get("CNPJ") or dest.get("CPF"),
        parts.get("total", {}).get("vNF"),
        parts.get("infProt", {}).get("cStat"),
    ]
    return header, lines
