"""`confere orders …` and `confere person`."""
