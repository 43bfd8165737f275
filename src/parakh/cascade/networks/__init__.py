"""Networks of the embedded diarizer: published PyTorch weights, rebuilt as ONNX graphs and run without torch."""
