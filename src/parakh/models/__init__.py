"""Model weights: one declaration a model, and the store that fetches and verifies them."""
