import fc from "fast-check";
import { registrationSchema } from "#app/domain/accounts/account-payloads.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import { signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { updateProfile } from "#app/domain/accounts/update-profile.server.ts";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import { audienceSchema } from "#app/domain/audiences/audience-payloads.ts";
import { createAudience } from "#app/domain/audiences/create-audience.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { archiveCampaign } from "#app/domain/campaigns/archive/archive-campaign.server.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { createExampleCampaign } from "#app/domain/campaigns/create-example-campaign.server.ts";
import { deleteDraft } from "#app/domain/campaigns/delete-draft.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { deleteProduct } from "#app/domain/catalog/delete-products.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import type { AdvertiserActor, Ctx, OperatorActor, PublisherActor, VisitorCtx } from "#app/domain/context.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId, CampaignId, CreativeId, PaymentMethodId, ProductId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import type { Database } from "#db/client.server.ts";
import { identity } from "#tests/domain/accounts/people.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { campaignChanges } from "#tests/support/world.ts";

/** What a new advertiser and a new publisher do. A number picks one of what there is. */
export type FirstHourEvent =
  | { does: "profile"; website: boolean; vertical: boolean }
  | { does: "add_product" | "upload_creative" | "example" | "create_audience" | "bank_account" }
  | {
      does: "delete_product" | "delete_creative" | "delete_draft" | "archive_campaign" | "archive_audience";
      which: number;
    }
  | { does: "draft"; audience: boolean }
  | { does: "choose_audience"; which: number; audience: boolean }
  | { does: "launch"; which: number }
  | { does: "review"; which: number; action: "approve" | "reject" }
  | { does: "top_up"; card: "tok_visa" | "tok_confirmation" | "tok_declined" }
  | { does: "credit"; dollars: number }
  | { does: "members"; change: "add" | "remove"; which: number; from: number; count: number };

const which = fc.nat(3);
const simple = fc.constantFrom("add_product", "upload_creative", "example", "create_audience", "bank_account");
const undoing = fc.constantFrom(
  "delete_product",
  "delete_creative",
  "delete_draft",
  "archive_campaign",
  "archive_audience",
);
export const firstHourEvents: fc.Arbitrary<FirstHourEvent> = fc.oneof(
  fc.record({ does: fc.constant("profile"), website: fc.boolean(), vertical: fc.boolean() }),
  simple.map((does): FirstHourEvent => ({ does })),
  fc.record({ does: undoing, which }),
  fc.record({ does: fc.constant("draft"), audience: fc.boolean() }),
  fc.record({ does: fc.constant("choose_audience"), which, audience: fc.boolean() }),
  fc.record({ does: fc.constant("launch"), which }),
  fc.record({ does: fc.constant("review"), which, action: fc.constantFrom("approve", "reject") }),
  fc.record({ does: fc.constant("top_up"), card: fc.constantFrom("tok_visa", "tok_confirmation", "tok_declined") }),
  fc.record({ does: fc.constant("credit"), dollars: fc.constantFrom(0, 500) }),
  fc.record({
    does: fc.constant("members"),
    change: fc.constantFrom("add", "add", "remove"),
    which,
    from: fc.constantFrom(0, 400, 900),
    count: fc.constantFrom(1, 600, 1_000),
  }),
);

type Campaign = {
  hasAudience: boolean;
  isSent: boolean;
  isArchived: boolean;
  approval?: "pending" | "approved" | "rejected";
};

/** What the model remembers of the history: nothing that it reads from the database. */
type Memory = {
  details: { website: boolean; vertical: boolean };
  products: Set<ProductId>;
  creatives: Set<CreativeId>;
  campaigns: Map<CampaignId, Campaign>;
  audiences: Map<AudienceId, { people: Set<number>; isArchived: boolean }>;
  topUps: Set<string>;
  credit: boolean;
  bank: boolean;
  wasApproved: boolean;
};

export type FirstHour = Awaited<ReturnType<typeof startFirstHour>>;

/** Registers an advertiser and a publisher, and returns how they act and what is expected of their first steps. */
export async function startFirstHour(db: Database, now: () => Date) {
  const visit: VisitorCtx = { db, clock: now, entrypoint: "screen", report: () => undefined };
  const register = async (type: "advertiser" | "publisher") => {
    const { userId } = await signInUser(visit, identity());
    const registration = registrationSchema.parse({ user_type: type, company_name: `New ${type}` });
    const ctx = { ...visit, actor: { kind: "user" as const, userId } };
    return { userId, accountId: (await registerAccount(ctx, { registration, approval: "auto" })).accountId };
  };
  const advertiser: Ctx<AdvertiserActor> = {
    ...visit,
    actor: { kind: "advertiser", ...(await register("advertiser")) },
  };
  const publisher: Ctx<PublisherActor> = { ...visit, actor: { kind: "publisher", ...(await register("publisher")) } };
  const operator: Ctx<OperatorActor> = { ...visit, actor: { kind: "operator", name: "test" } };
  const memory: Memory = {
    details: { website: false, vertical: false },
    products: new Set(),
    creatives: new Set(),
    campaigns: new Map(),
    audiences: new Map(),
    topUps: new Set(),
    credit: false,
    bank: false,
    wasApproved: false,
  };
  const cards = new Map<string, PaymentMethodId>();
  let made = 0;

  const pick = <Id>(from: Iterable<Id>, at: number): Id => {
    const all = [...from];
    const found = all[at % Math.max(1, all.length)];
    if (found === undefined) throw new DomainError("not_found", "There is none");
    return found;
  };
  const campaignOf = (id: CampaignId) => {
    const campaign = memory.campaigns.get(id);
    if (!campaign) throw new Error("the model lacks a campaign");
    return campaign;
  };
  const anAudience = () => pick([...memory.audiences.keys()].reverse(), 0);
  const people = ({ from, count }: { from: number; count: number }) =>
    Array.from({ length: count }, (_, i) => from + i);

  /** Does what the event says; a verb that rejects it throws, and the model remembers nothing. */
  async function act(event: FirstHourEvent): Promise<void> {
    switch (event.does) {
      case "profile": {
        const { website, vertical } = event;
        await updateProfile(advertiser, {
          company_name: "New advertiser",
          website: website ? "https://new.example" : null,
          business_vertical: vertical ? "travel" : null,
          monthly_budget: null,
          monthly_visitors: null,
          monthly_pageviews: null,
          allows_managed_campaigns: false,
        });
        memory.details = { website, vertical };
        return;
      }
      case "add_product": {
        made += 1;
        const fields = { name: "Tent", sku: `T-${made}`, category: "Tents", price: 100 };
        memory.products.add((await createProduct(advertiser, productSchema.parse(fields))).id);
        return;
      }
      case "delete_product": {
        const id = pick(memory.products, event.which);
        await deleteProduct(advertiser, { id });
        memory.products.delete(id);
        return;
      }
      case "upload_creative":
        memory.creatives.add(await insertCreative(db, advertiser.actor.accountId));
        return;
      case "delete_creative": {
        const id = pick(memory.creatives, event.which);
        await deleteCreative(advertiser, { id });
        memory.creatives.delete(id);
        return;
      }
      case "example": {
        const { id } = await createExampleCampaign(advertiser);
        memory.campaigns.set(id, { hasAudience: false, isSent: false, isArchived: false });
        return;
      }
      case "draft": {
        const selected_audiences = event.audience ? [anAudience()] : [];
        const changes = { ...launchable(now()), selected_audiences };
        const { id } = await createCampaign(advertiser, campaignChanges(changes));
        memory.campaigns.set(id, { hasAudience: event.audience, isSent: false, isArchived: false });
        return;
      }
      case "choose_audience": {
        const id = pick(memory.campaigns.keys(), event.which);
        const changes = campaignChanges({ selected_audiences: event.audience ? [anAudience()] : [] });
        await updateCampaign(advertiser, { id, changes });
        campaignOf(id).hasAudience = event.audience;
        return;
      }
      case "delete_draft": {
        const id = pick(memory.campaigns.keys(), event.which);
        await deleteDraft(advertiser, { id });
        memory.campaigns.delete(id);
        return;
      }
      case "archive_campaign": {
        const id = pick(memory.campaigns.keys(), event.which);
        await archiveCampaign(advertiser, { id });
        campaignOf(id).isArchived = true;
        return;
      }
      case "launch": {
        const id = pick(memory.campaigns.keys(), event.which);
        await launchCampaign(advertiser, { id });
        Object.assign(campaignOf(id), { isSent: true, approval: "pending" });
        return;
      }
      case "review": {
        const id = pick(memory.campaigns.keys(), event.which);
        await reviewCampaign(publisher, { id, action: event.action });
        campaignOf(id).approval = event.action === "approve" ? "approved" : "rejected";
        memory.wasApproved ||= event.action === "approve";
        return;
      }
      case "top_up": {
        const method = cards.get(event.card) ?? (await addPaymentMethod(advertiser, { token: event.card })).id;
        cards.set(event.card, method);
        made += 1;
        const input = { amount: asCents(50_000), payment_method_id: method, key: `first/${made}` };
        memory.topUps.add(
          (await topUpWallet(advertiser, { ...input, returnPath: () => "/advertiser/billing" })).status,
        );
        return;
      }
      case "credit":
        await setCreditLimit(operator, {
          accountId: advertiser.actor.accountId,
          amount: asCents(event.dollars * 100),
        });
        memory.credit = event.dollars > 0;
        return;
      case "create_audience": {
        const { id } = await createAudience(publisher, audienceSchema.parse({ name: "Buyers", segment: "high-value" }));
        memory.audiences.set(id, { people: new Set(), isArchived: false });
        return;
      }
      case "members": {
        const id = pick(memory.audiences.keys(), event.which);
        const numbers = people(event);
        const list = numbers.map((number) => ({ email: `person${number}@example.org` }));
        const empty = { add: [], remove: [] };
        await updateMembers(publisher, { audienceId: id, ...empty, [event.change]: list });
        const audience = memory.audiences.get(id);
        for (const number of numbers) audience?.people[event.change === "add" ? "add" : "delete"](number);
        return;
      }
      case "archive_audience": {
        const id = pick(memory.audiences.keys(), event.which);
        await archiveAudience(publisher, { id });
        const audience = memory.audiences.get(id);
        if (audience) audience.isArchived = true;
        return;
      }
      case "bank_account":
        await setPayoutAccount(publisher, { token: "bank_sandbox" });
        memory.bank = true;
        return;
    }
  }

  return {
    advertiser,
    publisher,
    expected: () => ({ advertiser: expectedOfAdvertiser(memory), publisher: expectedOfPublisher(memory) }),
    /** Returns whether the event was possible. */
    async apply(event: FirstHourEvent): Promise<boolean> {
      try {
        await act(event);
        return true;
      } catch (error) {
        if (error instanceof DomainError) return false;
        throw error;
      }
    },
  };
}

function expectedOfAdvertiser({ details, products, creatives, campaigns, topUps, credit }: Memory): string[] {
  const all = [...campaigns.values()];
  const launched = all.some(({ isSent }) => isSent);
  const drafts = all.filter(({ isSent, isArchived }) => !isSent && !isArchived);
  const filled = Number(details.website) + Number(details.vertical);
  return [
    `company_profile ${["to_do", "started", "done"][filled]} ${filled}/2`,
    `product ${products.size > 0 ? "done" : "to_do"}`,
    `creative ${creatives.size > 0 ? "done" : "to_do"}`,
    `audience ${launched || all.some(({ hasAudience }) => hasAudience) ? "done" : "to_do"}`,
    `funds ${stateOf(credit || topUps.has("succeeded"), topUps.has("needs_confirmation"))}`,
    `campaign ${stateOf(launched, drafts.length > 0)}`,
  ];
}

function expectedOfPublisher({ audiences, campaigns, bank, wasApproved }: Memory): string[] {
  const all = [...audiences.values()];
  const reached = all.some(({ people }) => people.size >= 1_000);
  const largest = Math.max(0, ...all.filter(({ isArchived }) => !isArchived).map(({ people }) => people.size));
  const pending = [...campaigns.values()].some(({ approval }) => approval === "pending");
  return [
    `first_audience ${all.length > 0 ? "done" : "to_do"}`,
    `minimum_size ${stateOf(reached, largest > 0)} ${reached ? 1_000 : largest}/1000`,
    `bank_account ${bank ? "done" : "to_do"}`,
    `first_approval ${stateOf(wasApproved, pending)}`,
  ];
}

function stateOf(done: boolean, started: boolean): string {
  if (done) return "done";
  return started ? "started" : "to_do";
}

function launchable(now: Date) {
  const day = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  return {
    name: "First campaign",
    objective: "conversions",
    ad_format: "display",
    channel_type: "dsp",
    channels: ["trade_desk"],
    budget: 500,
    daily_budget: 50,
    start_date: day(1),
    end_date: day(10),
  };
}
