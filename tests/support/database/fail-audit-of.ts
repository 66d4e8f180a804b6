import { sql } from "drizzle-orm";
import type { CampaignId } from "#app/domain/ids.ts";
import type { Database } from "#db/client.server.ts";

/** Rejects entries about a campaign, as a fault of its data might. Returns what ends that. */
export async function failAuditOf(owner: Database, campaignId: CampaignId): Promise<() => Promise<void>> {
  await owner.execute(
    sql.raw(`create function fail_for_one() returns trigger language plpgsql as $$ begin
      if new.campaign_id = '${campaignId}' then raise exception 'fails'; end if; return new; end $$`),
  );
  const trigger =
    "create trigger fails_for_one before insert on audit_entries for each row execute function fail_for_one()";
  await owner.execute(sql.raw(trigger));
  return async () => void (await owner.execute(sql`drop function if exists fail_for_one() cascade`));
}
