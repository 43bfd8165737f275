"""One file a language: script, digits, rules and word lists, as declarations."""
