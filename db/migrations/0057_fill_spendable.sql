-- outside a transaction
CALL fill_spendable();
