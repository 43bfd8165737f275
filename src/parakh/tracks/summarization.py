"""What the visit came to. The challenge scores ROUGE-L on the English summary."""

from parakh.metrics import Payload
from parakh.tracks import Track
from parakh.types import Summary

TRACK = Track(
    name="summarization",
    question="What the visit came to",
    item=Summary,
    payloads=(Payload.TEXT, Payload.SUMMARY),
    metrics=("rougeL", "rouge1", "rouge2", "rougeLsum"),
    options={"stemmer": False},
)
