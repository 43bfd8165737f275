"""Networks on torch that load published checkpoints and can be trained further; imported only by what has torch at hand."""
