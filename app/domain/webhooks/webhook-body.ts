import type { AccountNotification } from "../notifications/notification.ts";
import { testEvent } from "./webhook.ts";
import { type WebhookEvent, webhookVersion } from "./webhook-events.ts";

/**
 * Returns the JSON body of an event, with the field names of the API. Fields are allowed one by one: no free text and
 * no person's name or email address, only companies, campaigns and figures. Pure.
 */
export function webhookBody(
  notification: Pick<AccountNotification, "id" | "campaignId" | "subjectId" | "facts"> & { createdAt: Date },
  type: WebhookEvent,
): string {
  const { id, campaignId, subjectId, facts, createdAt } = notification;
  return serialize(id, type, createdAt, {
    campaign_id: campaignId ?? undefined,
    campaign_name: facts.campaign,
    advertiser_name: facts.advertiser,
    publisher_name: facts.publisher,
    audience_id: facts.audienceId,
    audience_name: facts.audience,
    // An audience may change without an upload.
    upload_id: type.startsWith("audience.") && subjectId !== facts.audienceId ? subjectId : undefined,
    payout_id: type.startsWith("payout.") ? subjectId : undefined,
    invoice_id: type.startsWith("invoice.") ? subjectId : undefined,
    amount: facts.amount,
    earnings: facts.earnings,
    is_change: facts.isChange,
    reasons: facts.rejectionReasons,
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

/** Returns the body of a test event, which has no data. */
export function testBody(id: string, createdAt: Date): string {
  return serialize(id, testEvent, createdAt, {});
}

function serialize(id: string, type: string, createdAt: Date, data: Record<string, unknown>): string {
  return JSON.stringify({ id, type, version: webhookVersion, created_at: createdAt.toISOString(), data });
}
