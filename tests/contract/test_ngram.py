"""Language models: what is left out, what a file may hold, what text becomes, and what is refused."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest

from parakh.errors import InputError, UnknownNameError
from parakh.ngram import Preparation, count, estimate, mix, mixing_weights, perplexity, read_arpa, write_arpa

TEXTS = ["मुझे बुखार है", "मुझे खाँसी है", "उसे बुखार है", "बुखार कब से है", "मुझे दवा दो"]

ARPA = """\\data\\
ngram 1=5
ngram 2=2
ngram 3=1

\\1-grams:
-1.0\t<unk>
-99\t<s>\t-0.3
-0.5\t</s>
-0.4\tदवा\t-0.2
-0.6\tलो

\\2-grams:
-0.1\t<s> दवा\t-0.15
-0.2\tलो </s>

\\3-grams:
-0.05\t<s> दवा लो

\\end\\
"""


def test_pruning_leaves_out_what_is_rare_and_what_begins_with_it() -> None:
    counts = count(TEXTS, 3)
    whole, pruned = (estimate(counts, prune).model for prune in ((), (0, 1)))
    assert [len(level.keys) for level in whole.levels] == [12, 15, 15]
    assert [len(level.keys) for level in pruned.levels] == [12, 3, 1]
    assert len(estimate(counts, (1, 1, 1)).model.levels[0].keys) == 6


@pytest.mark.parametrize("prune", [(1, 0), (-1,), (0, 0, 0, 1)])
def test_thresholds_that_make_no_sense_are_refused(prune: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"prune: found .* expected up to 3 whole numbers of at least 0 that do not fall"):
        estimate(count(TEXTS, 3), prune)


def test_no_words_are_refused() -> None:
    with pytest.raises(InputError, match="found no words"):
        estimate(count(["", " । "], 2))


def test_discounts_come_from_counts_of_counts() -> None:
    texts = [" ".join(f"w{at}" for at in range(60) if at % every == 0) for every in (1, 2, 3, 4, 5, 7)]
    found = estimate(count(texts, 1))
    n = [sum(sum(at % every == 0 for every in (1, 2, 3, 4, 5, 7)) == times for at in range(60)) for times in range(5)]
    y = n[1] / (n[1] + 2 * n[2])
    assert found.guessed == ()
    assert found.discounts[0] == pytest.approx([k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2)] + [3 - 4 * y * n[4] / n[3]])


def test_a_file_that_lists_less_backs_off_as_if_it_listed_all(tmp_path: Path) -> None:
    path = tmp_path / "a.arpa"
    path.write_text(ARPA, "utf-8")
    model = read_arpa(path)
    assert [len(level.keys) for level in model.levels] == [5, 3, 1]  # "दवा लो", in which the trigram ends, is added
    first, state = model.score(model.start(), "दवा")
    second, state = model.score(state, "लो")
    third, _ = model.score(state, "</s>")
    assert (first, second, third) == pytest.approx((-0.1, -0.05, -0.2))
    assert model.score((), "पानी")[0] == -1.0
    after = model.score(model.score((), "दवा")[1], "लो")[0]
    assert after == pytest.approx(-0.2 - 0.6)


def test_a_packed_file_is_read_and_written(tmp_path: Path) -> None:
    model = estimate(count(TEXTS, 2)).model
    write_arpa(model, tmp_path / "a.arpa.gz")
    write_arpa(model, tmp_path / "a.arpa")
    assert gzip.decompress((tmp_path / "a.arpa.gz").read_bytes()) == (tmp_path / "a.arpa").read_bytes()
    assert read_arpa(tmp_path / "a.arpa.gz").vocabulary == model.vocabulary


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("\\data\\", "data", r"a\.arpa:1: found '.*', expected \\data\\"),
        ("ngram 2=2", "ngram 2=3", r"2: 3 announced, 2 listed"),
        ("ngram 2=2", "ngram 4=2", r"a\.arpa:3: found 'ngram 4=2'"),
        ("-0.6\tलो", "0.6\tलो", r"a\.arpa:11: found '0\.6\\tलो', expected log10 of a probability, a word"),
        ("-0.6\tलो", "nan\tलो", r"a\.arpa:11: "),
        ("-0.2\tलो </s>", "-0.2\tलो", r"a\.arpa:15: .* 2 words"),
        ("\\3-grams:", "\\4-grams:", r"a\.arpa:17: found \\4-grams:, expected \\3-grams:"),
        ("\\end\\\n", "", r"found the end of the file, expected \\end\\"),
        (ARPA, "\\data\\\n\\end\\\n", "no n-grams"),
        (ARPA, "", r"a\.arpa:1: "),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(old: str, new: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "a.arpa"
    path.write_text(ARPA.replace(old, new), "utf-8")
    with pytest.raises(InputError, match=told):
        read_arpa(path)


def test_a_text_is_prepared_as_the_model_says(tmp_path: Path) -> None:
    model = estimate(count(["BP ठीक है।"], 2, Preparation("indic"))).model
    assert perplexity(model, ["bp ठीक है"]).unknown == 0
    as_written = estimate(count(["BP ठीक है।"], 2, Preparation("none"))).model
    write_arpa(as_written, tmp_path / "a.arpa")
    assert perplexity(read_arpa(tmp_path / "a.arpa"), ["bp ठीक है"]).unknown == 2


def test_aksharas_know_every_word_in_part(tmp_path: Path) -> None:
    model = estimate(count(TEXTS, 3, Preparation(unit="akshara"))).model
    assert perplexity(model, ["मुझे दवा है"]).unknown == 0
    path = tmp_path / "a.arpa"
    write_arpa(model, path)
    path.write_text(path.read_text("utf-8").partition("\n")[2], "utf-8")  # as another tool would write it
    assert read_arpa(path).preparation.unit == "akshara"


def test_marks_of_the_model_in_a_text_are_no_words() -> None:
    assert Preparation("none").tokens("<s> दवा </s>") == ["दवा"]


def test_choices_that_are_none_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="normalisation profile 'indik'; did you mean 'indic'"):
        Preparation("indik")
    with pytest.raises(InputError, match="found 'letter', expected word or akshara"):
        Preparation(unit="letter")


def test_models_prepared_unlike_are_not_mixed() -> None:
    models = [estimate(count(TEXTS, 2, Preparation(name))).model for name in ("none", "indic")]
    for work in (lambda: mix(models, (0.5, 0.5)), lambda: mixing_weights(models, TEXTS)):
        with pytest.raises(InputError, match="found indic, unit word, expected none, unit word"):
            work()


def test_nothing_is_weighed_on_no_text() -> None:
    model = estimate(count(TEXTS, 2)).model
    assert mixing_weights([model, model], []) == (0.5, 0.5)
    assert perplexity(model, []).perplexity is None


def test_an_improbable_text_is_more_perplexing() -> None:
    model = estimate(count(TEXTS, 3)).model
    said, scrambled = (perplexity(model, [text]).perplexity for text in ("मुझे बुखार है", "है मुझे बुखार"))
    assert said is not None
    assert scrambled is not None
    assert math.isfinite(scrambled)
    assert said < scrambled / 3
