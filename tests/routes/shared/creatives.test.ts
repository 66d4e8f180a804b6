import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { listCreatives } from "#app/domain/creatives/list-creatives.server.ts";
import * as edit from "#app/screens/advertiser/campaigns/edit/route.tsx";
import * as forAdvertiser from "#app/screens/publisher/campaigns/create-for-advertiser/route.tsx";
import * as remove from "#app/screens/shared/creatives/delete/route.tsx";
import * as library from "#app/screens/shared/creatives/list/route.tsx";
import * as upload from "#app/screens/shared/creatives/upload/route.ts";
import { findBrokenFiles, insertCreative, uploadCreativeFiles as send } from "#tests/support/creatives.ts";
import { encodePng, makeMp4, makePng } from "#tests/support/media-files.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const sides = [
  ["advertiser", "northwind"],
  ["publisher", "harbor"],
] as const;

let seed = 500;
const freshPng = () => makePng({ seed: seed++ });

function formOf(files: readonly (readonly [name: string, bytes: Uint8Array])[], fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, bytes] of files) form.append("creative_files", new File([new Uint8Array(bytes)], name));
  return form;
}

const tooLarge = () => Buffer.concat([freshPng(), Buffer.alloc(51 * 1024 * 1024)]);
const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");
const polyglot = () => Buffer.concat([freshPng(), Buffer.from("<script>alert(1)</script>")]);

describe.each(sides)("the creatives of an %s", (portal, who) => {
  const path = `/${portal}/creatives`;
  const own = async () => (await listCreatives(world()[who], {})).rows.map(({ name }) => name);

  it("keep the valid files of a form; each invalid one has its own error", async () => {
    const multipart = formOf([
      ["good.png", freshPng()],
      ["drawing.png", svg],
      ["both.png", polyglot()],
      ["film.mp4", makeMp4({ seed: seed++ })],
      ["../../\u202egnp.png", freshPng()],
      ["cut.mp4", makeMp4({ seed: seed++ }).subarray(0, -100)],
    ]);
    const response = await visit(world(), who, library.action, path, { multipart });
    expect([response.status, response.body]).toEqual([
      422,
      {
        taken: 3,
        errors: [
          expect.stringMatching(/^drawing\.png: .*SVG/),
          expect.stringMatching(/^both\.png: /),
          expect.stringMatching(/^cut\.mp4: .*incomplete/),
        ],
      },
    ]);
    expect(await own()).toEqual(["gnp.png", "film.mp4", "good.png"]);
    expect((await visit(world(), who, library.loader, path)).body).toMatchObject({ stored: { files: 3 } });
    expect(await findBrokenFiles(world().db)).toEqual([]);
  });

  it("reject a file of 51 MB with an error at it", async () => {
    const multipart = formOf([
      ["large.png", tooLarge()],
      ["small.png", freshPng()],
    ]);
    const response = await visit(world(), who, library.action, path, { multipart });
    expect(response.body).toEqual({
      taken: 1,
      errors: ["large.png: The file is larger than 50 MB. Upload a smaller file."],
    });
  });

  it("require a file in a form", async () => {
    for (const sent of [{ multipart: formOf([]) }, { form: { intent: "upload" } }]) {
      const response = await visit(world(), who, library.action, path, sent);
      expect([response.status, response.body]).toEqual([422, { taken: 0, errors: ["Choose at least one file"] }]);
    }
  });

  it("return the file's id to a script, or its error", async () => {
    const png = freshPng();
    const post = (name: string, bytes: Uint8Array) =>
      visit(world(), who, upload.action, `${path}/upload`, { multipart: formOf([[name, bytes]]) });
    const taken = await post("one.png", png);
    const [newest] = (await listCreatives(world()[who], {})).rows;
    expect(taken.body).toEqual({ ids: [newest?.id], errors: [] });
    expect((await post("again.png", png)).body).toEqual(taken.body);
    expect((await post("x.svg", svg)).body).toEqual({ ids: [], errors: [expect.stringContaining("SVG")] });
    expect((await visit(world(), who, upload.loader, `${path}/upload`)).location).toBe(path);
  });

  it("are found by a part of their name, matched literally, and by their type", async () => {
    await send(world()[who], [{ name: "Summer_100%.png", bytes: freshPng() }]);
    await send(world()[who], [{ name: "summer film.mp4", bytes: makeMp4({ seed: seed++ }) }]);
    await send(world().brightside, [{ name: "summer of others.png", bytes: freshPng() }]);
    const names = async (query: string) => {
      const { body } = await visit(world(), who, library.loader, `${path}?${query}`);
      const { rows, found } = z
        .object({ found: z.number(), rows: z.array(z.object({ name: z.string() })) })
        .parse(body);
      expect(found).toBe(rows.length);
      return rows.map(({ name }) => name);
    };
    expect(await names("q=SUMMER")).toEqual(["summer film.mp4", "Summer_100%.png"]);
    expect(await names("q=summer_&type=")).toEqual(["Summer_100%.png"]);
    expect(await names("q=summer&type=video/mp4")).toEqual(["summer film.mp4"]);
    expect(await names("q=100%25")).toEqual(["Summer_100%.png"]);
    expect(await names("q=%00nothing-like-this&type=text/html&cursor=x")).toEqual([]);
  });

  it("are deleted after a confirmation; another account's do not exist", async () => {
    const [id = ""] = (await send(world()[who], [{ name: "old.png", bytes: freshPng() }])).ids;
    const [foreign = ""] = (await send(world().brightside, [{ name: "x.png", bytes: freshPng() }])).ids;
    const at = (one: string) => ({ params: { id: one }, path: `${path}/${one}/delete` });
    const response = await visit(world(), who, remove.loader, at(id).path, at(id));
    expect(response.body).toMatchObject({ creative: { name: "old.png" }, campaigns: [] });
    expect((await visit(world(), who, remove.loader, at(foreign).path, at(foreign))).status).toBe(404);
    expect((await visit(world(), who, remove.action, at(foreign).path, { ...at(foreign), form: {} })).status).toBe(404);
    const deleted = await visit(world(), who, remove.action, at(id).path, { ...at(id), form: {} });
    expect(deleted.location).toBe(path);
    expect(await own()).not.toContain("old.png");
  });
});

describe("an account whose quota is used up", () => {
  it("gets an error at each file, and keeps what it has", async () => {
    const accountId = world().accountId("fern");
    await insertCreative(world().db, accountId, { name: "vast.mp4", bytes: 5 * 1024 ** 3 - 100 });
    const bomb = encodePng({ width: 30_000, height: 30_000, packed: deflateSync(Buffer.alloc(1_000_000)) });
    const multipart = formOf([
      ["more.png", freshPng()],
      ["bomb.png", bomb],
    ]);
    const response = await visit(world(), "fern", library.action, "/publisher/creatives", { multipart });
    expect([response.status, response.body]).toEqual([
      422,
      {
        taken: 0,
        errors: [
          expect.stringMatching(/^bomb\.png: /),
          "more.png: This file exceeds your 5 GB storage limit. Delete some creatives first.",
        ],
      },
    ]);
    const { body } = await visit(world(), "fern", library.loader, "/publisher/creatives");
    expect(body).toMatchObject({ stored: { files: 1 }, rows: [{ name: "vast.mp4" }] });
  });
});

describe("a creative that a campaign shows", () => {
  it("stays, and the page lists the campaigns", async () => {
    const id = await insertCreative(world().db, world().accountId("northwind"));
    await world().aLaunchedCampaign({ changes: { creative_ids: [id] } });
    const path = `/advertiser/creatives/${id}/delete`;
    const response = await visit(world(), "northwind", remove.loader, path, { params: { id } });
    expect(response.body).toMatchObject({ campaigns: [{ name: "Ridgeline Packs" }] });
    const rejected = await visit(world(), "northwind", remove.action, path, { params: { id }, form: {} });
    expect(rejected.status).toBe(409);
  });
});

describe("the wizard's step of creatives", () => {
  const place = (id: string) => ({ path: `/advertiser/campaigns/${id}/edit?step=2`, params: { id } });

  it("uploads the files of its form, selects them, and then enables products", async () => {
    const id = await world().aDraft();
    const { path, params } = place(id);
    const locked = await visit(world(), "northwind", edit.loader, path, { params });
    expect(locked.body).toMatchObject({ choices: { hasCreative: false, products: [] } });
    const multipart = formOf([["wide.png", freshPng()]], { intent: "upload", ad_format: "native" });
    const saved = await visit(world(), "northwind", edit.action, path, { params, multipart });
    expect(saved.location).toBe(path);
    const { body } = await visit(world(), "northwind", edit.loader, path, { params });
    expect(body).toMatchObject({
      campaign: { content: { adFormat: "native" }, creatives: [{ name: "wide.png" }] },
      choices: { hasCreative: true, ad: { adFormat: "native", brand: "Northwind Outdoors" } },
    });
    expect(body).toHaveProperty("choices.products.0.name");
  });

  it("keeps the input and the valid files when one is rejected", async () => {
    const id = await world().aDraft();
    const { path, params } = place(id);
    const files = [
      ["tall.png", freshPng()],
      ["drawing.svg", svg],
    ] as const;
    const multipart = formOf(files, { intent: "next", landing_url: "not an address" });
    const rejected = await visit(world(), "northwind", edit.action, path, { params, multipart });
    expect([rejected.status, rejected.body]).toMatchObject([
      422,
      {
        initialValue: { landing_url: "not an address" },
        error: { creative_files: [expect.stringMatching(/^drawing\.svg: /)], landing_url: [expect.any(String)] },
      },
    ]);
    const { body } = await visit(world(), "northwind", edit.loader, path, { params });
    expect(body).toMatchObject({ campaign: { creatives: [{ name: "tall.png" }] } });
  });

  it("accepts nothing for another account's campaign", async () => {
    const id = await world().aDraft({}, { by: world().brightside });
    const before = (await listCreatives(world().northwind, {})).rows.length;
    const multipart = formOf([["x.png", freshPng()]], { intent: "upload" });
    const { path, params } = place(id);
    expect((await visit(world(), "northwind", edit.action, path, { params, multipart })).status).toBe(404);
    expect((await listCreatives(world().northwind, {})).rows).toHaveLength(before);
  });

  it("still lists a selected one that newer ones have pushed off its first page", async () => {
    const creative = await insertCreative(world().db, world().accountId("northwind"), { name: "oldest.png" });
    const id = await world().aDraft({ creative_ids: [creative] });
    for (let more = 0; more < 60; more += 1) await insertCreative(world().db, world().accountId("northwind"));
    const { path, params } = place(id);
    const { body } = await visit(world(), "northwind", edit.loader, path, { params });
    expect(body).toHaveProperty("choices.creatives.0.name", "oldest.png");
    expect(body).toHaveProperty("choices.moreCreatives", true);
    await insertCreative(world().db, world().accountId("northwind"), { name: "sought.png" });
    const form = { intent: "find_creative", find_creative: "SOUGHT", creative_ids: creative };
    const { location } = await visit(world(), "northwind", edit.action, path, { params, form });
    expect(location).toBe(`${path}&find_creative=SOUGHT#found_creative`);
    const sought = await visit(world(), "northwind", edit.loader, String(location), { params });
    expect(sought.body).toMatchObject({
      choices: {
        findCreative: "SOUGHT",
        creatives: [{ name: "oldest.png" }, { name: "sought.png" }],
        moreCreatives: false,
      },
    });
    await deleteCreative(world().northwind, { id: creative });
    const after = await visit(world(), "northwind", edit.loader, path, { params });
    expect(after.body).toMatchObject({ choices: { hasCreative: false } });
  });
});

describe("a campaign for an advertiser", () => {
  const path = "/publisher/campaigns/create-for-advertiser";

  it("shows its files selected again, or why they were rejected", async () => {
    const good = formOf([["shop.png", freshPng()]], { intent: "upload", name: "Spring" });
    const kept = await visit(world(), "harbor", forAdvertiser.action, path, { multipart: good });
    const [newest] = (await listCreatives(world().harbor, {})).rows;
    expect(kept.body).toMatchObject({ initialValue: { name: "Spring", creative_ids: newest?.id } });
    const bad = formOf([["shop.svg", svg]], { name: "Spring", creative_ids: newest?.id ?? "" });
    const rejected = await visit(world(), "harbor", forAdvertiser.action, path, { multipart: bad });
    expect([rejected.status, rejected.body]).toMatchObject([
      422,
      { initialValue: { name: "Spring" }, error: { creative_files: [expect.stringMatching(/^shop\.svg: /)] } },
    ]);
  });
});
