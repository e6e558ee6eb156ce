"""The operations of the contract, a module for each domain."""
