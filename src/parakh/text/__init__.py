"""Language-independent text machinery: normalisation profiles and tokens."""
