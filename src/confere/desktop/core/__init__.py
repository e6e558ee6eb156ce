"""What every part of the window stands on: the application, actions, background reading, errors."""
