"""The simulated world: a pure function of seed and index, with nothing stored."""
