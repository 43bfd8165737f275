"""BERTScore with a tiny random model: its mathematics, and what it says when something is missing."""

import sys

import pytest

from parakh.errors import InputError, MissingPackageError
from parakh.metrics import get
from parakh.metrics.bertscore import bertscore, findings

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "no", "fever", "cough", "for", "three", "days", "बुखार", "है"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    path = tmp_path_factory.mktemp("model")
    (path / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    tokenizer = transformers.BertTokenizer(str(path / "vocab.txt"), model_max_length=16)
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=24,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
    )
    transformers.BertModel(config).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return str(path)


def test_a_model_must_be_named():
    with pytest.raises(InputError, match="--model: found none, expected a model for bertscore"):
        bertscore("fever", "fever")


def test_a_missing_package_is_told_with_its_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackageError, match=r"needs the package torch. Run: pip install 'parakh\[torch\]'"):
        bertscore("fever", "fever", model="a-model-that-is-not-loaded")


def test_other_metrics_do_not_load_torch():
    import subprocess

    script = "import sys; from parakh.metrics import all_metrics; all_metrics(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_model_that_is_not_there_is_told(folder):
    with pytest.raises(InputError, match="--model: found '/no/such/folder'"):
        bertscore("fever", "fever", model="/no/such/folder")
    with pytest.raises(InputError, match="--layer: found 9, expected a layer from 0 to 3"):
        bertscore("fever", "fever", model=folder, layer=9)


def test_the_same_text_scores_one_and_another_less(folder):
    same, other = (bertscore("no fever for three days", text, model=folder) for text in ("no fever for three days", "cough है"))
    assert (same["precision"], same["recall"], same["f1"]) == pytest.approx((1, 1, 1), abs=1e-6)
    assert other["f1"] < 0.999
    assert get("bertscore").score(same + other) == pytest.approx((same["f1"] + other["f1"]) / 2)


def test_sides_may_be_empty_and_the_best_reference_counts(folder):
    for sides in (("", ""), ("fever", ""), ("", "fever")):
        assert get("bertscore").score(bertscore(*sides, model=folder)) == 0.0
    assert bertscore(["cough है", "no fever"], "no fever", model=folder)["f1"] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("layer", [None, 0, 1, 3])
def test_greedy_matching_equals_its_slow_twin(folder, layer):
    import torch
    import transformers

    tokenizer, model = transformers.AutoTokenizer.from_pretrained(folder), transformers.AutoModel.from_pretrained(folder).eval()

    def vectors(text):
        with torch.no_grad():
            hidden = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        return hidden[3 if layer is None else layer][0]

    def mean_of_best(mine, theirs):
        best = [max(float(torch.cosine_similarity(one, other, dim=0)) for other in theirs) for one in mine[1:-1]]
        return sum(best) / len(best)

    reference, hypothesis = "no fever for three days", "बुखार three days cough"
    said, heard = vectors(reference), vectors(hypothesis)
    precision, recall = mean_of_best(heard, said), mean_of_best(said, heard)
    found = bertscore(reference, hypothesis, model=folder, layer=layer)
    expected = (precision, recall, 2 * precision * recall / (precision + recall))
    assert (found["precision"], found["recall"], found["f1"]) == pytest.approx(expected, abs=1e-6)


def test_a_text_that_is_too_long_is_told(folder):
    assert findings("fever", "cough", model=folder) == []
    (told,) = findings("fever", "cough " * 30, model=folder)
    assert told.message == "bertscore looked at the first 16 of the 32 pieces of the hypothesis: the model takes no more"
    assert bertscore("cough " * 30, "cough " * 30, model=folder)["f1"] == pytest.approx(1, abs=1e-6)
