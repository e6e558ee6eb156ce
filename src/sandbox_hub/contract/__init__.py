"""The hub's public contract: what each operation takes and answers, as OpenAPI documents in three languages."""
