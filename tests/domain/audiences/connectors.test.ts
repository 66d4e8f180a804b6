import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Connector, ConnectorError } from "#app/domain/audiences/connectors/connector.ts";
import { hubspot } from "#app/domain/audiences/connectors/hubspot.server.ts";
import { klaviyo } from "#app/domain/audiences/connectors/klaviyo.server.ts";
import { salesforce } from "#app/domain/audiences/connectors/salesforce.server.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import { during } from "#tests/support/during.ts";
import {
  type Contact,
  contactsNamed,
  type RemoteProgram,
  startHubspot,
  startKlaviyo,
  startSalesforce,
} from "#tests/support/remote-programs.ts";

beforeEach(() => {
  const local = readEnv({ SESSION_SECRET: "s".repeat(32), ALLOW_PRIVATE_OUTBOUND: "1" });
  vi.spyOn(environment, "env").mockReturnValue(local);
});

const vip: Contact[] = [
  { id: "1", email: "ada@example.com", phone: "+14155550100" },
  { id: "2", email: null, phone: "+14155550101" },
  { id: "3", email: "", phone: null },
];
const many = contactsNamed("person", 10_250);

type Kind = {
  start: () => Promise<RemoteProgram>;
  connect: (program: RemoteProgram, credential?: string) => Connector;
  /** As the program calls its lists. */
  vip: string;
  large: string;
  empty: string;
  unknown: string;
  names: string[];
};
const pauses: number[] = [];
const patience = { pause: async (milliseconds: number) => void pauses.push(milliseconds) };

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
    connect: ({ origin }, apiKey = "good") => klaviyo({ apiKey }, { origin, patience }),
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
    connect: ({ origin }, accessToken = "good") => hubspot({ accessToken }, { origin, patience }),
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
      salesforce({ instanceUrl: origin, consumerKey: "key", consumerSecret }, { patience }),
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

  test("lists what there is, over all pages, by name", async () => {
    const connector = kind.connect(await during(kind.start()));
    expect((await connector.listLists()).map(({ name }) => name)).toEqual(kind.names);
  });

  test("reads people with what is known of them", async () => {
    const connector = kind.connect(await during(kind.start()));
    const { people, next } = await connector.readPage(kind.vip, undefined);
    expect(next).toBeUndefined();
    expect(people.map(({ email, phone }) => [email || null, phone])).toEqual([
      ["ada@example.com", "+14155550100"],
      [null, "+14155550101"],
      [null, null],
    ]);
  });

  test("an empty list is a page without people", async () => {
    const connector = kind.connect(await during(kind.start()));
    expect(await connector.readPage(kind.empty, undefined)).toEqual({ people: [], next: undefined });
  });

  test("reads each of ten thousand people once, with cuts and limits on the way", async () => {
    const program = await during(kind.start());
    program.interrupt({ status: 429, headers: { "Retry-After": "2" } }, { status: 503 }, { status: 0, cut: true });
    const found = await readAll(kind.connect(program), kind.large);
    expect(found).toEqual(many.map(({ email }) => email));
    expect(pauses[0]).toBe(2_000);
    expect(pauses).toHaveLength(3);
  });

  test("goes on from a cursor that was kept, in another process too", async () => {
    const program = await during(kind.start());
    const { people, next } = await kind.connect(program).readPage(kind.large, undefined);
    const rest = await readAll(kind.connect(program), kind.large, next);
    expect([...people.map(({ email }) => email), ...rest]).toEqual(many.map(({ email }) => email));
  });

  test("says that the credential is wrong, without it", async () => {
    const connector = kind.connect(await during(kind.start()), "wrong-secret");
    const error = await connector.listLists().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ problem: "refused" });
    expect(JSON.stringify(error) + String(error)).not.toContain("wrong-secret");
  });

  test("says that a list is not there, whatever stands in its name", async () => {
    const connector = kind.connect(await during(kind.start()));
    for (const list of [kind.unknown, "../../admin", "", "lists/V?x=1"]) {
      await expect(connector.readPage(list, undefined)).rejects.toMatchObject({ problem: "unknown_list" });
    }
  });

  test("gives up where the limits are used up for the day, and where nobody answers", async () => {
    const program = await during(kind.start());
    program.interrupt({ status: 429, headers: { "Retry-After": "86400" } });
    await expect(kind.connect(program).listLists()).rejects.toMatchObject({ problem: "busy" });
    await program.stop();
    await expect(kind.connect(program).listLists()).rejects.toMatchObject({ problem: "unreachable" });
  });

  test("takes no answer of another shape", async () => {
    const program = await during(kind.start());
    program.interrupt({ status: 200 });
    await expect(kind.connect(program).listLists()).rejects.toThrow(ConnectorError);
  });

  test("goes nowhere else, whatever the cursor says", async () => {
    const program = await during(kind.start());
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
  ["a page instead of an answer", { status: 200, body: "<html>Log in</html>" }, "unreadable"],
  ["a page of a proxy with 400", { status: 400, body: "<html>Bad request</html>" }, "unreadable"],
  ["credentials that it does not take", { status: 400, body: '{"error":"invalid_client_id"}' }, "refused"],
])("Salesforce's sign-in that answers with %s is not told as anything else", async (_, answer, problem) => {
  const program = await during(startSalesforce({ secret: "good", lists: {} }));
  program.interrupt(answer);
  const connector = salesforce(
    { instanceUrl: program.origin, consumerKey: "key", consumerSecret: "good" },
    { patience },
  );
  await expect(connector.listLists()).rejects.toMatchObject({ problem });
});
