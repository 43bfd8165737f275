"""Results in a terminal: what is shown is plain data (``content``), and the one screenful of code that shows it is ``app``."""
