"""Which health problems. The challenge scores ROUGE-1 and ROUGE-L on the comma-separated list.

Topic F1 does not mind the order of the list.
"""

from parakh.metrics import Payload
from parakh.tracks import Track
from parakh.types import Topics

TRACK = Track(
    name="topics",
    question="Which health problems",
    item=Topics,
    payloads=(Payload.TEXT, Payload.TOPICS),
    metrics=("rouge1", "rougeL", "topic_f1", "topic_f1_folded"),
    options={"stemmer": False},
)
