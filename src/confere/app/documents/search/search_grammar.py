"""The grammar of the search box: how its tokens are joined by and, or, not and parentheses.

`lark` is imported with the first search: a start without one does not pay for it (about 90 ms of processor).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from confere.app.documents.search import search_tokens
from confere.app.documents.search.search_tokens import Token
from confere.archive.documents.search.document_query import Joint
from confere.errors import Message, message

if TYPE_CHECKING:
    from lark import Lark

MOST_WORDS: Final = 40
MOST_SIGNS: Final = 2000
"""Characters of a search; a longer text is refused before anything of it is read."""
_DEEPEST: Final = 20
_RULES: Final = f"""
?start: either
either: every (OR every)*
every: listed (AND? listed)*
listed: denied (COMMA denied)*
?denied: (NOT | MINUS) denied -> negated
       | leaf
       | LPAR either RPAR -> inner
leaf: {" | ".join(search_tokens.LEAVES)}
%declare {" ".join(search_tokens.ALL)}
"""
_JOINING: Final = ("OR", "AND", "NOT", "MINUS", "COMMA")


class Joined(NamedTuple):
    """Parts of a search, each a token or joined ones, and how they are joined."""

    joint: Joint
    parts: tuple[Token | Joined, ...]


Parsing = Token | Joined


class Misplaced(Exception):
    """The tokens do not make a search: `what` is wrong with the text from `start` to `end`."""

    def __init__(self, what: Message, start: int, end: int) -> None:
        super().__init__(what)
        self.what = what
        self.start = start
        self.end = end


def warm_up() -> None:
    """Build the grammar now, so that the first search need not."""
    search_tokens.tokens("1")
    _parser()


def check_length(text: str) -> None:
    """`Misplaced` where the text is longer than a search can be."""
    end = len(text.rstrip())
    if end > MOST_SIGNS:
        what = message("This search is too long: write at most {most} characters.", most=MOST_SIGNS)
        raise Misplaced(what, MOST_SIGNS, end)


def parsed(tokens: Sequence[Token]) -> Parsing:
    """The tokens, at least one, as they are joined; `Misplaced` where they cannot be."""
    from lark import Token as Terminal
    from lark.exceptions import UnexpectedToken

    _check_size(tokens)
    machine = _parser().parse_interactive()
    before: Token | None = None
    for place, token in enumerate(tokens):
        try:
            machine.feed_token(Terminal(token.kind, str(place), start_pos=place))
        except UnexpectedToken:
            raise _misplaced(before, token) from None
        before = token
    try:
        tree = machine.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        if before is not None and before.kind in _JOINING:
            raise _needs(before, after=True) from None
        raise _unclosed(tokens) from None
    return _with_tokens(tree, tokens)


def _check_size(tokens: Sequence[Token]) -> None:
    words = depth = 0
    for token in tokens:
        words += token.kind in search_tokens.LEAVES
        depth += (token.kind == "LPAR") - (token.kind == "RPAR")
        if words > MOST_WORDS or depth > _DEEPEST:
            raise Misplaced(
                message(
                    "This search is too long: write at most {words} words, and {depth} parentheses within each other.",
                    words=MOST_WORDS,
                    depth=_DEEPEST,
                ),
                token.start,
                token.end,
            )


def _misplaced(before: Token | None, token: Token) -> Misplaced:
    """Why `token` cannot stand behind `before`."""
    if token.kind == "RPAR":
        if before is not None and before.kind in _JOINING:
            return _needs(before, after=True)
        if before is not None and before.kind == "LPAR":
            return _at(message("There is nothing between these parentheses."), token)
        return _at(message("This parenthesis was not opened: write ( before it, or leave it out."), token)
    return _needs(token, after=False)


def _needs(token: Token, *, after: bool) -> Misplaced:
    if after:
        return _at(message("{sign} needs something to look for after it.", sign=token.text), token)
    return _at(message("{sign} needs something to look for before it.", sign=token.text), token)


def _unclosed(tokens: Sequence[Token]) -> Misplaced:
    opened: list[Token] = []
    for token in tokens:
        if token.kind == "LPAR":
            opened.append(token)
        elif token.kind == "RPAR":
            opened.pop()
    return _at(message("This parenthesis is not closed: write ) where it ends."), opened[-1])


def _at(what: Message, token: Token) -> Misplaced:
    return Misplaced(what, token.start, token.end)


def _with_tokens(tree: Any, tokens: Sequence[Token]) -> Parsing:
    """Lark's tree as ours; its depth is bounded by the number of words and parentheses."""
    if tree.data == "leaf":
        return tokens[int(tree.children[0])]
    if tree.data == "inner":
        return _with_tokens(tree.children[1], tokens)
    parts = tuple(_with_tokens(child, tokens) for child in tree.children if hasattr(child, "data"))
    if tree.data == "negated":
        return Joined("not", parts)
    return parts[0] if len(parts) == 1 else Joined("and" if tree.data == "every" else "or", parts)


@cache
def _parser() -> Lark:
    from lark import Lark

    return Lark(_RULES, parser="lalr", lexer="basic", maybe_placeholders=False)
