"""Fine-tuning of the models of the cascade on a data set: ``parakh finetune``.

    config -> recipe -> job -> loop -> checkpoints, run card, weights

A recipe is a file of ``recipes/``. What it trains is a ``Job`` (a module, the loss of a batch, a score on the dev split); the one
loop trains every job, and the one scorer of the package says which checkpoint is best.
"""
