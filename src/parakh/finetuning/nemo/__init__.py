"""Fine-tuning in an environment of NeMo's own: manifests written here, a driver that runs there."""
