"""IndicTrans2's encoder and decoder, run from its published weights without its Python."""
