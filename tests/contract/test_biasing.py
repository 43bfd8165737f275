"""Leading recognisers: lists of hot words, options of presets, the search of IndicConformer, a speller's words."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from parakh.cascade.biasing import BiasOptions, Fusion, HotWord, read_hot_words
from parakh.cascade.biasing.spelling import BiasedWords
from parakh.cascade.biasing.trie import HotTrie
from parakh.cascade.preset import load_preset
from parakh.cascade.recognisers.indic_conformer import best_path, led_by, words
from parakh.cascade.whisper.language_model import LanguageModel
from parakh.cascade.whisper.urdu import Speller
from parakh.errors import InputError
from parakh.ngram import count, estimate, write_arpa

VOCABULARY = ["▁द", "वा", "ावा", "▁लो", "▁दो", "|"]
SURE, LIKELY, HARDLY = 0.9, 0.5, 0.3


def frames(*rows: dict[str, float]) -> np.ndarray:
    """Log-probabilities of frames; what a row does not name shares the rest."""
    found = []
    for row in rows:
        rest = (1 - sum(row.values())) / (len(VOCABULARY) - len(row))
        found.append([row.get(token, rest) for token in VOCABULARY])
    return np.log(np.array(found, np.float32))


HEARD = frames({"▁द": SURE}, {"ावा": LIKELY, "वा": HARDLY}, {"|": SURE}, {"▁दो": LIKELY, "▁लो": HARDLY}, {"|": SURE})


def written(search, logs: np.ndarray = HEARD) -> str:
    return " ".join(word.text for word in words(search(logs, VOCABULARY), VOCABULARY, 0.04))


def test_a_bias_that_says_nothing_changes_nothing() -> None:
    assert written(best_path) == written(led_by(Fusion(hot_words=[HotWord("बुखार")]))) == "दावा दो"
    assert led_by(Fusion())(HEARD, VOCABULARY)[0].start == 0


def test_hot_words_and_a_language_model_decide_what_is_hardly_heard() -> None:
    assert written(led_by(Fusion(hot_words=[HotWord("दवा")]))) == "दवा दो"
    assert written(led_by(Fusion(hot_words=[HotWord("दवा लो")], boost=3.0))) == "दवा लो"
    model = estimate(count(["दवा लो", "दवा लो ना", "पानी लो"], 2)).model
    assert written(led_by(Fusion(model, lm_weight=1.0))) == "दवा लो"
    assert written(led_by(Fusion(model, lm_weight=0.0))) == "दावा दो"


def test_what_is_sure_is_not_overruled() -> None:
    sure = frames({"▁द": 0.999}, {"ावा": 0.999}, {"|": 0.999})
    assert written(led_by(Fusion(hot_words=[HotWord("दवा")], boost=2.0)), sure) == "दावा"


def test_emissions_have_the_frames_of_their_tokens() -> None:
    found = led_by(Fusion(hot_words=[HotWord("दवा लो")], boost=3.0))(HEARD, VOCABULARY)
    assert [(one.token, one.start, one.end) for one in found] == [(0, 0, 1), (1, 1, 2), (3, 3, 4)]


@pytest.mark.parametrize("text", ["दवा", "दवा।", "दवा, लो", "(दवा)", "मीठी दवा"])
def test_a_hot_word_ends_at_marks(text: str) -> None:
    assert HotTrie([HotWord("दवा")], 2.0).worth(text) == 2.0


@pytest.mark.parametrize("text", ["दवाई", "सदवा", "दव", ""])
def test_a_part_of_a_word_is_no_hot_word(text: str) -> None:
    assert HotTrie([HotWord("दवा")], 2.0).worth(text) == pytest.approx(0.0)


def test_spellings_that_look_alike_are_one_word() -> None:
    trie = HotTrie([HotWord("\u092a\u095d\u093e\u0908"), HotWord("insulin")], 1.0)
    assert [trie.worth(text) for text in ("\u092a\u0922\u093c\u093e\u0908", "Insulin", "insulin")] == [1.0, 1.0, 1.0]
    assert HotTrie([HotWord("मलेरि", stem=True)], 1.0).worth("मलेरिया मलेरिये") == pytest.approx(2.0)


def test_a_list_of_terms_is_a_list_of_hot_words(tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_text("# medicines\n@category: MEDICAL\niron = आयरन | आयरन की गोली\t2.5\nREGEX: \\d+ mg\nदवा # common\n", "utf-8")
    assert read_hot_words(path) == (
        HotWord("iron", 2.5),
        HotWord("आयरन", 2.5),
        HotWord("आयरन की गोली", 2.5),
        HotWord("दवा"),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("दवा\tmuch\nपानी\t-1\n", r"terms\.txt:1: weight: found 'much'.*\n.*terms\.txt:2: weight: found '-1'"),
        ("# nothing\n", "found no term"),
        ("REGEX: a+b\n", "found patterns only, expected at least one word"),
        ("@colour: red\nदवा\n", r"terms\.txt:1: found the key '@colour'"),
    ],
)
def test_what_is_wrong_with_a_list_is_told_with_its_line(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=told):
        read_hot_words(path)


def test_options_of_a_preset_are_checked_before_anything_runs(tmp_path: Path) -> None:
    preset = tmp_path / "a.toml"
    preset.write_text(
        '[diarizer]\nname = "segmentation-clustering"\n[transcriber]\nname = "indic-conformer"\nlm = "no.arpa"\nlm_weight = -1\n'
    )
    with pytest.raises(InputError) as found:
        load_preset(str(preset))
    faults = {fault.field: str(fault) for fault in found.value.faults}
    assert "expected an ARPA file, as `parakh lm build` writes it" in faults["transcriber.lm"]
    assert "expected a number from 0 to 10" in faults["transcriber.lm_weight"]
    assert "expected one of ctc with lm or hot_words" in faults["transcriber.decoder"]


def test_files_are_read_once(tmp_path: Path) -> None:
    path, terms = tmp_path / "a.arpa", tmp_path / "terms.txt"
    write_arpa(estimate(count(["दवा लो"], 2)).model, path)
    terms.write_text("दवा\n", "utf-8")
    options = BiasOptions(lm=str(path), hot_words=str(terms))
    fusion = options.fusion()
    assert fusion is not None
    path.unlink()
    assert options.fusion() is fusion
    assert fusion.bias("दवा लो") > fusion.bias("दवा दवा दवा") - 4.0
    assert BiasOptions().fusion() is None


def test_a_speller_knows_hot_words_and_what_follows_what() -> None:
    own = LanguageModel({"दावा": 300.0, "दवा": 400.0, "लो": 300.0}, [])
    model = estimate(count(["दवा लो"] * 3, 2)).model
    led = BiasedWords(own, Fusion(model, 0.5, hot_words=[HotWord("आयरन"), HotWord("दवा")], boost=2.0))
    assert "आयरन" in led.words
    assert led.cost("आयरन") == pytest.approx(-math.log(0.5e-5) - 2.0)
    assert led.cost("दवा", "") < own.cost("दवा", "") - 2.0
    assert led.cost("लो", "दवा") < led.cost("लो", "दावा")
    alone = BiasedWords(own, Fusion())
    assert alone.cost("दवा", "लो") == own.cost("दवा", "लो")


def test_a_hot_word_decides_between_words_that_are_spelt_alike_in_urdu() -> None:
    own = LanguageModel({"दवा": 300.0, "दुआ": 300.0, "लो": 300.0}, [])
    written = {hot: Speller(BiasedWords(own, Fusion(hot_words=[HotWord(hot)], boost=20.0))).spell("دوا") for hot in ("दवा", "दुआ")}
    assert written == {"दवा": "दवा", "दुआ": "दुआ"}
