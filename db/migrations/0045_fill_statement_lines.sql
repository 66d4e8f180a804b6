-- outside a transaction
CALL fill_statement_lines();
