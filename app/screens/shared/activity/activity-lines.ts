import type { AccountType } from "#app/domain/accounts/account.ts";
import { activityKindOf } from "#app/domain/audit/activity.ts";
import type { ActivityEntry } from "#app/domain/audit/list-activity.server.ts";
import { displayCampaignName } from "#app/domain/campaigns/campaign.ts";
import { actorLabel, describeEvent, entryDetails } from "./audit-copy.ts";

type Reader = { kind: AccountType; accountId: string; userId?: string };

/**
 * An entry in words: who did what, to which thing (with the way to it, while it is there), when, and through which
 * door.
 */
export type ActivityLine = ReturnType<typeof activityLineOf>;

export function toActivityLines(entries: readonly ActivityEntry[], reader: Reader): ActivityLine[] {
  return entries.map((entry) => activityLineOf(entry, reader));
}

function activityLineOf(entry: ActivityEntry, reader: Reader) {
  const { verb, rest = "", withoutActor = false } = describeEvent(entry, reader.accountId);
  const name = withoutActor ? "" : nameOf(entry);
  return {
    id: entry.id,
    at: entry.at,
    action: entry.action,
    kind: activityKindOf(entry.action),
    who: personOf(entry, reader),
    withoutActor,
    verb: entry.campaignId && !name ? `${verb} a deleted draft` : verb,
    rest,
    name,
    path: pathOf(entry, reader),
    ...entryDetails(entry),
  };
}

/** The same as one text. */
export function formatActivityLine({ who, withoutActor, verb, name, rest }: ActivityLine): string {
  return `${withoutActor ? "" : `${who} `}${verb}${name ? ` “${name}”` : ""}${rest}`;
}

/** The reader, a colleague by name, a key, the other company, or the product. */
function personOf(entry: ActivityEntry, reader: Reader): string {
  const isOwn = entry.actorAccountId === reader.accountId || entry.actorKind === "user";
  if (!isOwn || entry.actorUserId === reader.userId) return actorLabel(entry, reader.accountId);
  if (entry.keyName) return `API key “${entry.keyName}”`;
  return entry.personName ?? actorLabel(entry, reader.accountId);
}

function nameOf({ action, campaignId, campaignName, objectName, before, after }: ActivityEntry): string {
  if (campaignId && campaignName !== null) return displayCampaignName(campaignName);
  if (objectName) return objectName;
  const found = [before?.name, after?.name, before?.host, after?.host].find((one) => typeof one === "string");
  const name = typeof found === "string" ? found : "";
  return action === "campaign.deleted" ? displayCampaignName(name) : name;
}

/** Where the thing can be looked at; nowhere once it is gone. */
function pathOf(entry: ActivityEntry, { kind }: Reader): `/${string}` | undefined {
  const { campaignId, campaignName, entity, entityId, objectName } = entry;
  if (campaignId && kind === "publisher" && entry.action === "line_item.sent") return `/approval/${campaignId}`;
  if (campaignId) return campaignName === null ? undefined : `/campaigns/${campaignId}`;
  const isThere = objectName !== null;
  switch (entity) {
    case "audience":
      return isThere && kind === "publisher" ? `/audiences/${entityId}` : undefined;
    case "product":
      return isThere ? `/products/${entityId}` : undefined;
    case "product_import":
      return isThere ? `/products/imports/${entityId}` : undefined;
    case "store":
      return isThere ? `/products/stores/${entityId}` : undefined;
    case "creative":
      return isThere ? "/creatives" : undefined;
    case "payout":
      return isThere ? `/revenue/payouts/${entityId}` : undefined;
    case "webhook":
      return isThere ? `/webhooks/${entityId}` : undefined;
    case "report":
      return isThere ? `/reports/${entityId}` : undefined;
    case "invoice":
      return `/billing/invoices/${entityId}`;
    case "top_up":
    case "subscription":
      return "/billing";
    case "payment_method":
      return "/billing?tab=methods";
    case "payout_account":
      return "/revenue/account";
    case "connection":
      return "/audiences/connections";
    case "api_key":
    case "user":
      return "/profile";
    default:
      return entry.action.startsWith("products.") ? "/products" : undefined;
  }
}
