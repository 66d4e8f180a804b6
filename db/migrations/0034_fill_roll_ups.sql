-- outside a transaction
CALL fill_roll_ups();
