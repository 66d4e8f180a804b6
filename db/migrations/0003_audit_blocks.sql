CREATE TABLE "audit_blocks" (
	"number" bigint PRIMARY KEY NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	"entry_ids" uuid[] NOT NULL,
	"entry_hashes" "bytea" NOT NULL,
	"sealed_through" uuid NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	"hash" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	CONSTRAINT "audit_blocks_shape" CHECK ("audit_blocks"."number" > 0 and length("audit_blocks"."previous_hash") = 32 and length("audit_blocks"."hash") = 32 and length("audit_blocks"."signature") = 36
        and length("audit_blocks"."entry_hashes") = 32 * cardinality("audit_blocks"."entry_ids"))
);
--> statement-breakpoint
CREATE INDEX "audit_blocks_sealed_through" ON "audit_blocks" USING btree ("sealed_through");--> statement-breakpoint
-- Hashes cannot be compressed.
ALTER TABLE audit_blocks ALTER COLUMN entry_hashes SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TRIGGER audit_blocks_are_kept BEFORE UPDATE OR DELETE ON audit_blocks FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_blocks_are_not_emptied BEFORE TRUNCATE ON audit_blocks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
