"""What a word is for ROUGE, script by script."""

import pytest

from parakh.text.rouge_tokens import rouge_tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("मरीज़ को बुखार है।", ["मरीज़", "को", "बुखार", "है"]),
        ("ಹೊಟ್ಟೆ ನೋವು, ೩ ದಿನ", ["ಹೊಟ್ಟೆ", "ನೋವು", "೩", "ದಿನ"]),
        ("അവൻ അവന്\u200d", ["അവൻ", "അവന്\u200d"]),
        ("क्\u200dष \u200d क", ["क्\u200dष", "क"]),
        ("Café naïve", ["café", "naïve"]),
        ("x_y don't 98.6°F", ["x", "y", "don", "t", "98", "6", "f"]),
        (" \n।", []),
    ],
)
def test_words_of_every_script_are_whole(text, words):
    assert list(rouge_tokens(text)) == words
