import { beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "#app/api/endpoint.ts";
import { endpoints } from "#app/api/endpoints.ts";
import { bodyExample, describeEndpoint, type EndpointReference } from "#app/api/reference/describe-endpoint.ts";
import { endpointGroups } from "#app/api/reference/endpoint-groups.ts";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { findExampleIds } from "#app/domain/api-keys/find-example-ids.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { newId } from "#app/domain/ids.ts";
import { visitor } from "#tests/domain/accounts/people.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { insertInvoice } from "#tests/support/insert-invoice.ts";
import { insertOwnRows, launched, member, origin, product, send, type TestMember } from "./api.ts";

const db = useDatabase();
const today = calendarDateOf(new Date());
const rows = new Map<string, Endpoint>(Object.entries(endpoints));
const portals = ["advertiser", "publisher"] as const;
const members: Partial<Record<AccountType, TestMember>> = {};

beforeAll(async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  await launched(advertiser, publisher);
  for (const { accountId } of [advertiser, publisher]) {
    await product(accountId);
    await insertCreative(db(), accountId);
  }
  await insertOwnRows({ tenant: publisher.accountId, publisher: publisher.accountId });
  await insertOwnRows({ tenant: advertiser.accountId, publisher: (await member("publisher")).accountId });
  await insertInvoice(db(), advertiser.accountId);
  Object.assign(members, { advertiser, publisher });
});

function memberOf(portal: AccountType): TestMember {
  const found = members[portal];
  if (!found) throw new Error("the members are there from beforeAll on");
  return found;
}

function contextOf(portal: AccountType): Ctx<TenantActor> {
  const { accountId, userId } = memberOf(portal);
  return { ...visitor(), actor: { kind: portal, accountId, userId } };
}

function namesOf(portal: AccountType): string[] {
  return endpointGroups(portal).flatMap(({ names }) => names);
}

async function referenceOf(portal: AccountType): Promise<EndpointReference[]> {
  const ids = await findExampleIds(contextOf(portal));
  return namesOf(portal).map((name) => describeEndpoint(name, { origin, ids, today }));
}

describe("the reference", () => {
  test.each(portals)("has each endpoint that the %s may call exactly once", (portal) => {
    const names = namesOf(portal);
    expect(new Set(names).size).toBe(names.length);
    const callable = [...rows].filter(([, { access }]) => ["visitor", "user", "tenant", portal].includes(access));
    expect([...names].sort()).toEqual(callable.map(([name]) => name).sort());
  });

  test("has every endpoint in a portal but those of operators", () => {
    const shown = new Set(portals.flatMap(namesOf));
    const missing = [...rows].filter(([name]) => !shown.has(name)).map(([, { access }]) => access);
    expect(new Set(missing)).toEqual(new Set(["operator"]));
  });

  test("has an anchor of its own for each endpoint, its summary and its errors", async () => {
    const all = await referenceOf("publisher");
    expect(new Set(all.map(({ anchor }) => anchor)).size).toBe(all.length);
    const approve = all.find(({ name }) => name === "POST /api/campaigns/{id}/approve");
    expect(approve?.errors.map(({ code }) => code)).toEqual(expect.arrayContaining(["not_pending", "version_changed"]));
    const upload = all.find(({ name }) => name === "POST /api/audiences/{id}/uploads");
    expect(upload?.body?.types).toBe("multipart/form-data");
    expect(upload?.body?.fields.map(({ name, required }) => `${name} ${required}`)).toEqual([
      "mode false",
      "include_opt_outs false",
      "encoding false",
      "mapping false",
      "ad_user_data_consent false",
      "ad_personalization_consent false",
      "file true",
    ]);
    expect(upload?.limits).toContain("At most 20 files in a request");
    const limitOf = (name: string) => all.find((one) => one.name === name)?.limits[0];
    expect(limitOf("GET /api/audiences")).toMatch(/^3,000 requests a minute for a key, 6,000 for the account, /);
    expect(limitOf("POST /api/keys")).toMatch(/^120 requests a minute for a person, 600 for the account, /);
    expect(limitOf("POST /api/sessions")).toMatch(/^60 requests a minute from an IP address, /);
    expect(limitOf("POST /api/users/register")).toMatch(/^60 requests a minute from an IP address, /);
    const members = all.find(({ name }) => name === "POST /api/audiences/{id}/members");
    expect(members?.body?.fields.map(({ name }) => name)).toContain("add[].email_sha256");
  });
});

describe("the examples", () => {
  test.each(portals)("of a GET run as written with a key of the %s", async (portal) => {
    const { secret } = await createApiKey(contextOf(portal), { name: "reference" });
    const gets = (await referenceOf(portal)).filter(({ method }) => method === "GET");
    expect(gets.length).toBeGreaterThan(15);
    const documented: string[] = [];
    for (const { name, request, response, errors } of gets) {
      const { status } = await send(requestOf(request, { ENDCAP_KEY: secret }));
      if (status === response.status) continue;
      expect(errors.map((error) => error.status)).toContain(status);
      documented.push(`${name} ${status}`);
    }
    // A person's own endpoint takes no key, and no integration is connected.
    expect(documented.filter((line) => line !== "GET /api/connections/{id}/lists 404")).toEqual([
      "GET /api/users/me 401",
    ]);
  });

  test("of a body pass the schema of their endpoint", () => {
    const takers = [...rows].filter(([, { body, access }]) => body && access !== "operator");
    expect(takers.length).toBeGreaterThan(20);
    for (const [name, { body }] of takers) {
      const example = bodyExample(name, { today, id: () => newId() });
      expect(example, name).toBeDefined();
      expect(body?.safeParse(example).error?.issues, name).toBeUndefined();
    }
  });

  test("name a variable of the shell in place of an object that the account lacks", async () => {
    const { accountId, userId } = await member("advertiser");
    const ids = await findExampleIds({ ...visitor(), actor: { kind: "advertiser", accountId, userId } });
    expect(ids.campaign).toBeUndefined();
    const { request } = describeEndpoint("POST /api/campaigns/{id}/launch", { origin, ids, today });
    expect(request).toContain(`"${origin}/api/campaigns/$CAMPAIGN_ID/launch"`);
  });

  test("have ids of the account's own objects alone", async () => {
    const [advertiser, publisher] = await Promise.all(portals.map((portal) => findExampleIds(contextOf(portal))));
    for (const kind of ["key", "product", "creative"] as const) {
      expect(advertiser?.[kind]).toBeDefined();
      expect(advertiser?.[kind]).not.toBe(publisher?.[kind]);
    }
  });
});

/** Reads the curl command of a GET as a shell would. */
function requestOf(command: string, variables: Record<string, string>): Request {
  const words = command.replaceAll("\\\n", " ").match(/"[^"]*"|\S+/g) ?? [];
  const [program, ...rest] = words.map((word) =>
    word.replace(/^"|"$/g, "").replace(/\$(\w+)/g, (whole, name: string) => variables[name] ?? whole),
  );
  expect(program).toBe("curl");
  const headers = new Headers();
  rest.forEach((word, index) => {
    const [name = "", value = ""] = word.split(": ");
    if (rest[index - 1] === "-H") headers.set(name, value);
  });
  const url = rest.find((word) => word.startsWith("http"));
  if (!url) throw new Error(`no URL in ${command}`);
  return new Request(url, { headers });
}
