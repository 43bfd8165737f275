"""The shared engine of the Whisper backends: windows, features, decoding, and Urdu spelling to Devanagari.

Turns are packed into windows (``windows``), which become log-mel features (``features``) and are encoded once for
both tasks (``engine``). Words come out with times, go back to their turns, and are written in Devanagari where
they came in Urdu spelling (``urdu``, with ``lexicon`` and ``language_model``). ``recognition`` is what backends call.
"""
