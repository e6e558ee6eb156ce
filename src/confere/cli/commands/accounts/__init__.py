"""`confere account …` and `confere sync`."""
