-- outside a transaction
CALL fill_category_months();
