-- outside a transaction
CALL fill_revenue_share_days();
