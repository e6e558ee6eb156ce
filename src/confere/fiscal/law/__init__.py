"""The tables of the law under `resources/fiscal/`: what its codes mean and its tags are called, in three languages."""
