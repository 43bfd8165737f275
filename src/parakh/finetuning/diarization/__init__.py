"""Fine-tuning of diarization: chunks with the speakers' activity, the loss over permutations of speakers, its score."""
