import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectFile } from "#app/project-file.server.ts";
import { findBrokenMigrationRules } from "#tests/support/migration-rules.ts";

/** Those before were written without these rules, and one after without that of triggers. */
const firstWithRules = "0021";

/** The first one after facts could be distributed, with the rule of that. */
const firstWithDistribution = "0044";

/**
 * The first one with the rule of trigger functions that reach new tables: three before have some that run as the
 * writer.
 */
const firstWithOwnersTriggers = "0044";

const folder = projectFile("db/migrations");
const migrations = readdirSync(folder).filter((name) => name.endsWith(".sql") && name >= firstWithRules);

test.each(migrations)("%s lets servers go on while it runs, also those of the version before", (name) => {
  const broken = findBrokenMigrationRules(readFileSync(`${folder}/${name}`, "utf8"));
  const landed = broken.filter(
    (rule) =>
      (name === "0029_unsettled_spend.sql" && rule.startsWith("triggers on ")) ||
      (name < firstWithDistribution && rule.includes("facts may be distributed")) ||
      (name < firstWithOwnersTriggers && rule.includes("as SECURITY DEFINER")),
  );
  expect(broken).toEqual(landed);
});

test.each([
  'CREATE INDEX "a" ON "users" USING btree ("name");',
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS "a" ON "users" ("name");',
  'CREATE UNIQUE INDEX "a" ON "users" ("name");',
  `ALTER TABLE "users" ADD CONSTRAINT "named" CHECK ("users"."name" <> '');`,
  'ALTER TABLE "users" ADD CONSTRAINT "a" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id");',
  'ALTER TABLE "users" ADD CONSTRAINT "a" UNIQUE("name");',
  'ALTER TABLE "users" ADD COLUMN "nickname" text NOT NULL;',
  'ALTER TABLE "users" ALTER COLUMN "picture" SET NOT NULL;',
  'ALTER TABLE "users" ALTER COLUMN "picture" SET DATA TYPE varchar(9);',
  'ALTER TABLE "users" DROP COLUMN "picture";',
  'ALTER TABLE "users" RENAME COLUMN "picture" TO "image";',
  'ALTER TABLE "users" RENAME TO "people";',
  'DROP TABLE "users";',
  "UPDATE users SET name = 'a';",
  "WITH old AS (SELECT 1)\nDELETE FROM users;",
  "-- outside a transaction\nUPDATE users SET name = 'a';",
  "-- outside a transaction\nCALL rename_all();",
  '-- outside a transaction\nCREATE INDEX CONCURRENTLY "a" ON "users" ("name");',
  "CREATE TRIGGER a AFTER UPDATE ON users EXECUTE FUNCTION one();--> statement-breakpoint\nCREATE TRIGGER b AFTER UPDATE ON accounts EXECUTE FUNCTION one();",
  "-- outside a transaction\nCREATE TRIGGER a AFTER UPDATE ON users EXECUTE FUNCTION one();",
  'ALTER TABLE "deliveries" ADD COLUMN "views" bigint;',
  "CREATE OR REPLACE TRIGGER count_facts AFTER INSERT ON delivery_revisions EXECUTE FUNCTION one();",
  "CREATE OR REPLACE FUNCTION create_month_partitions(until date) RETURNS integer LANGUAGE sql AS 'select 1';",
  'CREATE TABLE "sums" ("id" uuid);--> statement-breakpoint\nCREATE FUNCTION sum_users() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO sums SELECT id FROM come; RETURN NULL; END $$;--> statement-breakpoint\nCREATE TRIGGER a AFTER UPDATE ON users EXECUTE FUNCTION sum_users();',
  "CREATE TABLE sums (id uuid);--> statement-breakpoint\nCREATE FUNCTION add_sum() RETURNS void LANGUAGE sql AS 'INSERT INTO sums DEFAULT VALUES';--> statement-breakpoint\nCREATE OR REPLACE FUNCTION sum_users() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM add_sum(); RETURN NULL; END $$;",
  "DO $$ BEGIN EXECUTE 'ALTER TABLE users ADD CONSTRAINT a CHECK (true)'; END $$;",
])("the rules find: %s", (sql) => {
  expect(findBrokenMigrationRules(sql)).toHaveLength(1);
});

test.each([
  'CREATE TABLE "pets" ("id" uuid);--> statement-breakpoint\nCREATE INDEX "a" ON "pets" USING btree ("id");--> statement-breakpoint\nALTER TABLE "pets" ADD CONSTRAINT "b" CHECK (true);',
  `ALTER TABLE "users" ADD CONSTRAINT "named" CHECK ("users"."name" <> '') NOT VALID;`,
  'ALTER TABLE "users" ADD COLUMN "nickname" text;',
  `ALTER TABLE "users" ADD COLUMN "nickname" text DEFAULT '' NOT NULL;`,
  '-- proven by users_picture\nALTER TABLE "users" ALTER COLUMN "picture" SET NOT NULL;',
  '-- contract since 0021\nALTER TABLE "users" DROP COLUMN "picture";',
  '-- replaced under its name: a partitioned table\nALTER TABLE "users" RENAME TO "users_before";',
  "-- bounded: one row an account\nUPDATE accounts SET name = 'a';",
  '-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "a" ON "users" ("name");--> statement-breakpoint\nALTER TABLE "users" VALIDATE CONSTRAINT "named";',
  "-- outside a transaction\nCALL fill_sums();",
  "-- outside a transaction\nCREATE OR REPLACE TRIGGER a AFTER UPDATE ON users EXECUTE FUNCTION one();--> statement-breakpoint\nCREATE OR REPLACE TRIGGER b AFTER UPDATE ON accounts EXECUTE FUNCTION one();",
  '-- distributed: Citus adds it on each shard\nALTER TABLE "deliveries" ADD COLUMN "views" bigint;',
  "CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS 'select 1';",
  "CREATE TABLE sums (id uuid);--> statement-breakpoint\nCREATE FUNCTION sum_users() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN INSERT INTO sums SELECT id FROM come; RETURN NULL; END $$;--> statement-breakpoint\nCREATE TRIGGER a AFTER UPDATE ON users EXECUTE FUNCTION sum_users();",
  "CREATE TABLE sums (id uuid);--> statement-breakpoint\nCREATE FUNCTION check_sums() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM sums; RETURN NULL; END $$;--> statement-breakpoint\nCREATE TRIGGER a AFTER UPDATE ON sums EXECUTE FUNCTION check_sums();",
])("the rules accept: %s", (sql) => {
  expect(findBrokenMigrationRules(sql)).toEqual([]);
});
