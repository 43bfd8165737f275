"""What a chat server can do wrong, by a server in a process of its own: it is asked again, or told, and never scored as empty."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from parakh import registry
from parakh.cascade import metering, noticing, retrying
from parakh.errors import UnavailableError
from parakh.types import Segment

pytest.importorskip("openai", reason="the llm extra is not installed")

SERVER = Path(__file__).parent / "faulty_chat_server.py"
QUESTION = [{"role": "user", "content": "?"}]
TURNS = [
    Segment("visit", "a", words="क्या तकलीफ है?", role="health_worker", language="hi"),
    Segment("visit", "b", words="तीन दिन से बुखार है।", role="health_seeker", language="hi"),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, str(SERVER)], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    process.terminate()
    process.wait(10)
    process.stdout.close()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrying, "_FIRST", 0.01)


def chat(url: str, acts: str, **options: Any) -> Any:
    return registry.load("llm", "openai-compatible").Backend(base_url=f"{url}/v1", model=acts, **options)


def stage(kind: str, url: str, acts: str, **options: Any) -> Any:
    return registry.load(kind, "llm").Backend(llm=chat(url, acts), **options)


def asked(url: str, acts: str) -> int:
    with urllib.request.urlopen(f"{url}/count/{quote(acts)}") as reply:
        return int(reply.read())


@pytest.mark.parametrize("fault", ["500", "503:0", "429:0.1", "408", "drop", "cut", "half-json", "html", "empty", "blank"])
def test_what_fails_in_passing_is_asked_again(url: str, fault: str) -> None:
    acts = f"{fault},ok"
    with metering.measured() as usage:
        assert chat(url, acts).complete(QUESTION) == "Fever, Cough"
    assert usage.requests == asked(url, acts) == 2


def test_the_server_says_how_long_to_wait(url: str) -> None:
    started = time.monotonic()
    chat(url, "429:0.6,ok,wait").complete(QUESTION)
    assert 0.6 <= time.monotonic() - started < 3


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("500", r"failed: .*as asked.* Tried 2 times\."),
        ("429", r"over its rate limit\. Wait, or run fewer jobs at once\. Tried 2 times\."),
        ("drop", r"(cannot be reached|broke off).* Tried 2 times\."),
        ("cut", r"broke off in the middle of its reply\. .*Tried 2 times\."),
        ("half-json", r"no chat completion in JSON\. .*Tried 2 times\."),
        ("empty", r"gave an empty reply\. .*Tried 2 times\."),
    ],
)
def test_what_goes_on_failing_is_told(url: str, fault: str, said: str) -> None:
    with pytest.raises(UnavailableError, match=said):
        chat(url, f"{fault},{fault}", retries=1).complete(QUESTION)
    assert asked(url, f"{fault},{fault}") == 2


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("429:3600", r"rate limit.* asks to wait 3600 s\."),
        ("quota", "the account is used up"),
        ("400", "failed: "),
        ("401", "refuses access"),
        ("404", "does not exist"),
        ("filter", r"declined the conversation\. Use a model that takes medical talk"),
        ("declined", r"declined the conversation: \"I can't assist with ••••• •••10\.\""),
        ("cut-off", "cut off at max_tokens = 1024"),
        ("only-think", "empty but its reasoning"),
        ("redirect:http_//127.0.0.1_9/v1", "answers with another address"),
    ],
)
def test_what_asking_again_cannot_mend_is_told_at_once(url: str, fault: str, said: str) -> None:
    with pytest.raises(UnavailableError, match=said):
        chat(url, fault).complete(QUESTION)
    assert asked(url, fault) == 1


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_server_that_takes_too_long_is_given_up(url: str, fault: str) -> None:
    started = time.monotonic()
    with pytest.raises(UnavailableError, match=r"no reply within 0\.4 s"):
        chat(url, fault, timeout=0.4, retries=0).complete(QUESTION)
    assert time.monotonic() - started < 3


def test_a_redirect_leads_nowhere(url: str) -> None:
    acts = f"redirect:{url.replace(':', '_')}/v1"
    with pytest.raises(UnavailableError, match="Name that one in base_url"):
        chat(url, acts).complete(QUESTION)
    assert asked(url, acts) == 1


def test_a_server_on_this_machine_is_asked_without_a_proxy(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert chat(url, "ok", retries=0).complete(QUESTION) == "Fever, Cough"


def test_reasoning_is_taken_off(url: str) -> None:
    assert stage("topics", url, "think").find(TURNS, []).topics == ("Fever", "Cough")


def test_tokens_and_their_price_are_counted(url: str) -> None:
    priced = chat(url, "empty,ok,priced", price_in=2.0, price_out=10.0)
    with metering.measured() as usage:
        priced.complete(QUESTION)
    assert (usage.requests, usage.tokens_in, usage.tokens_out) == (2, 2000, 40)
    assert usage.price == pytest.approx(0.0044)  # the empty reply is paid for too
    with metering.measured() as usage:
        chat(url, "ok").complete(QUESTION)
    assert usage.price is None


def test_several_may_ask_at_once(url: str) -> None:
    one = chat(url, "echo")

    def ask(number: int) -> tuple[str, int]:
        with metering.measured() as usage:
            return one.complete([{"role": "user", "content": f"question {number}"}]), usage.requests

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(24))) == [(f"question {number}", 1) for number in range(24)]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("refusal", r"found a refusal.*I'm sorry"),
        ("refusal-hi", "found a refusal"),
        ("refusal-kn", "found a refusal"),
        ("fence", "found a code fence"),
        ("prose", r"found 2 lines, expected one line of short English medical terms.*call ••••• •••10"),
        ("heading", "found a heading"),
        ("hindi", "not written in English"),
    ],
)
def test_what_is_no_list_of_topics_is_asked_again_and_told(url: str, act: str, said: str) -> None:
    with pytest.raises(UnavailableError, match=said):
        stage("topics", url, f"{act},{act}").find(TURNS, [])
    assert asked(url, f"{act},{act}") == 2


def test_the_second_reply_may_do(url: str) -> None:
    with noticing.collected() as findings:
        assert stage("topics", url, "prose,ok").find(TURNS, []).topics == ("Fever", "Cough")
    assert [one.code for one in findings] == ["asked-again"]
    assert "98765" not in str(findings[0])


def test_the_fault_is_named_when_asking_again(url: str) -> None:
    with pytest.raises(UnavailableError, match=r"'Your answer cannot be used: found .* lines, expected one line"):
        stage("topics", url, "prose,echo", asks=2).find(TURNS, [])


@pytest.mark.parametrize("act", ["bullets", "numbers"])
def test_a_list_of_lines_is_taken_and_noted(url: str, act: str) -> None:
    with noticing.collected() as findings:
        assert stage("topics", url, act).find(TURNS, []).topics == ("Fever", "Cough")
    assert [one.code for one in findings] == ["topics-as-list"]


@pytest.mark.parametrize(
    ("act", "said"),
    [("small-tags", "0 summaries.*written otherwise"), ("hindi-summary", "not in English"), ("ok", "0 summaries")],
)
def test_what_is_no_summary_is_told(url: str, act: str, said: str) -> None:
    with pytest.raises(UnavailableError, match=said):
        stage("summary", url, f"{act},{act},{act}").summarize(TURNS, [])


def test_what_stands_around_a_summary_is_noted(url: str) -> None:
    with noticing.collected() as findings:
        assert stage("summary", url, "chatty-summary").summarize(TURNS, []).text == "**Fever** for three days."
    assert [one.code for one in findings] == ["text-outside-summary", "markup-in-summary"]


def say(text: str) -> str:
    """The act that answers with a text."""
    return f"say:{text.encode().hex()}"


def test_turns_that_do_not_come_back_are_asked_for_again(url: str) -> None:
    acts = ",".join(map(say, ["Sure!\n1. What is the trouble?", "2. [Health seeker] Fever for three days."]))
    with noticing.collected() as findings:
        english = stage("translator", url, acts).translate(
            None, [*TURNS, Segment("visit", "a"), Segment("visit", "b", words="OK", language="en")]
        )
    assert [turn.words for turn in english] == ["What is the trouble?", "Fever for three days.", "", "OK"]
    assert {turn.language for turn in english} == {"en"}
    assert [one.code for one in findings] == ["stray-lines"]
    assert asked(url, acts) == 2


@pytest.mark.parametrize("lines", ["1. बुखार है\n2. Fever.", "2. Fever.\n7. Cough.", "1. One.\n1. Two.\n2. Fever."])
def test_a_turn_without_english_is_empty_and_told(url: str, lines: str) -> None:
    with noticing.collected() as findings:
        english = stage("translator", url, say(lines)).translate(None, TURNS)
    assert [turn.words for turn in english] == ["", "Fever."]
    assert "missing-turns: 1 turn of 2 came back without English" in str([str(one) for one in findings])


@pytest.mark.parametrize("act", ["ok", "refusal-hi"])
def test_without_any_turn_there_is_no_translation(url: str, act: str) -> None:
    with pytest.raises(UnavailableError, match=r"None of 2 turns came back .*found .*expected"):
        stage("translator", url, f"{act},{act},{act}").translate(None, TURNS)


def test_a_correction_mends_but_does_not_rewrite(url: str) -> None:
    turns = [
        Segment("visit", "a", 0.0, 2.0, "मलेरया की दवा", language="hi", word_times=((0.0, 1.0), (1.0, 1.2), (1.2, 2.0))),
        Segment(
            "visit",
            "b",
            2.0,
            4.0,
            "पेरा सिटा मोल ली थी",
            language="hi",
            word_times=tuple((2 + i * 0.4, 2.4 + i * 0.4) for i in range(5)),
        ),
        Segment("visit", "a", 4.0, 6.0, "ठीक है", language="hi"),
        Segment("visit", "b", 6.0, 7.0, "500 वाली गोली", language="hi"),
        Segment("visit", "b", 7.0, 8.0, "हाँ जी", language="hi"),
    ]
    reply = "1. मलेरिया की दवा\n2. पेरासिटामोल ली थी\n3. The patient agrees to the plan.\n4. 50 वाली गोली\n5. हाँ जी"
    with noticing.collected() as findings:
        mended = stage("correction", url, say(reply)).correct(turns)
    assert [turn.words for turn in mended] == ["मलेरिया की दवा", "पेरासिटामोल ली थी", "ठीक है", "500 वाली गोली", "हाँ जी"]
    assert mended[0].word_times == turns[0].word_times
    times = [time for word in mended[1].word_times for time in word]
    assert times == pytest.approx([2, 2 + 2 / 3, 2 + 2 / 3, 2 + 4 / 3, 2 + 4 / 3, 4])
    assert mended[2:] == turns[2:]
    assert {one.code: one.message.rpartition(": ")[2] for one in findings} == {
        "corrected-turns": "1, 2",
        "rewritten-turns": "3, 4",
    }


def test_turns_go_in_batches_with_what_was_said_before(url: str) -> None:
    turns = [Segment("visit", "a", words=f"बात {number}", language="hi") for number in range(1, 6)]
    acts = ",".join(say(f"{first}. Thing {first}.\n{first + 1}. Thing {first + 1}.") for first in (1, 3, 5))
    english = stage("translator", url, acts, batch=2, context=1).translate(None, turns)
    assert [turn.words for turn in english] == [f"Thing {number}." for number in range(1, 6)]
    assert asked(url, acts) == 3
