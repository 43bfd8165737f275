"""One file a recipe: how a model is fine-tuned."""
