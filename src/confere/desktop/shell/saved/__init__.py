"""The lower part of the sidebar: saved searches and tags, and what is done with them."""
