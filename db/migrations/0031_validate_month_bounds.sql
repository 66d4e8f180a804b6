-- outside a transaction
ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_past;--> statement-breakpoint
ALTER TABLE delivery_revisions VALIDATE CONSTRAINT delivery_revisions_past;
