"""One request and its one answer: transport, bodies within bounds, errors in our words."""
