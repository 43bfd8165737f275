"""Who found which health problems: the clinical concept list, and what conversations say about each concept."""
