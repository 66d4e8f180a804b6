-- The server's role may not change a ledger account. Its balance changes only by this trigger, which runs as the owner.
ALTER FUNCTION book_ledger_entries() SECURITY DEFINER SET search_path = public, pg_temp;
