-- contract since 0047: a version that does not read objects does not start any more.
COMMENT ON CONSTRAINT "audiences_object_generation_current" ON "audiences" IS 'rejects a new base by a version that does not know objects';
