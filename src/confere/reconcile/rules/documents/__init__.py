"""Rules on documents by themselves: R7a, R7c, R12, R14, R17 to R19, R24."""
