-- outside a transaction
ALTER TABLE "audiences" VALIDATE CONSTRAINT "audiences_object_generation_current";
