"""RSA keys from a seed: the primes are found by our own search, so that the same seed gives the same key.

For a sandbox only: a key that anyone can compute from a seed protects nothing.
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from math import gcd

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPrivateNumbers, RSAPublicNumbers
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256

EXPONENT = 65537
_BITS = 1024
_WINDOW = 1 << 13  # odd candidates sieved at once; a prime is met after about 355 on average
_SIEVE_LIMIT = 1 << 15
_DIGEST = bytes(32)
# What a signature of this digest is by PKCS #1 v1.5 (RFC 8017, 9.2), before the power: the base of Fermat's test.
_PADDED = int.from_bytes(
    b"\0\1".ljust(_BITS // 8 - 52, b"\xff") + bytes.fromhex("003031300d060960864801650304020105000420") + _DIGEST, "big"
)


@lru_cache(maxsize=1_000)
def seeded_key(seed: str) -> RSAPrivateKey:
    """The RSA-2048 key of `seed`; kept, as making one costs as much as signing a hundred papers."""
    p = _prime(f"{seed}|p")
    q = _prime(f"{seed}|q")
    d = pow(EXPONENT, -1, (p - 1) * (q - 1) // gcd(p - 1, q - 1))
    numbers = RSAPrivateNumbers(
        p=p,
        q=q,
        d=d,
        dmp1=d % (p - 1),
        dmq1=d % (q - 1),
        iqmp=pow(q, -1, p),
        public_numbers=RSAPublicNumbers(EXPONENT, p * q),
    )
    # OpenSSL's own check of the primes costs as much as finding them; the tests run it instead.
    return numbers.private_key(unsafe_skip_rsa_key_validation=True)


def _prime(seed: str) -> int:
    """The first prime at or after a seeded odd number of 1024 bits whose two top bits are set."""
    start = int.from_bytes(hashlib.shake_256(seed.encode()).digest(_BITS // 8), "big")
    start |= 1 | 3 << (_BITS - 2)
    while True:
        for candidate in _sieved(start):
            if candidate % EXPONENT != 1 and _passes_fermat(candidate) and _probably_prime(candidate):
                return candidate
        start += 2 * _WINDOW


def _sieved(start: int) -> list[int]:
    """The odd numbers of a window that no small prime divides."""
    alive = bytearray(b"\x01") * _WINDOW
    for prime in _small_primes():
        # The index i with start + 2i divisible by the prime: i = -start/2 modulo the prime.
        first = -start * ((prime + 1) // 2) % prime
        if first < _WINDOW:
            alive[first::prime] = bytes(len(range(first, _WINDOW, prime)))
    return [start + 2 * i for i in range(_WINDOW) if alive[i]]


@cache
def _small_primes() -> tuple[int, ...]:
    sieve = bytearray(b"\x01") * _SIEVE_LIMIT
    for n in range(3, int(_SIEVE_LIMIT**0.5) + 1, 2):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(range(n * n, _SIEVE_LIMIT, n)))
    return tuple(n for n in range(3, _SIEVE_LIMIT, 2) if sieve[n])


def _passes_fermat(n: int) -> bool:
    """Whether `base ** (n - 1) % n == 1`, as for every prime and next to no other number.

    Asked of OpenSSL as a signature by the key with modulus n and exponent n - 2, since that is its only way to a power
    that is open to us: six times as fast as `pow`. The inverse of the base raised to n - 2 is the base exactly then.
    """
    if gcd(_PADDED, n) != 1:
        return False
    signature = pow(_PADDED, -1, n).to_bytes(_BITS // 8, "big")
    key = RSAPublicNumbers(n - 2, n).public_key()
    try:
        key.verify(signature, _DIGEST, PKCS1v15(), Prehashed(SHA256()))
    except InvalidSignature:
        return False
    return True


def _probably_prime(n: int) -> bool:
    """Miller-Rabin; for a random number of this size two bases leave less doubt than the machine itself."""
    odd = n - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    for base in (2, 3):
        x = pow(base, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True
