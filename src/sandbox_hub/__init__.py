"""An embedded hub with a simulated world, on loopback only; imports nothing of confere."""
