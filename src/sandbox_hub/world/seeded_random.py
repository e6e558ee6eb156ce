"""Dice that fall the same way in every process: a 64-bit mixer of seed, topic and index."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import blake2b
from typing import TypeVar

_MASK = (1 << 64) - 1
_T = TypeVar("_T")


class Die:
    """The throws of one topic: `die(i)` is a number below 2**64, the same for ever.

    The language's own generator is not used: its shuffles may change between Python versions, and the bytes
    of a world must not.
    """

    __slots__ = ("_key",)

    def __init__(self, seed: int, topic: str) -> None:
        digest = blake2b(topic.encode(), digest_size=8, key=str(seed).encode()[:64]).digest()
        self._key = int.from_bytes(digest, "big")

    def __call__(self, i: int) -> int:
        x = (self._key + i * 0x9E3779B97F4A7C15) & _MASK
        # The finaliser of splitmix64: every input bit reaches every output bit.
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
        return x ^ (x >> 31)

    def below(self, i: int, sides: int) -> int:
        """A throw in [0, sides)."""
        return self(i) % sides

    def between(self, i: int, low: int, high: int) -> int:
        """A throw in [low, high]."""
        return low + self.below(i, high - low + 1)

    def unit(self, i: int) -> float:
        """A throw in [0, 1)."""
        return (self(i) >> 11) / (1 << 53)

    def pick(self, i: int, options: Sequence[_T]) -> _T:
        """One of `options`."""
        return options[self.below(i, len(options))]

    def shuffle(self, items: MutableSequence[_T]) -> None:
        """Fisher and Yates, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i, i + 1)
            items[i], items[j] = items[j], items[i]


def derive(seed: int, name: str) -> int:
    """Another seed for another world (an environment, say)."""
    return Die(seed, "derive:" + name)(0)
