"""The sandbox's paper mill: facts in, signed fiscal XML out; every byte a function of facts and seed."""
