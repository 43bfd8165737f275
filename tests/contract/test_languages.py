"""Every language's file declares what the others do, and says what is wrong with it."""

import unicodedata
from pathlib import Path

import pytest

from parakh import languages
from parakh.cli import plugins
from parakh.errors import InputError
from parakh.text import tiers

MINIMAL = 'name = "Test"\nnative_name = "परीक्षा"\nscripts = ["Deva"]\n'


@pytest.mark.parametrize("tag", languages.names())
def test_a_file_is_complete(tag: str) -> None:
    language = languages.get(tag)
    assert language.tag == tag
    assert language.name
    assert language.native_name
    assert language.scripts
    assert language.negations
    assert language.sources
    assert all(language.body_sides)
    assert not set(language.body_sides[0]) & set(language.body_sides[1])
    assert all(rule.source for rule in language.rules)
    assert set(tiers.DEFAULT) <= set(language.folds) <= set(tiers.TIERS)
    assert set(language.opt_in) <= set(tiers.TIERS) - set(language.folds)


@pytest.mark.parametrize("tag", languages.names())
def test_words_are_in_canonical_composition_and_said_once(tag: str) -> None:
    text = (languages.FOLDER / f"{tag}.toml").read_text(encoding="utf-8")
    assert text == unicodedata.normalize("NFC", text)
    language = languages.get(tag)
    for words in (language.folds, language.fillers, language.particles, language.negations, language.time_words):
        assert len(set(words)) == len(words)


@pytest.mark.parametrize("tag", languages.names())
def test_digits_are_those_of_unicode(tag: str) -> None:
    digits = languages.get(tag).digits
    assert [unicodedata.digit(digit) for digit in digits] in ([], list(range(10)))


@pytest.mark.parametrize("tag", ["hi-IN", "hin", "HI", "hi_IN", " hi "])
def test_tags_of_any_form(tag: str) -> None:
    assert languages.get(tag) is languages.get("hi")


@pytest.mark.parametrize("tag", [None, "", "xx", "../hi", "und"])
def test_an_unknown_language_is_neutral(tag: str | None) -> None:
    assert languages.get(tag) is languages.NEUTRAL
    assert languages.NEUTRAL.rules == ()


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("name = ", ""),
        ('name = "Test"\n', "native_name"),
        (MINIMAL + 'colour = "red"\n', "colour"),
        (MINIMAL + 'folds = ["nasl"]\n', "folds"),
        (MINIMAL + 'folds = "nasal"\n', "folds"),
        (MINIMAL + 'digits = "०१२"\n', "digits"),
        (MINIMAL + "folds = 5\n", "folds"),
        (MINIMAL + "digits = 5\n", "digits"),
        (MINIMAL.replace("Deva", "Arab") + '[borrowed]\nrules = ["guna"]\n', "scripts"),
        (MINIMAL + '[borrowed]\nrules = ["guna"]\nletters = "x"\n', "borrowed"),
        (MINIMAL + 'body_sides = ["a"]\n', "body_sides"),
        (MINIMAL + "sandhi = 3\n", "sandhi"),
        (MINIMAL + '[[sandhi]]\nname = "x"\njoins = ["अ + इ -> ए"]\n', "sandhi.x.source"),
        (MINIMAL + '[[sandhi]]\nname = "x"\nsource = "s"\njoins = ["अ इ ए"]\n', "sandhi.x.joins"),
        (MINIMAL + '[[sandhi]]\nname = "x"\nsource = "s"\njoins = ["न् + ह् -> ह्"]\n', "sandhi.x.joins"),
        (MINIMAL + '[[sandhi]]\nname = "x"\nsource = "s"\njoins = ["अ + इ -> ए"]\nsyllables = "2"\n', "sandhi.x.syllables"),
        (MINIMAL + '[[sandhi]]\nname = "x"\nsource = "s"\njoins = ["अ + इ -> ए"]\nfirts = []\n', "sandhi.x.firts"),
        (MINIMAL + '[borrowed]\nrules = ["gunna"]\n', "borrowed.rules"),
        (MINIMAL + "borrowed = 1\n", "borrowed"),
        (MINIMAL.replace("Deva", "Olck") + '[[sandhi]]\nname = "x"\nsource = "s"\njoins = ["अ + इ -> ए"]\n', "scripts"),
    ],
)
def test_a_fault_names_the_file_and_the_field(tmp_path: Path, text: str, field: str) -> None:
    path = tmp_path / "xx.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        languages.load(path)
    fault = caught.value.faults[0]
    assert (fault.path, fault.field) == (str(path), field)


def test_they_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    plugins.list_kind("languages")
    assert "hi                       Hindi (हिन्दी)" in capsys.readouterr().out.splitlines()
    plugins.explain("hi")
    assert "Kamta Prasad Guru" in capsys.readouterr().out
