"""What lies over the pages at the lower right: messages, without moving anything below them."""
