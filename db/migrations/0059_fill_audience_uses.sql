-- outside a transaction
CALL fill_audience_uses();
