"""Encrypts and decrypts a stream with a passphrase in the age format, in chunks: memory does not grow with the file.

The format is age v1 with one `scrypt` recipient; the programs `age` and `rage` read and write the same. Libraries for
it take and give whole files in memory for passphrases, which an archive of gigabytes does not allow; the primitives
are those of `hashlib` and `cryptography`.

Source: https://age-encryption.org/v1 (C2SP age.md), sections "scrypt recipient stanza", "Header MAC", "Payload".
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

INTRODUCTION: Final = b"age-encryption.org/v1\n"
WORK_FACTOR: Final = 18
"""2 to this power rounds of scrypt, as `age` itself takes: about a second, and 256 MB for it."""
MOST_WORK: Final = 20  # a hostile file must not ask for more than 1 GB
_SCRYPT_LABEL: Final = b"age-encryption.org/v1/scrypt"
_CHUNK: Final = 64 * 1024
_TAG: Final = 16
_KEY: Final = 16
_LONGEST_LINE: Final = 256

OnChunk = Callable[[int], None]
"""Told how many bytes more are done; what it raises ends the work."""


class ByteSource(Protocol):
    """What is read from: a file, or one that looks on."""

    def read(self, size: int, /) -> bytes: ...
    def readline(self, limit: int, /) -> bytes: ...


class ByteTarget(Protocol):
    """What is written to."""

    def write(self, data: bytes, /) -> object: ...


class WrongPassphrase(Exception):
    """The passphrase does not open the file, or the beginning of the file is damaged."""


class AgeDamaged(Exception):
    """The file is no age file with a passphrase, was changed, or was cut off."""


def is_encrypted(head: bytes) -> bool:
    """Whether a file that begins with `head` is in the age format."""
    return head.startswith(INTRODUCTION)


def encrypt(
    source: ByteSource, target: ByteTarget, passphrase: str, on_chunk: OnChunk | None = None, work: int | None = None
) -> None:
    """Write `source` to its end into `target`, encrypted; `work` in place of `WORK_FACTOR`.

    Raises what reading and writing raise.
    """
    work = WORK_FACTOR if work is None else work
    file_key, salt, nonce = secrets.token_bytes(_KEY), secrets.token_bytes(16), secrets.token_bytes(16)
    body = _aead(_wrapping_key(passphrase, salt, work)).encrypt(bytes(12), file_key, None)
    header = INTRODUCTION + b"-> scrypt %s %d\n%s\n---" % (_base64(salt), work, _base64(body))
    target.write(header + b" " + _base64(_header_mac(file_key, header)) + b"\n" + nonce)
    payload = _aead(_derived(file_key, nonce, b"payload"))
    for number, chunk, is_last in _chunks(source, _CHUNK):
        target.write(payload.encrypt(_nonce(number, is_last), chunk, None))
        if on_chunk is not None:
            on_chunk(len(chunk))


def decrypt(source: ByteSource, target: ByteTarget, passphrase: str, on_chunk: OnChunk | None = None) -> None:
    """Write what `source` holds into `target`, decrypted.

    Nothing of it may be used before this returned: a file that was cut off is known at its end only.
    Raises `WrongPassphrase`, `AgeDamaged`, and what reading and writing raise.
    """
    from cryptography.exceptions import InvalidTag

    header, salt, work, body, mac = _read_header(source)
    try:
        file_key = _aead(_wrapping_key(passphrase, salt, work)).decrypt(bytes(12), body, None)
    except InvalidTag:
        raise WrongPassphrase from None
    if not hmac.compare_digest(mac, _header_mac(file_key, header)):
        raise AgeDamaged
    nonce = source.read(16)
    if len(nonce) != 16:
        raise AgeDamaged
    payload = _aead(_derived(file_key, nonce, b"payload"))
    for number, chunk, is_last in _chunks(source, _CHUNK + _TAG):
        try:
            plain = payload.decrypt(_nonce(number, is_last), chunk, None)
        except InvalidTag:
            raise AgeDamaged from None
        if not plain and number:
            raise AgeDamaged
        target.write(plain)
        if on_chunk is not None:
            on_chunk(len(chunk))


def _read_header(source: ByteSource) -> tuple[bytes, bytes, int, bytes, bytes]:
    """The header up to its MAC, salt, work factor, wrapped key and MAC. Raises `AgeDamaged`."""
    introduction, stanza, body, end = (source.readline(_LONGEST_LINE) for _ in range(4))
    words = stanza.split()
    if introduction != INTRODUCTION or words[:2] != [b"->", b"scrypt"] or len(words) != 4:
        raise AgeDamaged
    if not (words[3].isdigit() and not words[3].startswith(b"0") and int(words[3]) <= MOST_WORK):
        raise AgeDamaged
    salt, wrapped = _from_base64(words[2]), _from_base64(body.rstrip(b"\n"))
    if len(salt) != 16 or len(wrapped) != _KEY + _TAG or not end.startswith(b"--- ") or not end.endswith(b"\n"):
        raise AgeDamaged
    return introduction + stanza + body + b"---", salt, int(words[3]), wrapped, _from_base64(end[4:-1])


def _chunks(source: ByteSource, size: int) -> Iterator[tuple[int, bytes, bool]]:
    """The pieces of a stream by number, and whether it is the last; of an empty stream one empty piece."""
    number, chunk = 0, _exactly(source, size)
    while True:
        following = _exactly(source, size) if len(chunk) == size else b""
        yield number, chunk, not following
        if not following:
            return
        number, chunk = number + 1, following


def _exactly(source: ByteSource, size: int) -> bytes:
    """So many bytes, fewer at the end only: a raw stream may give fewer at once."""
    pieces, wanted = [], size
    while wanted and (piece := source.read(wanted)):
        pieces.append(piece)
        wanted -= len(piece)
    return b"".join(pieces)


def _wrapping_key(passphrase: str, salt: bytes, work: int) -> bytes:
    rounds = 1 << work
    most = 128 * 8 * (rounds + 4) + 1024 * 1024
    return hashlib.scrypt(passphrase.encode(), salt=_SCRYPT_LABEL + salt, n=rounds, r=8, p=1, maxmem=most, dklen=32)


def _header_mac(file_key: bytes, header: bytes) -> bytes:
    return hmac.digest(_derived(file_key, b"", b"header"), header, "sha256")


def _derived(key: bytes, salt: bytes, purpose: bytes) -> bytes:
    """HKDF with SHA-256, of one block. Source: RFC 5869."""
    extracted = hmac.digest(salt or bytes(32), key, "sha256")
    return hmac.digest(extracted, purpose + b"\x01", "sha256")


def _aead(key: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(key)


def _nonce(number: int, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + (b"\x01" if is_last else b"\x00")


def _base64(data: bytes) -> bytes:
    return base64.b64encode(data).rstrip(b"=")


def _from_base64(text: bytes) -> bytes:
    try:
        data = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise AgeDamaged from None
    if _base64(data) != text:
        raise AgeDamaged
    return data
