import type { Notice } from "../notifications/notification.ts";
import { testEvent } from "./webhook.ts";
import { type WebhookEvent, webhookVersion } from "./webhook-events.ts";

/**
 * What is sent of an event, named as on the wire. Chosen field by field: no free text and nobody's name or address, only
 * companies', campaigns' and figures. Pure.
 */
export function webhookBody(
  notice: Pick<Notice, "id" | "campaignId" | "subjectId" | "facts"> & { createdAt: Date },
  type: WebhookEvent,
): string {
  const { id, campaignId, subjectId, facts, createdAt } = notice;
  return write(id, type, createdAt, {
    campaign_id: campaignId ?? undefined,
    campaign_name: facts.campaign,
    advertiser_name: facts.advertiser,
    publisher_name: facts.publisher,
    audience_id: facts.audienceId,
    audience_name: facts.audience,
    upload_id: type.startsWith("audience.") ? subjectId : undefined,
    payout_id: type.startsWith("payout.") ? subjectId : undefined,
    amount: facts.amount,
    is_change: facts.isChange,
    day: facts.day,
    budget: facts.budget,
    impressions: facts.impressions,
    clicks: facts.clicks,
    spend: facts.spend,
    publishers_asked: facts.asked,
    publishers_approved: facts.approved,
    people: facts.people,
    plan_type: facts.plan,
  });
}

/** What a test sends: it is about nothing. */
export function testBody(id: string, createdAt: Date): string {
  return write(id, testEvent, createdAt, {});
}

function write(id: string, type: string, createdAt: Date, data: Record<string, unknown>): string {
  return JSON.stringify({ id, type, version: webhookVersion, created_at: createdAt.toISOString(), data });
}
