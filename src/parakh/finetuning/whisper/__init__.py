"""Fine-tuning of Whisper: windows with their texts, the model, its features, its loss, its text and word times."""
