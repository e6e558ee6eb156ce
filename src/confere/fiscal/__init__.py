"""The paper: keys, taxpayers and the reading of NF-e, CT-e and event XML; pure functions, no I/O."""
