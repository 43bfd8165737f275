"""One file a form of the tables, each from the one before."""
