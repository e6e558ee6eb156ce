"""`confere catalog`: a hub's products here, and products from a file there."""
