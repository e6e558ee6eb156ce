"""The commands, one a file: each a function that takes a `Face` and its options and gives an exit code."""
