import { sql } from "drizzle-orm";
import { z } from "zod";
import { type AccountId, type InvoiceId, newId } from "#app/domain/ids.ts";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";

/**
 * Inserts a fully credited invoice of a different month each time, with a line for one of the advertiser's campaigns,
 * if it has any.
 */
export async function insertInvoice(db: Database, advertiserId: AccountId): Promise<InvoiceId> {
  const id = newId<InvoiceId>();
  const [row] = await queryRows(
    db,
    z.object({ last: z.number() }),
    sql`
      insert into invoice_numbers (id, last) values (1, 1) on conflict (id) do update set last = invoice_numbers.last + 1 returning last`,
  );
  const number = row?.last ?? 0;
  await db.execute(sql`
    insert into invoices (id, number, advertiser_id, month, amount_cents, open_cents, issued_at, due_on, paid_at)
    values (${id}, ${number}, ${advertiserId}, date '2030-01-01' + ${number}::int * interval '1 month', 5000, 0, now(), current_date + 30, now())`);
  await db.execute(sql`
    insert into invoice_lines (invoice_id, number, campaign_id, description, amount_cents)
    select ${id}, 1, (select min(id::text)::uuid from campaigns where advertiser_id = ${advertiserId}), 'Packs', 5000`);
  await db.execute(sql`
    insert into invoice_credits (id, invoice_id, amount_cents, created_at) values (gen_random_uuid(), ${id}, 5000, now())`);
  return id;
}
