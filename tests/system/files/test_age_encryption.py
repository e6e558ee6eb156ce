"""The age format with a passphrase: read and written by another implementation too, and nothing forged passes."""

from __future__ import annotations

import base64
import io
import os

import pyrage
import pytest

from confere.system.files import age_encryption
from confere.system.files.age_encryption import AgeDamaged, WrongPassphrase

CHUNK = 64 * 1024
WORDS = "três corvos à mesa"
# Written by pyrage 1.4, which takes seconds for it: it measures how much work the machine can do.
FOREIGN = base64.b64decode(
    b"YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBFZkp5RDVJMFBlcnh2M1B1cDBZbU53IDE3CnBYOFVjelM0eGVpNVNxMEN0"
    b"U2VRWDNQZHdSTGxNUEtiV3lCajlJUHAxdk0KLS0tIFNlTW5RRFdFU2hMclR5Q0cxMDBlaDZmMzFrOWhWclREaUVsY3FxQUEwYUkK"
    b"QxoCjybSP5Zh95jKJyu38SgU58JrFVCPq9z7UH6/Y4O338YqJ9knIgwW+nlF/nxCAvjQM+tejtYnmdw0lA=="
)


def encrypted(data: bytes, passphrase: str = WORDS) -> bytes:
    target = io.BytesIO()
    age_encryption.encrypt(io.BytesIO(data), target, passphrase, work=8)
    return target.getvalue()


def decrypted(data: bytes, passphrase: str = WORDS) -> bytes:
    target = io.BytesIO()
    age_encryption.decrypt(io.BytesIO(data), target, passphrase)
    return target.getvalue()


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_another_implementation_reads_what_is_written(size: int) -> None:
    data = os.urandom(size)
    made = encrypted(data)
    assert age_encryption.is_encrypted(made)
    assert pyrage.passphrase.decrypt(made, WORDS) == data
    assert decrypted(made) == data


def test_what_another_implementation_writes_is_read() -> None:
    assert decrypted(FOREIGN).decode() == "Confere guarda o que é seu.\n"


def test_another_passphrase_is_told_from_damage() -> None:
    with pytest.raises(WrongPassphrase):
        decrypted(encrypted(b"x"), WORDS + " ")


def test_what_was_cut_off_or_changed_is_refused() -> None:
    made = encrypted(os.urandom(2 * CHUNK))
    header = made.index(b"\n---")
    for cut in (0, 10, header, len(made) - CHUNK - 16, len(made) - 1):
        with pytest.raises(AgeDamaged):
            decrypted(made[:cut])
    for place in (header + 8, len(made) - CHUNK - 30, len(made) - 1):
        changed = bytearray(made)
        changed[place] ^= 1
        with pytest.raises(AgeDamaged):
            decrypted(bytes(changed))
    with pytest.raises(AgeDamaged):
        decrypted(made + b"x")


@pytest.mark.parametrize("work", [b"21", b"63", b"018", b"-1", b"x"])
def test_a_file_that_asks_for_too_much_work_is_refused_at_once(work: bytes) -> None:
    with pytest.raises(AgeDamaged):
        decrypted(encrypted(b"x").replace(b" 8\n", b" " + work + b"\n", 1))


def test_no_more_than_a_chunk_is_read_at_once() -> None:
    asked: list[int] = []

    class Watched(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            asked.append(size or 0)
            return super().read(size)

    told: list[int] = []
    target = io.BytesIO()
    age_encryption.encrypt(Watched(bytes(5 * CHUNK)), target, WORDS, told.append, work=8)
    age_encryption.decrypt(Watched(target.getvalue()), io.BytesIO(), WORDS, told.append)
    assert min(asked) > 0 and max(asked) <= CHUNK + 16
    assert sum(told) == 10 * CHUNK + 5 * 16
