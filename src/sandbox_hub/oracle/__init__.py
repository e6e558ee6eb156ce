"""What is true of a world, and what an honest accountant must find in it, without Confere's code."""
