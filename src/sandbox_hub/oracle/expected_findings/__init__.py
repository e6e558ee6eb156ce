"""What an honest, careful accountant must find in the world, by the rules and from facts, planted or not."""
