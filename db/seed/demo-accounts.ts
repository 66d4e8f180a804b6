import type { AccountType, BusinessVertical } from "#app/domain/accounts/account.ts";
import { standInSubject } from "#app/domain/accounts/stand-in-subject.ts";
import type { AccountId, UserId } from "#app/domain/ids.ts";
import { sandboxBankAccounts } from "#app/domain/payments/sandbox/sandbox-bank-accounts.ts";
import type { Database } from "#db/client.server.ts";
import { accounts, payoutAccounts, users } from "#db/schema/index.ts";
import { demoId } from "./demo-id.ts";

/** The demo accounts, and two that are pending. The first of each type is the one that test mode acts as. */
type DemoAccount = {
  number: number;
  type: AccountType;
  approved: boolean;
  company: string;
  person: string;
  email: string;
  website: string;
  vertical?: BusinessVertical;
  monthlyBudgetDollars?: number;
  monthlyVisitors?: number;
};

export const demoAccounts = {
  northwind: {
    number: 1,
    type: "advertiser",
    approved: true,
    company: "Northwind Outdoors",
    person: "Maya Lindqvist",
    email: "advertiser@example.com",
    website: "https://northwind-outdoors.example",
    vertical: "ecommerce",
    monthlyBudgetDollars: 60_000,
  },
  harbor: {
    number: 2,
    type: "publisher",
    approved: true,
    company: "Harbor Goods",
    person: "Daniel Okafor",
    email: "publisher@example.com",
    website: "https://harborgoods.example",
    monthlyVisitors: 1_840_000,
  },
  brightside: {
    number: 3,
    type: "advertiser",
    approved: true,
    company: "Brightside Coffee Roasters",
    person: "Tomás Aguilar",
    email: "second-advertiser@example.com",
    website: "https://brightside-coffee.example",
    vertical: "ecommerce",
    monthlyBudgetDollars: 35_000,
  },
  fern: {
    number: 4,
    type: "publisher",
    approved: true,
    company: "Fern & Field Market",
    person: "Hannah Weiss",
    email: "second-publisher@example.com",
    website: "https://fernandfield.example",
    monthlyVisitors: 2_310_000,
  },
  larkspur: {
    number: 5,
    type: "advertiser",
    approved: false,
    company: "Larkspur Travel",
    person: "Ines Moreau",
    email: "unapproved-advertiser@example.com",
    website: "https://larkspur-travel.example",
    vertical: "travel",
    monthlyBudgetDollars: 20_000,
  },
  cobblestone: {
    number: 6,
    type: "publisher",
    approved: false,
    company: "Cobblestone Toys",
    person: "Peter Novak",
    email: "unapproved-publisher@example.com",
    website: "https://cobblestone-toys.example",
    monthlyVisitors: 260_000,
  },
} as const satisfies Record<string, DemoAccount>;

export type DemoAdvertiser = "northwind" | "brightside";
export type DemoPublisher = "harbor" | "fern";
export type DemoTenant = keyof typeof demoAccounts;

export function demoAccountId(tenant: DemoTenant): AccountId {
  return demoId<AccountId>("account", demoAccounts[tenant].number);
}

export function demoUserId(tenant: DemoTenant): UserId {
  return demoId<UserId>("user", demoAccounts[tenant].number);
}

/** Inserts the accounts and their users, which registered half a year before `now`. */
export async function insertDemoAccounts(db: Database, now: Date): Promise<void> {
  const tenants = Object.entries(demoAccounts).map(([key, account]: [string, DemoAccount]) => ({ key, account }));
  const joined = new Date(now.getTime() - 180 * 86_400_000);
  const lately = new Date(now.getTime() - 20 * 3_600_000);
  await db.insert(accounts).values(
    tenants.map(({ account }) => ({
      id: demoId<AccountId>("account", account.number),
      type: account.type,
      status: account.approved ? ("approved" as const) : ("pending" as const),
      companyName: account.company,
      website: account.website,
      businessVertical: account.vertical ?? null,
      monthlyBudgetCents: account.monthlyBudgetDollars === undefined ? null : account.monthlyBudgetDollars * 100,
      monthlyVisitors: account.monthlyVisitors ?? null,
      monthlyPageviews: account.monthlyVisitors === undefined ? null : account.monthlyVisitors * 4,
      allowsManagedCampaigns: account.approved && account.type === "advertiser",
      isDemo: account.approved,
      createdAt: account.approved ? joined : lately,
      decidedAt: account.approved ? joined : null,
    })),
  );
  await db.insert(users).values(
    tenants.map(({ account }) => ({
      id: demoId<UserId>("user", account.number),
      accountId: demoId<AccountId>("account", account.number),
      googleSubject: standInSubject(account.email),
      email: account.email,
      name: account.person,
      createdAt: account.approved ? joined : lately,
    })),
  );
  const [{ token, bank, lastFour }] = sandboxBankAccounts;
  await db.insert(payoutAccounts).values(
    tenants
      .filter(({ account }) => account.approved && account.type === "publisher")
      .map(({ account }) => ({
        publisherId: demoId<AccountId>("account", account.number),
        provider: "sandbox" as const,
        changedAt: joined,
        token,
        bank,
        lastFour,
      })),
  );
}
