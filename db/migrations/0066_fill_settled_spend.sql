-- outside a transaction
CALL fill_settled_spend();
