import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { listOwnAudiences } from "#app/domain/audiences/list-own-audiences.server.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import type { AudienceId, ConnectionId } from "#app/domain/ids.ts";
import { newId, parseId } from "#app/domain/ids.ts";
import * as api from "#app/screens/publisher/audiences/api/route.tsx";
import * as archive from "#app/screens/publisher/audiences/archive/route.tsx";
import * as connect from "#app/screens/publisher/audiences/connect/route.tsx";
import * as connections from "#app/screens/publisher/audiences/connections/route.tsx";
import * as create from "#app/screens/publisher/audiences/create/route.tsx";
import * as audience from "#app/screens/publisher/audiences/detail/route.tsx";
import * as disconnect from "#app/screens/publisher/audiences/disconnect/route.tsx";
import * as edit from "#app/screens/publisher/audiences/edit/route.tsx";
import * as erase from "#app/screens/publisher/audiences/erasure/route.tsx";
import * as list from "#app/screens/publisher/audiences/list/route.tsx";
import * as refresh from "#app/screens/publisher/audiences/refresh/route.ts";
import * as chooseList from "#app/screens/publisher/audiences/remote-list/route.tsx";
import * as uploadForm from "#app/screens/publisher/audiences/upload/route.tsx";
import { type FormChecks, findErrors } from "#app/ui/form/field-checks.ts";
import { audienceConnections, audiences, audienceUploads } from "#db/schema/index.ts";
import { createEmptyAudience, people, upload } from "#tests/domain/audiences/an-audience.ts";
import { waitForBlockedSessions } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
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

/** Encodes the form as a browser does: a file field without a file is a file without a name. */
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
  it("creates an audience once, however often the form is sent, and says thank you", async () => {
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

  it("shows the input again with every error, and creates nothing", async () => {
    const response = await send(typed({ name: " ", segment: "", cpm_rate: "abc", estimated_size: "-3" }));
    expect(response).toMatchObject({
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

  it("accepts integrations with the enterprise plan only", async () => {
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

  it("shows a form that was sent without its files again with its values", async () => {
    const path = "/publisher/audiences/create";
    const before = await world().harbor.db.$count(audiences);
    const form = typed({ name: "Sent without", file: "people.csv" });
    expect(await visit(world(), "harbor", create.action, path, { form })).toMatchObject({
      status: 415,
      body: {
        initialValue: { name: "Sent without" },
        error: { file: ["Your browser sent the form without the file. Choose it again, or use another browser."] },
      },
    });
    expect(await world().harbor.db.$count(audiences)).toBe(before);
  });
});

describe("connections", () => {
  it("are shown as they are, and unknown ones are neither disconnected nor connected", async () => {
    const path = "/publisher/audiences/connections";
    expect((await visit(world(), "harbor", connections.loader, path)).body).toMatchObject({ connections: [] });
    const absent = { params: { integration: "klaviyo" } };
    const response = await visit(world(), "harbor", disconnect.loader, `${path}/klaviyo/disconnect`, absent);
    expect(response.body).toMatchObject({ name: "Klaviyo", connected: false });
    const pressed = { ...absent, form: {} };
    const done = await visit(world(), "harbor", disconnect.action, `${path}/klaviyo/disconnect`, pressed);
    expect(done.location).toBe(path);
    const unknown = { params: { integration: "segment" } };
    for (const screen of [connect, disconnect]) {
      expect((await visit(world(), "harbor", screen.loader, `${path}/segment`, unknown)).status).toBe(404);
    }
  });

  it("are disconnected on a page that asks for confirmation, each publisher's own only", async () => {
    const path = "/publisher/audiences/connections/hubspot/disconnect";
    const params = { integration: "hubspot" };
    for (const who of ["harbor", "fern"] as const) {
      await world()
        .db.insert(audienceConnections)
        .values({
          id: newId<ConnectionId>(),
          publisherId: world().accountId(who),
          integration: "hubspot",
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

  it("never return a secret, whatever is wrong with the other fields", async () => {
    const path = "/publisher/audiences/connections/salesforce";
    const form = {
      integration: "salesforce",
      instance_url: "nowhere",
      consumer_key: "k",
      consumer_secret: "marker-secret",
    };
    const response = await visit(world(), "harbor", connect.action, path, { form });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ initialValue: { instance_url: "nowhere", consumer_key: "k" } });
    expect(JSON.stringify(response.body)).not.toContain("marker-secret");
  });

  it("are required for a list, and a refresh without one says what is missing", async () => {
    await updateAudience(world().harbor, { id: world().audience("giftShoppers"), changes: { data_source: "klaviyo" } });
    const params = { id: world().audience("giftShoppers") };
    const page = `/publisher/audiences/${params.id}`;
    const shown = await visit(world(), "harbor", chooseList.loader, `${page}/list`, { params });
    expect(shown.body).toMatchObject({
      lists: [],
      problem: "Klaviyo is not connected. Connect it under Integrations.",
    });
    const chosen = await visit(world(), "harbor", chooseList.action, `${page}/list`, { params, form: { list: "x" } });
    expect(chosen).toMatchObject({
      status: 409,
      body: { error: { "": ["Klaviyo is not connected. Connect it under Integrations."] } },
    });
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

  it("shows no end of an upload without what the upload did", async () => {
    const { harbor } = world();
    const audienceId = await createEmptyAudience(harbor);
    await upload(harbor, { audienceId, files: [people(3)] });
    const { path, params } = at(audienceId);
    let shown: ReturnType<typeof visit> | undefined;
    await harbor.db.transaction(async (tx) => {
      await tx.execute(sql`lock table audience_uploads in access exclusive mode`);
      shown = deferRejection(visit(world(), "harbor", audience.loader, path, { params }));
      await waitForBlockedSessions(harbor.db, 1);
      await tx.update(audienceUploads).set({ rowsRead: 7 }).where(eq(audienceUploads.audienceId, audienceId));
      await tx.update(audiences).set({ description: "as uploaded" }).where(eq(audiences.id, audienceId));
    });
    // What committed after the page's first statement is on neither.
    expect((await shown)?.body).toMatchObject({ uploads: [{ rowsRead: 3 }], audience: { description: null } });
  });

  it("shows its owner the exact size, and other accounts nothing", async () => {
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

  it("states consent in its form, keeps the choice when another field is rejected, and shows it to its owner", async () => {
    const id = await createEmptyAudience(world().harbor);
    const { path, params } = at(id, "/edit");
    const statement = { ad_user_data_consent: "granted", ad_personalization_consent: "denied" };
    const save = (fields: Record<string, string>) =>
      visit(world(), "harbor", edit.action, path, { form: typed({ name: "Stated", ...fields }), params });
    expect(await save({ ...statement, cpm_rate: "abc" })).toMatchObject({
      status: 422,
      body: { initialValue: statement, error: { cpm_rate: [expect.any(String)] } },
    });
    expect(await save({ ad_user_data_consent: "maybe" })).toMatchObject({
      status: 422,
      body: { error: { ad_user_data_consent: ["Choose whether these people consented"] } },
    });
    expect(await getAudience(world().harbor, id)).toMatchObject({ adUserDataConsent: "unspecified" });
    expect((await save(statement)).status).toBe(302);
    const shown = await visit(world(), "harbor", audience.loader, at(id).path, { params });
    expect(shown.body).toMatchObject({
      audience: {
        adUserDataConsent: "granted",
        adPersonalizationConsent: "denied",
        consentStatedAt: expect.anything(),
      },
    });
    expect((await visit(world(), "harbor", edit.loader, path, { params })).body).toMatchObject({ stored: statement });
  });

  it("states consent with an upload, or leaves the statement as it is; a rejected form keeps all choices", async () => {
    const id = await createEmptyAudience(world().harbor);
    const { path, params } = at(id, "/uploads");
    const post = async (fields: Record<string, string>, file?: string) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      if (file) form.set("file", new File([file], "people.csv", { type: "text/csv" }));
      const answer = await visit(world(), "harbor", uploadForm.action, path, { multipart: form, params });
      await waitForBackgroundTasks();
      const { adUserDataConsent, adPersonalizationConsent } = await getAudience(world().harbor, id);
      return { ...answer, stated: [adUserDataConsent, adPersonalizationConsent] };
    };
    const statement = { ad_user_data_consent: "granted", ad_personalization_consent: "granted" };
    const kept = { mode: "replace", include_opt_outs: "on", ...statement };
    expect(await post(kept)).toMatchObject({
      status: 422,
      body: { values: kept, field: "file", message: "Choose at least one file" },
      stated: ["unspecified", "unspecified"],
    });
    expect(await post({ mode: "add", ad_personalization_consent: "yes" }, "Email\na@example.com")).toMatchObject({
      status: 422,
      body: { field: "ad_personalization_consent", message: "Choose whether these people consented" },
      stated: ["unspecified", "unspecified"],
    });
    expect(await post({ mode: "replace", ...statement }, "%PDF-1.7")).toMatchObject({
      status: 302,
      stated: ["unspecified", "unspecified"],
    });
    expect(await post({ mode: "add", ...statement }, "Email\na@example.com")).toMatchObject({
      status: 302,
      stated: ["granted", "granted"],
    });
    const unchanged = { mode: "add", ad_user_data_consent: "", ad_personalization_consent: "" };
    expect(await post(unchanged, "Email\nb@example.com")).toMatchObject({
      status: 302,
      stated: ["granted", "granted"],
    });
    expect(await post({ mode: "add" }, "Email\nc@example.com")).toMatchObject({ stated: ["granted", "granted"] });
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
    await expect(updateAudience(world().harbor, { id, changes: { name: "Back" } })).rejects.toThrow(
      "Archived audiences",
    );
  });

  it("shows the endpoint with its own id", async () => {
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
  const send = (identifiers: string, intent: Record<string, string> = { intent: "erase" }) =>
    visit(world(), "harbor", erase.action, path, { form: { identifiers, ...intent } });

  it("asks first with the number of lines, and goes back to the list", async () => {
    const id = await createEmptyAudience(world().harbor);
    await upload(world().harbor, { audienceId: id, files: [people(20)] });
    const list = "person1@example.com\n\nnobody@example.com";
    expect(await send(list, {})).toMatchObject({
      status: 200,
      body: { initialValue: { identifiers: list }, lines: 2 },
    });
    const { status, body } = await send(list, { intent: "change" });
    expect([status, body]).toEqual([200, { initialValue: { identifiers: list }, isBack: true }]);
    expect((await getAudience(world().harbor, id)).size).toBe(20);
    expect(await send(list, { intent: "unknown" })).toMatchObject({ status: 422, body: { error: { "": [/Reload/] } } });
  });

  it("removes the people found from all audiences, and shows how many", async () => {
    const id = await createEmptyAudience(world().harbor);
    await upload(world().harbor, { audienceId: id, files: [people(20)] });
    const response = await send("person1@example.com\n person2@example.com, nobody@example.com\r\n\n");
    expect(response.location).toBe("/publisher/audiences");
    expect(response.headers.get("Set-Cookie")).not.toContain("example.com");
    expect((await getAudience(world().harbor, id)).size).toBe(18);
  });

  it("shows the form with the limit for a list that is too large to be read", async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `person${at}@stores.example.com`).join("\n");
    expect(await send(many, {})).toMatchObject({
      status: 413,
      body: {
        initialValue: {},
        error: { identifiers: [expect.stringMatching(/^Enter up to 1,000 lines at a time\. /)] },
      },
    });
  });

  it("counts the lines in the browser as on the server, before the list is sent", async () => {
    const { checks } = z
      .object({ checks: z.custom<FormChecks>() })
      .parse((await visit(world(), "harbor", erase.loader, path)).body);
    const errorOf = (identifiers: string) => {
      const fields = new FormData();
      fields.set("identifiers", identifiers);
      return findErrors(fields, checks).identifiers;
    };
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `+1 555 010 ${at}`);
    for (const separator of ["\n", "\r\n", ",", " ; ", "\n \n\t\n"]) {
      const list = (count: number) => ` ,\n${lines(count).join(separator)}${separator}`;
      expect(errorOf(list(1_000))).toBeUndefined();
      expect(errorOf(list(1_001))).toEqual([expect.stringMatching(/^Enter up to 1,000 lines at a time\. /)]);
    }
    expect(errorOf(lines(100_000).join("\n"))).toHaveLength(1);
  });

  it("shows the input with an error, and only the remaining lines when some could be parsed", async () => {
    expect(await send(" \n;")).toMatchObject({
      status: 422,
      body: { error: { identifiers: ["Enter at least one email address, phone number or hash"] } },
    });
    const many = Array.from({ length: 1_001 }, (_, index) => index.toString(16).padStart(64, "a")).join("\n");
    expect(await send(many)).toMatchObject({
      status: 422,
      body: { initialValue: { identifiers: many }, error: { identifiers: [expect.stringContaining("1,001")] } },
    });
    const id = await createEmptyAudience(world().harbor);
    await upload(world().harbor, { audienceId: id, files: [people(20)] });
    expect(await send("person3@example.com\nwhat is this\n555 1212")).toMatchObject({
      status: 422,
      body: {
        done: "1 identifier erased from all your audiences.",
        initialValue: { identifiers: "what is this\n555 1212" },
        error: {
          identifiers: [
            expect.stringMatching(
              /^2 lines are not an email address, a phone number with country code, or a SHA-256 hash\. Correct them and try again\.$/,
            ),
          ],
        },
      },
    });
    expect((await getAudience(world().harbor, id)).size).toBe(19);
  });
});
