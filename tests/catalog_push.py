"""Push a file of products, killed on the way, and count what the hub has: `python -m tests.catalog_push`.

`--products 5000 --kills 2`. The sandbox hub runs in this process, `confere catalog push` as a process of its own that
is killed (SIGKILL; TerminateProcess on Windows) while products are on their way.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import xlsxwriter

from sandbox_hub.catalog.ids import FIRST_WRITTEN
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.end_to_end.confere import ENVIRONMENT, add_account, apart, command
from tests.loopback import LOOPBACK

HEADERS: Final = (
    *("Título", "SKU", "EAN", "Preço", "Estoque", "Unidade", "NCM", "Origem", "Marca", "Categoria"),
    *("Imagens", "Produto", "Variação 1", "Valor 1"),
)
_CODE: Final = "PUSH-"


class Pushed(NamedTuple):
    """What came of it. `sent` counts products that were sent to the hub, refused ones too; `codes` are the hub's."""

    kills_at: tuple[int, ...]
    code: int
    counts: dict[str, Any]
    codes: Counter[str]
    sent: int
    seconds: float


def ean(number: int) -> str:
    """A GTIN-13 of this number."""
    digits = f"789{number:09d}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return digits + str(-total % 10)


def product(number: int) -> tuple[str, ...]:
    """A row of a new product, by `HEADERS`; its brand and category are new too."""
    return (
        f"Produto {number}", f"{_CODE}{number:05d}", ean(number), f"{10 + number % 90},90", str(number % 50), "UN",
        "61091000", "0", f"Marca nova {number % 7}", f"Novidades > Grupo {number % 5}",
        f"https://imagens.example/{number}.jpg", "", "", "",
    )  # fmt: skip


def write_file(path: Path, rows: Iterator[tuple[str, ...]] | list[tuple[str, ...]]) -> None:
    """A workbook of products, all cells texts."""
    with xlsxwriter.Workbook(str(path), {"constant_memory": True}) as book:
        page = book.add_worksheet("Produtos")
        for line, row in enumerate((HEADERS, *rows)):
            for place, text in enumerate(row):
                if text:
                    page.write_string(line, place, text)


def listed(hub: RunningHub) -> list[dict[str, Any]]:
    """Every product that the hub lists."""
    found: list[dict[str, Any]] = []
    headers = {"serviceToken": hub.token, "platform": "test"}
    while True:
        query = {"limit": 100, "offset": len(found)}
        page = httpx.get(f"{hub.address}/products", params=query, headers=headers, **LOOPBACK).raise_for_status().json()
        found += page["content"]
        if not page["content"] or len(found) >= page["page"]["totalElements"]:
            return found


def push_killed(folder: Path, products: int, kills: int) -> Pushed:
    """Push so many products with so many kills, then once to the end."""
    home, file = folder / "home", folder / "produtos.xlsx"
    write_file(file, list(map(product, range(1, products + 1))))
    began = time.monotonic()
    with running(SandboxOptions(documents=200, seed=11)) as hub:
        add_account(home, "loja", hub.address, hub.token)
        kills_at = tuple(
            _push_until(home, file, products * (turn + 1) // (kills + 1) - products * turn // (kills + 1))
            for turn in range(kills)
        )
        last = apart(home, "catalog", "push", str(file), "--yes")
        ours = [each for each in listed(hub) if each["skus"][0]["partnerId"].startswith(_CODE)]
    codes = Counter(sku["partnerId"] for each in ours for sku in each["skus"])
    # The hub gives out its ids one after another, to what it refuses as well.
    sent = max((each["id"] for each in ours), default=FIRST_WRITTEN - 1) - FIRST_WRITTEN + 1
    counts = last.json["counts"] or {}
    return Pushed(kills_at, last.code, counts, codes, sent, time.monotonic() - began)


def _push_until(home: Path, file: Path, steps: int) -> int:
    """Push in a process of its own and kill it when it has written so many things; how many it had told of then."""
    process = subprocess.Popen(
        [*command(home, "catalog", "push", str(file), "--yes"), "--progress-json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=ENVIRONMENT,
    )
    assert process.stdout and process.stderr
    done = 0
    for line in process.stdout:
        told = json.loads(line)
        if told.get("type") == "progress" and told["message"]["id"].startswith("Writing products"):
            done = told["done"]
            if done >= steps:
                break
    else:
        raise AssertionError(f"it ended before it could be killed: {process.stderr.read()}")
    process.kill()  # SIGKILL; TerminateProcess on Windows
    process.wait()
    process.stdout.close()
    process.stderr.close()
    return done


def main() -> int:
    """Print what came of it; 1 where a product lacks, or was sent twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--products", type=int, default=5000)
    parser.add_argument("--kills", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="confere-push-", ignore_cleanup_errors=True) as folder:
        pushed = push_killed(Path(folder), given.products, given.kills)
    twice = sum(count > 1 for count in pushed.codes.values())
    print(f"killed after {', '.join(map(str, pushed.kills_at)) or 'nothing'} things were written")
    print(f"last run: exit code {pushed.code}, rows {pushed.counts}")
    print(f"at the hub: {len(pushed.codes)} of {given.products} products, {twice} twice")
    print(f"sent to the hub: {pushed.sent} new products, {pushed.seconds:.0f} s in all")
    whole = len(pushed.codes) == given.products == pushed.sent and not twice and pushed.code == 0
    print("complete" if whole else "NOT complete")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
