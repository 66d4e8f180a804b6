-- outside a transaction
CALL fill_account_line_item_months();
