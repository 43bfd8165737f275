"""The reference of the site, a page for each thing that can be named: made from its declaration and its docstring."""
