"""The words of both faces reach a terminal without anything that could command it."""

from __future__ import annotations

from confere.cli import words

ESCAPE = "\x1b[31m"


def test_known_words_are_those_of_both_faces() -> None:
    assert words.type_word("nfe") == "NF-e"
    assert words.state_word("no_protocol") == "no protocol"
    assert words.role_word("emitter") == "Emitter"
    assert words.operation_word("sale") == "sale"
    assert words.operation_word(None) == ""
    assert words.topic_word("disk") == "disk"
    assert words.relation_word("carries", reverse=True) == "is carried by"
    assert words.claims_word(3) == "the XML and the hub"
    assert words.tax_id_word("12ABC34501DE35") == "12.ABC.345/01DE-35"
    assert words.number_word(1, 4711) == "1/4711"


def test_what_a_file_says_cannot_command_the_terminal() -> None:
    assert words.party_word("11444777000161", f"Ipê{ESCAPE}") == "Ipê\ufffd[31m"
    for word in (words.type_word, words.state_word, words.role_word, words.topic_word, words.tax_id_word):
        assert word(ESCAPE) == "\ufffd[31m"
    assert words.operation_word(ESCAPE) == "\ufffd[31m"
    assert words.relation_word(ESCAPE, reverse=True) == "\ufffd[31m"
