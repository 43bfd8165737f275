"""What was said. The challenge's script scores tcpWER with a 3 s collar after its own text normalisation."""

from parakh.metrics import Payload
from parakh.tracks import Track
from parakh.types import Segment

TRACK = Track(
    name="asr",
    question="What was said",
    item=Segment,
    payloads=(Payload.WORDS,),
    metrics=("tcpwer", "cpwer", "wer", "cer"),
    normalization="displace-2026",
    options={"collar": 3.0},
)
