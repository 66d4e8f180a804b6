import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audiences, campaigns } from "#db/schema/index.ts";
import { minimumAudienceSize } from "../audiences/audience.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { invariant } from "../invariant.ts";
import { type FirstSteps, firstStep, profileDetails } from "./first-steps.ts";

/**
 * Returns the account's first steps with their states, computed from its rows: what was undone, such as a deleted
 * product, is to do again. One query that looks for single rows by index, whatever the account's size.
 */
export async function getFirstSteps({ actor, db }: Ctx<TenantActor>): Promise<FirstSteps> {
  return actor.kind === "advertiser" ? advertiserFirstSteps({ actor, db }) : publisherFirstSteps({ actor, db });
}

const advertiserRow = z.object({
  details: z.number(),
  product: z.boolean(),
  creative: z.boolean(),
  audience: z.boolean(),
  credit: z.boolean(),
  funded: z.boolean(),
  funding: z.boolean(),
  launched: z.boolean(),
  draft: columnValue(campaigns.id).nullable(),
});

/** A launched campaign has an audience, so only drafts are searched for one. The draft index has the same condition. */
async function advertiserFirstSteps({ actor, db }: Pick<Ctx<AdvertiserActor>, "actor" | "db">): Promise<FirstSteps> {
  const [row] = await queryRows(
    db,
    advertiserRow,
    sql`
      select (website is not null)::int + (business_vertical is not null)::int as details,
        exists (select from products where account_id = account.id) as product,
        exists (select from creatives where account_id = account.id) as creative,
        exists (select from campaigns where advertiser_id = account.id
          and status = 'draft' and (version > 0 or audience_ids <> '{}')) as audience,
        credit_limit_cents > 0 as credit,
        exists (select from top_ups where account_id = account.id and invoice_id is null
          and status = 'succeeded' and reversed_cents < amount_cents) as funded,
        exists (select from top_ups where account_id = account.id and invoice_id is null
          and status in ('pending', 'needs_confirmation')) as funding,
        exists (select from campaign_counts where advertiser_id = account.id and status <> 'draft' and campaigns > 0)
          or exists (select from campaigns where advertiser_id = account.id
            and status = 'draft' and (version > 0 or audience_ids <> '{}') and version > 0) as launched,
        (select campaign.id from campaigns campaign where campaign.advertiser_id = account.id
          and campaign.status = 'draft' and campaign.version = 0 and campaign.archived_at is null
          order by campaign.id desc limit 1) as draft
      from accounts account where account.id = ${actor.accountId}`,
  );
  invariant(row, "account of first steps vanished", { accountId: actor.accountId });
  const { details, launched } = row;
  return firstSteps({
    steps: [
      firstStep("company_profile", {
        done: details === profileDetails,
        started: details > 0,
        progress: { current: details, target: profileDetails },
      }),
      firstStep("product", { done: row.product }),
      firstStep("creative", { done: row.creative }),
      firstStep("audience", { done: launched || row.audience }),
      firstStep("funds", { done: row.credit || row.funded, started: row.funding }),
      firstStep("campaign", { done: launched, started: row.draft !== null }),
    ],
    draftId: row.draft,
  });
}

const publisherRow = z.object({
  audience: z.boolean(),
  minimum: z.boolean(),
  largest: columnValue(audiences.id).nullable(),
  size: z.string().nullable(),
  bank: z.boolean(),
  onboarding: z.boolean(),
  approved: z.boolean(),
  pending: z.boolean(),
});

/** An archived audience was there and had its people, so it counts; only one that is in use is linked. */
async function publisherFirstSteps({ actor, db }: Pick<Ctx<PublisherActor>, "actor" | "db">): Promise<FirstSteps> {
  const id: AccountId = actor.accountId;
  const [row] = await queryRows(
    db,
    publisherRow,
    sql`
      select exists (select from audiences where publisher_id = ${id}) as audience,
        exists (select from audiences where publisher_id = ${id} and size >= ${minimumAudienceSize}) as minimum,
        largest.id as largest, largest.size::text as size,
        exists (select from payout_accounts where publisher_id = ${id}) as bank,
        exists (select from connected_accounts where publisher_id = ${id}) as onboarding,
        exists (select from line_item_counts where publisher_id = ${id} and line_items > 0
          and (approval_status = 'approved' or status in ('active', 'paused', 'completed'))) as approved,
        exists (select from line_item_counts where publisher_id = ${id} and line_items > 0
          and approval_status = 'pending' and not archived) as pending
      from (select 1) as one left join lateral (select id, size from audiences
        where publisher_id = ${id} and status <> 'archived' order by size desc, id limit 1) as largest on true`,
  );
  invariant(row, "the query of first steps returned no row", { accountId: id });
  const people = Number(row.size ?? 0);
  return firstSteps({
    steps: [
      firstStep("first_audience", { done: row.audience }),
      firstStep("minimum_size", {
        done: row.minimum,
        started: people > 0,
        progress: { current: row.minimum ? minimumAudienceSize : people, target: minimumAudienceSize },
      }),
      firstStep("bank_account", { done: row.bank, started: row.onboarding }),
      firstStep("first_approval", { done: row.approved, started: row.pending }),
    ],
    audienceId: row.largest,
  });
}

function firstSteps(found: Pick<FirstSteps, "steps"> & Partial<FirstSteps>): FirstSteps {
  const done = found.steps.filter(({ state }) => state === "done").length;
  return { draftId: null, audienceId: null, ...found, done };
}
