import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Connector, ConnectorError } from "#app/domain/audiences/integrations/connectors/connector.ts";
import { hubspot } from "#app/domain/audiences/integrations/connectors/hubspot.server.ts";
import { klaviyo } from "#app/domain/audiences/integrations/connectors/klaviyo.server.ts";
import { salesforce } from "#app/domain/audiences/integrations/connectors/salesforce.server.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import {
  type Contact,
  type FakeServer,
  makeContacts,
  startHubspot,
  startKlaviyo,
  startSalesforce,
} from "#tests/support/fakes/fake-integrations.ts";
import { stopAfterTest } from "#tests/support/stop-after-test.ts";

beforeEach(() => {
  const local = readEnv({ SESSION_SECRET: "s".repeat(32), ALLOW_PRIVATE_OUTBOUND: "1" });
  vi.spyOn(environment, "env").mockReturnValue(local);
});

const vip: Contact[] = [
  { id: "1", email: "ada@example.com", phone: "+14155550100" },
  { id: "2", email: null, phone: "+14155550101" },
  { id: "3", email: "", phone: null },
];
const many = makeContacts("person", 1_250);

type Kind = {
  start: () => Promise<FakeServer>;
  connect: (program: FakeServer, credential?: string) => Connector;
  /** As the program calls its lists. */
  vip: string;
  large: string;
  empty: string;
  unknown: string;
  names: string[];
};
const pauses: number[] = [];
const retryPolicy = { sleep: async (milliseconds: number) => void pauses.push(milliseconds) };

const kinds: Record<string, Kind> = {
  Klaviyo: {
    start: () => {
      const lists = {
        "lists/V": { name: "VIP", contacts: vip },
        "segments/L": { name: "Large", contacts: many },
        "lists/E": { name: "Empty", contacts: [] },
        ...Object.fromEntries(
          Array.from({ length: 12 }, (_, index) => [`lists/M${index}`, { name: `More ${10 + index}`, contacts: [] }]),
        ),
      };
      return startKlaviyo({ key: "good", lists });
    },
    connect: ({ origin }, apiKey = "good") => klaviyo({ apiKey }, { origin, retryPolicy }),
    vip: "lists/V",
    large: "segments/L",
    empty: "lists/E",
    unknown: "lists/NONE",
    names: ["Empty", "Large", ...Array.from({ length: 12 }, (_, index) => `More ${10 + index}`), "VIP"],
  },
  HubSpot: {
    start: () => {
      const lists = {
        1: { name: "VIP", contacts: vip },
        2: { name: "Large", contacts: many.map((one) => ({ ...one, id: `9${one.id}` })) },
        3: { name: "Empty", contacts: [] },
        4: { name: "Companies", contacts: [] },
      };
      return startHubspot({ token: "good", lists });
    },
    connect: ({ origin }, accessToken = "good") => hubspot({ accessToken }, { origin, retryPolicy }),
    vip: "1",
    large: "2",
    empty: "3",
    unknown: "99",
    names: ["Empty", "Large", "VIP"],
  },
  Salesforce: {
    start: () => {
      const lists = {
        "701000000000001": { name: "VIP", contacts: vip },
        "701000000000002": { name: "Large", contacts: many },
        "701000000000003": { name: "Empty", contacts: [] },
      };
      return startSalesforce({ secret: "good", lists });
    },
    connect: ({ origin }, consumerSecret = "good") =>
      salesforce({ instanceUrl: origin, consumerKey: "key", consumerSecret }, { retryPolicy }),
    vip: "701000000000001",
    large: "701000000000002",
    empty: "701000000000003",
    unknown: "701' OR Name != '",
    names: ["All contacts", "Empty", "Large", "VIP"],
  },
};

describe.each(Object.entries(kinds))("%s", (_name, kind) => {
  beforeEach(() => {
    pauses.length = 0;
  });

  test("lists all lists, over all pages, by name", async () => {
    const connector = kind.connect(await stopAfterTest(kind.start()));
    expect((await connector.listLists()).map(({ name }) => name)).toEqual(kind.names);
  });

  test("reads people with their known identifiers", async () => {
    const connector = kind.connect(await stopAfterTest(kind.start()));
    const { people, next } = await connector.readPage(kind.vip, undefined);
    expect(next).toBeUndefined();
    expect(people.map(({ email, phone }) => [email || null, phone])).toEqual([
      ["ada@example.com", "+14155550100"],
      [null, "+14155550101"],
      [null, null],
    ]);
  });

  test("reads an empty list as a page without people", async () => {
    const connector = kind.connect(await stopAfterTest(kind.start()));
    expect(await connector.readPage(kind.empty, undefined)).toEqual({ people: [], next: undefined });
  });

  test("reads each of a thousand people once, through broken connections and rate limits", async () => {
    const program = await stopAfterTest(kind.start());
    program.interrupt({ status: 429, headers: { "Retry-After": "2" } }, { status: 503 }, { status: 0, cut: true });
    const found = await readAll(kind.connect(program), kind.large);
    expect(found).toEqual(many.map(({ email }) => email));
    expect(pauses[0]).toBe(2_000);
    expect(pauses).toHaveLength(3);
  });

  test("continues from a stored cursor, in another process too", async () => {
    const program = await stopAfterTest(kind.start());
    const { people, next } = await kind.connect(program).readPage(kind.large, undefined);
    const rest = await readAll(kind.connect(program), kind.large, next);
    expect([...people.map(({ email }) => email), ...rest]).toEqual(many.map(({ email }) => email));
  });

  test("reports invalid credentials without including them", async () => {
    const connector = kind.connect(await stopAfterTest(kind.start()), "wrong-secret");
    const error = await connector.listLists().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ problem: "invalid_credentials" });
    expect(JSON.stringify(error) + String(error)).not.toContain("wrong-secret");
  });

  test("reports a missing list, whatever its name", async () => {
    const connector = kind.connect(await stopAfterTest(kind.start()));
    for (const list of [kind.unknown, "../../admin", "", "lists/V?x=1"]) {
      await expect(connector.readPage(list, undefined)).rejects.toMatchObject({ problem: "list_not_found" });
    }
  });

  test("fails when the daily limit is used up, and when the server does not respond", async () => {
    const program = await stopAfterTest(kind.start());
    program.interrupt({ status: 429, headers: { "Retry-After": "86400" } });
    await expect(kind.connect(program).listLists()).rejects.toMatchObject({ problem: "rate_limited" });
    await program.stop();
    await expect(kind.connect(program).listLists()).rejects.toMatchObject({ problem: "unreachable" });
  });

  test("rejects a response of another format", async () => {
    const program = await stopAfterTest(kind.start());
    program.interrupt({ status: 200 });
    await expect(kind.connect(program).listLists()).rejects.toThrow(ConnectorError);
  });

  test("sends requests to no other host, whatever the cursor is", async () => {
    const program = await stopAfterTest(kind.start());
    const cursor = "https://evil.example/steal?page[cursor]=x";
    await kind
      .connect(program)
      .readPage(kind.vip, cursor)
      .catch(() => undefined);
    expect(program.asked.every((line) => /^(GET|POST) \/(api|crm|services)\//.test(line))).toBe(true);
  });
});

async function readAll(connector: Connector, list: string, from?: string): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  let cursor = from;
  do {
    const page = await connector.readPage(list, cursor);
    found.push(...page.people.map(({ email }) => email));
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}

test.each([
  ["a page instead of an answer", { status: 200, body: "<html>Log in</html>" }, "unexpected_response"],
  ["a page of a proxy with 400", { status: 400, body: "<html>Bad request</html>" }, "unexpected_response"],
  ["credentials that it does not take", { status: 400, body: '{"error":"invalid_client_id"}' }, "invalid_credentials"],
])("Salesforce's sign-in response %s is reported as it is", async (_, answer, problem) => {
  const program = await stopAfterTest(startSalesforce({ secret: "good", lists: {} }));
  program.interrupt(answer);
  const connector = salesforce(
    { instanceUrl: program.origin, consumerKey: "key", consumerSecret: "good" },
    { retryPolicy },
  );
  await expect(connector.listLists()).rejects.toMatchObject({ problem });
});

test("a session of Salesforce that ends between two pages is replaced, once", async () => {
  const lists = { "701000000000001": { name: "Large", contacts: many } };
  const program = await stopAfterTest(startSalesforce({ secret: "good", lists }));
  const open = () =>
    salesforce({ instanceUrl: program.origin, consumerKey: "key", consumerSecret: "good" }, { retryPolicy });
  const ended = { status: 401, body: JSON.stringify([{ errorCode: "INVALID_SESSION_ID" }]) };
  program.interrupt("serve", "serve", ended);
  expect(await readAll(open(), "701000000000001")).toEqual(many.map(({ email }) => email));
  program.interrupt("serve", "serve", ended, "serve", ended);
  await expect(readAll(open(), "701000000000001")).rejects.toMatchObject({ problem: "invalid_credentials" });
});

test("Salesforce's daily limit, which it reports as a lack of permission, is a limit", async () => {
  const program = await stopAfterTest(startSalesforce({ secret: "good", lists: {} }));
  const limit = [{ message: "TotalRequests Limit exceeded.", errorCode: "REQUEST_LIMIT_EXCEEDED" }];
  const denial = [{ message: "Access denied.", errorCode: "INSUFFICIENT_ACCESS" }];
  const connector = salesforce(
    { instanceUrl: program.origin, consumerKey: "key", consumerSecret: "good" },
    { retryPolicy },
  );
  program.interrupt("serve", { status: 403, body: JSON.stringify(limit) });
  await expect(connector.listLists()).rejects.toMatchObject({ problem: "rate_limited" });
  program.interrupt({ status: 403, body: JSON.stringify(denial) });
  await expect(connector.listLists()).rejects.toMatchObject({ problem: "missing_scope" });
});
