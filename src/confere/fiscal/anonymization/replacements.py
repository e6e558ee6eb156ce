"""What stands in the place of each value: same form, the same for the same value, and never a value that was there.

Random by nature: nothing of the original can be computed from its replacement, and totals no longer add up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Set
from decimal import Decimal
from random import Random
from typing import Final

from confere.fiscal import access_keys, taxpayers

_VOWELS: Final = "aeiou"
_CONSONANTS: Final = "bcdfglmnprstv"
_TRIES: Final = 200  # until a replacement counts as new; short ones may run out
_LAST_COMMON_DAY: Final = 28


class Replacements:
    """`originals` are the words and numbers, in lower case, that no replacement may equal.

    `months` is how far back every day is moved; what lies behind the 28th goes to the 28th, so that each day stays in
    the month that its paper's access key names.
    """

    def __init__(self, originals: Set[str], randomness: Random, months: int) -> None:
        self._originals = originals
        self._random = randomness
        self._months = months
        self._known: dict[tuple[str, str], str] = {}
        self._taken: set[tuple[str, str]] = set()

    def word(self, word: str) -> str:
        """Letters and digits in their places, cases kept, leading zeros too; accents count as plain letters."""
        plain = _plain(word)
        if plain.isdigit():
            return self.digits(plain)
        made = self._replacement("word", plain, lambda: self._shape(plain))
        return "".join(new.upper() if old.isupper() else new for old, new in zip(word, made, strict=True))

    def digits(self, digits: str) -> str:
        """Another number of as many digits; zeros in front stay, and are no part of what is looked up."""
        number = digits.lstrip("0")
        if not number:
            return digits
        return digits[: len(digits) - len(number)] + self._replacement("word", number, lambda: self._shape(number))

    def amount(self, amount: Decimal) -> Decimal:
        """Another number of as many digits before and behind the point; zero stays, and so does the sign."""
        if not amount or not amount.is_finite():
            return amount
        plain = f"{abs(amount):f}"
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
        whole, point, rest = plain.partition(".")
        if not point:
            made = self.digits(whole)
        else:
            made = self._replacement("amount", plain, lambda: f"{self._shape(whole)}.{self._fraction(rest)}")
        return Decimal(made).copy_sign(amount)

    def cnpj(self, cnpj: str) -> str:
        """Another company's; establishments of one company stay together, and check digits hold."""
        root, branch = cnpj[:8].upper(), cnpj[8:12].upper()
        base = self._replacement("root", root, lambda: self._shape(root.lower())).upper() + branch
        return base + taxpayers.cnpj_check_digits(base)

    def cpf(self, cpf: str) -> str:
        """Another person's, whose check digits hold."""
        base = self._replacement("cpf", cpf[:9], lambda: self._shape(cpf[:9]))
        return base + taxpayers.cpf_check_digits(base)

    def key(self, key: str) -> str:
        """Another access key of the same model and series, which agrees with what replaces the paper's own fields."""
        field = key[6:20]
        emitter = "000" + self.cpf(field[3:]) if _holds_cpf(field) else self.cnpj(field)
        year, month = self._moved(2000 + int(key[2:4]), int(key[4:6]))
        number, code = (self._number(part) for part in (key[25:34], key[35:43]))
        base = f"{key[:2]}{year % 100:02d}{month:02d}{emitter}{key[20:25]}{number}{key[34]}{code}"
        return base + access_keys.check_digit(base)

    def day(self, year: str, month: str, day: str) -> tuple[str, str, str]:
        """The same day of another month; see `months`."""
        moved_year, moved_month = self._moved(int(year), int(month))
        return f"{moved_year:04d}", f"{moved_month:02d}", f"{min(int(day), _LAST_COMMON_DAY):02d}"

    def _number(self, padded: str) -> str:
        """A number within a key as it stands elsewhere by itself; short ones are kept there and here."""
        return padded if len(padded.lstrip("0")) <= KEPT_DIGITS else self.digits(padded)

    def _moved(self, year: int, month: int) -> tuple[int, int]:
        if not 1 <= month <= 12:
            return year, month
        count = year * 12 + month - 1 - self._months
        return count // 12, count % 12 + 1

    def _replacement(self, kind: str, value: str, make: Callable[[], str]) -> str:
        known = self._known.get((kind, value))
        if known is not None:
            return known
        made = make()
        for _ in range(_TRIES):
            if made not in self._originals and (kind, made) not in self._taken:
                break
            made = make()
        self._known[kind, value] = made
        self._taken.add((kind, made))
        return made

    def _shape(self, plain: str) -> str:
        """Letters for letters, digits for digits; what begins without a zero still does."""
        made = []
        for place, character in enumerate(plain):
            if character.isdigit():
                made.append(str(self._random.randint(1 if place == 0 and character != "0" else 0, 9)))
            elif character.isalpha():
                made.append(self._random.choice(_VOWELS if place % 2 else _CONSONANTS))
            else:
                made.append(character)
        return "".join(made)

    def _fraction(self, digits: str) -> str:
        """As many digits behind the point, the last no zero: it would be written off."""
        return "".join(str(self._random.randint(0, 9)) for _ in digits[1:]) + str(self._random.randint(1, 9))


KEPT_DIGITS: Final = 3
"""Whole numbers of so many digits are codes and counts far more often than anything of a person: texts keep them."""


def _holds_cpf(field: str) -> bool:
    return field.startswith("000") and taxpayers.is_cpf(field[3:]) and not taxpayers.is_cnpj(field)


def _plain(word: str) -> str:
    """In lower case and without accents, of the same length."""
    return "".join(
        base[0] if re.match(r"[a-z0-9]", base) else "x"
        for base in (unicodedata.normalize("NFKD", letter.casefold()) or "x" for letter in word)
    )
