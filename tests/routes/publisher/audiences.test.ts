import { describe, expect, it } from "vitest";
import { changeAudience } from "#app/domain/audiences/change-audience.server.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { listOwnAudiences } from "#app/domain/audiences/list-own-audiences.server.ts";
import type { AudienceId, ConnectionId } from "#app/domain/ids.ts";
import { newId, parseId } from "#app/domain/ids.ts";
import * as archive from "#app/screens/publisher/archive-audience.tsx";
import * as audience from "#app/screens/publisher/audience.tsx";
import * as api from "#app/screens/publisher/audience-api.tsx";
import * as list from "#app/screens/publisher/audiences.tsx";
import * as chooseList from "#app/screens/publisher/choose-list.tsx";
import * as connect from "#app/screens/publisher/connect-program.tsx";
import * as connections from "#app/screens/publisher/connections.tsx";
import * as create from "#app/screens/publisher/create-audience.tsx";
import * as disconnect from "#app/screens/publisher/disconnect-program.tsx";
import * as edit from "#app/screens/publisher/edit-audience.tsx";
import * as erase from "#app/screens/publisher/erase-people.tsx";
import * as refresh from "#app/screens/publisher/refresh-audience.tsx";
import { audienceConnections } from "#db/schema/index.ts";
import { anAudience, people, upload } from "#tests/domain/audiences/an-audience.ts";
import { useWorld, visit } from "./portal.ts";

const world = useWorld();

const typed = (changes: Record<string, string> = {}) => ({
  name: "Anglers",
  description: "",
  segment: "high-value",
  estimated_size: "25,000",
  cpm_rate: "7.50",
  data_source: "file",
  refresh_frequency: "monthly",
  default_country: "",
  ...changes,
});

/** As a browser sends it: an empty choice of files is a file without a name. */
function multipart(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new File([], ""));
  return form;
}

function send(fields: Record<string, string>, who: "harbor" | "fern" = "harbor") {
  return visit(world(), who, create.action, "/publisher/audiences/create", { multipart: multipart(fields) });
}

const ownOf = async (q: string) => (await listOwnAudiences(world().harbor, { q })).rows;

describe("Upload Audience", () => {
  it("makes an audience once, however often the form is sent, and says thank you", async () => {
    const fields = typed({ name: "Anglers once", idempotency_key: crypto.randomUUID() });
    const first = await send(fields);
    expect(first.location).toMatch(/^\/thank-you\/audience-uploaded\?audience=[0-9a-f-]{36}$/);
    expect((await send(fields)).location).toBe(first.location);
    expect(await ownOf("Anglers once")).toMatchObject([{ status: "building", size: 0, cpmCents: 750 }]);
    const id = parseId<AudienceId>(first.location?.split("=")[1]);
    expect(id && (await getAudience(world().harbor, id))).toMatchObject({
      description: null,
      estimatedSize: 25_000,
      refreshFrequency: "monthly",
      defaultCountry: null,
    });
  });

  it("gives back what was typed with every error, and makes nothing", async () => {
    const answered = await send(typed({ name: " ", segment: "", cpm_rate: "abc", estimated_size: "-3" }));
    expect(answered).toMatchObject({
      status: 422,
      body: {
        initialValue: { cpm_rate: "abc", estimated_size: "-3", refresh_frequency: "monthly" },
        error: {
          name: ["Enter an audience name"],
          segment: ["Choose a segment"],
          cpm_rate: [expect.stringContaining("US dollars")],
          estimated_size: ["Enter a whole number, 0 or more"],
        },
      },
    });
  });

  it("takes the connectors with the enterprise plan only", async () => {
    const fields = typed({ name: "From Segment", data_source: "segment" });
    const shown = (who: "harbor" | "fern") =>
      visit(world(), who, create.loader, "/publisher/audiences/create?method=direct");
    expect((await send(fields)).status).toBe(302);
    await world().subscribe("fern", "professional");
    expect(await send(fields, "fern")).toMatchObject({
      status: 409,
      body: { error: { "": ["Direct integration requires an enterprise plan"] } },
    });
    expect([(await shown("harbor")).body, (await shown("fern")).body]).toMatchObject([
      { locked: false },
      { locked: true },
    ]);
    await world().subscribe("fern", "enterprise");
  });

  it("refuses what is no form with files", async () => {
    const path = "/publisher/audiences/create";
    expect((await visit(world(), "harbor", create.action, path, { form: typed() })).status).toBe(415);
  });
});

describe("connections", () => {
  it("are shown as they are, and those that are not there are neither disconnected nor connected", async () => {
    const path = "/publisher/audiences/connections";
    expect((await visit(world(), "harbor", connections.loader, path)).body).toMatchObject({ connections: [] });
    const absent = { params: { program: "klaviyo" } };
    const asked = await visit(world(), "harbor", disconnect.loader, `${path}/klaviyo/disconnect`, absent);
    expect(asked.body).toMatchObject({ name: "Klaviyo", connected: false });
    const pressed = { ...absent, form: {} };
    const done = await visit(world(), "harbor", disconnect.action, `${path}/klaviyo/disconnect`, pressed);
    expect(done.location).toBe(path);
    const unknown = { params: { program: "segment" } };
    for (const screen of [connect, disconnect]) {
      expect((await visit(world(), "harbor", screen.loader, `${path}/segment`, unknown)).status).toBe(404);
    }
  });

  it("are given up on a page that asks first, each publisher's own alone", async () => {
    const path = "/publisher/audiences/connections/hubspot/disconnect";
    const params = { program: "hubspot" };
    for (const who of ["harbor", "fern"] as const) {
      await world()
        .db.insert(audienceConnections)
        .values({
          id: newId<ConnectionId>(),
          publisherId: world().accountId(who),
          program: "hubspot",
          credential: Buffer.of(0),
          checkedAt: world().clock(),
        });
    }
    const shown = async (who: "harbor" | "fern") =>
      (await visit(world(), who, disconnect.loader, path, { params })).body;
    for (const who of ["harbor", "fern"] as const) expect(await shown(who)).toMatchObject({ connected: true });
    const pressed = await visit(world(), "harbor", disconnect.action, path, { params, form: {} });
    expect(pressed.location).toBe("/publisher/audiences/connections");
    expect(await shown("harbor")).toMatchObject({ connected: false });
    expect(await shown("fern")).toMatchObject({ connected: true });
  });

  it("never give a secret back, whatever is wrong with the rest", async () => {
    const path = "/publisher/audiences/connections/salesforce";
    const form = {
      program: "salesforce",
      instance_url: "nowhere",
      consumer_key: "k",
      consumer_secret: "marker-secret",
    };
    const answer = await visit(world(), "harbor", connect.action, path, { form });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ initialValue: { instance_url: "nowhere", consumer_key: "k" } });
    expect(JSON.stringify(answer.body)).not.toContain("marker-secret");
  });

  it("are needed for a list, and a refresh without one says what is missing", async () => {
    await changeAudience(world().harbor, { id: world().audience("giftShoppers"), changes: { data_source: "klaviyo" } });
    const params = { id: world().audience("giftShoppers") };
    const page = `/publisher/audiences/${params.id}`;
    const shown = await visit(world(), "harbor", chooseList.loader, `${page}/list`, { params });
    expect(shown.body).toMatchObject({ lists: [], problem: "Klaviyo is not connected" });
    const chosen = await visit(world(), "harbor", chooseList.action, `${page}/list`, { params, form: { list: "x" } });
    expect(chosen).toMatchObject({ status: 409, body: { error: { "": ["Klaviyo is not connected"] } } });
    const refreshed = await visit(world(), "harbor", refresh.action, `${page}/refresh`, { params, form: {} });
    expect(refreshed.location).toBe(page);
    const visited = await visit(world(), "harbor", refresh.loader, `${page}/refresh`, { params });
    expect(visited.location).toBe(page);
    expect((await visit(world(), "fern", refresh.action, `${page}/refresh`, { params, form: {} })).status).toBe(404);
  });
});

describe("the list", () => {
  const shown = async (query: string) =>
    JSON.stringify((await visit(world(), "harbor", list.loader, `/publisher/audiences${query}`)).body);

  it("searches by name, and filters by segment and status", async () => {
    expect(await shown("")).toMatch(/Camping gear.*Gift shoppers.*Weekend hikers/);
    expect(await shown("")).not.toContain("coffee");
    expect(await shown("?q=KAYAK")).toContain("Kayak owners (pilot)");
    expect(await shown("?q=KAYAK")).not.toContain("Weekend hikers");
    expect(await shown("?segment=seasonal-shoppers")).not.toContain("Weekend hikers");
    expect(await shown("?status=below_minimum")).toContain('"matching":1');
    expect(await shown("?segment=nobody&status=nothing&cursor=nowhere")).toContain("Weekend hikers");
  });
});

describe("an audience", () => {
  const at = (id: string, more = "") => ({ path: `/publisher/audiences/${id}${more}`, params: { id } });

  it("shows its owner the exact size, and nobody else anything", async () => {
    const { path, params } = at(world().audience("hikers"));
    expect((await visit(world(), "harbor", audience.loader, path, { params })).body).toMatchObject({
      audience: { name: "Weekend hikers", size: 84_312 },
      uploads: [],
      versions: [],
    });
    for (const screen of [audience, edit, archive, api]) {
      expect((await visit(world(), "fern", screen.loader, path, { params })).status).toBe(404);
    }
  });

  it("is changed by its form, where an empty field is cleared", async () => {
    const id = world().audience("campers");
    const { path, params } = at(id, "/edit");
    const saved = await visit(world(), "harbor", edit.action, path, {
      form: typed({ name: "Campers", estimated_size: "", data_source: "klaviyo" }),
      params,
    });
    expect(saved.location).toBe(`/publisher/audiences/${id}`);
    expect(await getAudience(world().harbor, id)).toMatchObject({
      name: "Campers",
      description: null,
      estimatedSize: null,
      dataSource: "klaviyo",
      size: 31_857,
    });
    const foreign = await visit(world(), "fern", edit.action, path, { form: typed(), params });
    expect(foreign.status).toBe(404);
  });

  it("is archived unless a campaign needs it", async () => {
    await world().aRunningCampaign();
    const press = (id: string) => {
      const { path, params } = at(id, "/archive");
      return visit(world(), "harbor", archive.action, path, { form: {}, params });
    };
    expect(await press(world().audience("hikers"))).toMatchObject({
      status: 409,
      body: { error: { "": [expect.stringContaining("Ridgeline Packs")] } },
    });
    const id = world().audience("kayakPilot");
    expect((await press(id)).location).toBe("/publisher/audiences");
    expect((await getAudience(world().harbor, id)).status).toBe("archived");
    await expect(changeAudience(world().harbor, { id, changes: { name: "Back" } })).rejects.toThrow("archived");
  });

  it("names the call with its own address", async () => {
    const id = world().audience("hikers");
    const { path, params } = at(id, "/api");
    const { body } = await visit(world(), "harbor", api.loader, path, { params });
    expect(body).toMatchObject({
      calls: {
        one: expect.stringMatching(new RegExp(`^curl -X POST 'http.*/api/audiences/${id}/members'`)),
        lines: expect.stringContaining('{"op":"remove","email":"jane@example.com"}'),
      },
    });
  });
});

describe("Erase people", () => {
  const path = "/publisher/audiences/erasure";
  const send = (identifiers: string) => visit(world(), "harbor", erase.action, path, { form: { identifiers } });

  it("takes those found out of all audiences, and says how many", async () => {
    const id = await anAudience(world().harbor);
    await upload(world().harbor, { audienceId: id, files: [people(20)] });
    const answered = await send("person1@example.com\n person2@example.com, nobody@example.com\r\n\n");
    expect(answered.location).toBe("/publisher/audiences");
    expect(answered.headers.get("Set-Cookie")).not.toContain("example.com");
    expect((await getAudience(world().harbor, id)).size).toBe(18);
  });

  it("gives back what was typed with an error, and only the lines that are left when some could be read", async () => {
    expect(await send(" \n;")).toMatchObject({
      status: 422,
      body: { error: { identifiers: ["Enter at least one address, phone or hash"] } },
    });
    const many = Array.from({ length: 1_001 }, (_, index) => index.toString(16).padStart(64, "a")).join("\n");
    expect(await send(many)).toMatchObject({
      status: 422,
      body: { initialValue: { identifiers: many }, error: { identifiers: [expect.stringContaining("1,001")] } },
    });
    const id = await anAudience(world().harbor);
    await upload(world().harbor, { audienceId: id, files: [people(20)] });
    expect(await send("person3@example.com\nwhat is this\n555 1212")).toMatchObject({
      status: 422,
      body: {
        done: "1 identifier found and erased from all your audiences.",
        initialValue: { identifiers: "what is this\n555 1212" },
        error: { identifiers: [expect.stringMatching(/^2 lines are left/)] },
      },
    });
    expect((await getAudience(world().harbor, id)).size).toBe(19);
  });
});
