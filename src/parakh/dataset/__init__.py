"""A data set: a folder of recordings with one manifest, from the first import to a release one can trust."""
