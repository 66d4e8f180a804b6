import { expect, test } from "vitest";
import { z } from "zod";
import { endpoints } from "#app/api/endpoints.ts";
import { env } from "#app/env.server.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { makeJpeg, makeMp4, makePng } from "#tests/support/media-files.ts";
import { launchable, member, origin, readyAudience, send, type TestMember } from "./api.ts";

const db = useDatabase();
let seed = 0;
const png = () => new File([Uint8Array.from(makePng({ seed: seed++ }))], "banner.png", { type: "text/html" });

async function post(who: TestMember["api"], files: readonly File[], more: Record<string, string> = {}) {
  const body = new FormData();
  for (const file of files) body.append("file", file);
  const headers = { ...who.headers, ...more };
  const response = await send(new Request(`${origin}/api/creatives`, { method: "POST", headers, body }));
  const text = await response.text();
  return {
    status: response.status,
    isReplayed: response.headers.get("Idempotent-Replayed") === "true",
    text,
    body: response.ok ? endpoints["POST /api/creatives"].response.parse(JSON.parse(text)) : undefined,
  };
}

function urlLike(name: RegExp) {
  return expect.stringMatching(new RegExp(`^${env().publicUrl}/creatives/${name.source}$`));
}

test("several files are uploaded, each with its own result and metadata", async () => {
  const { api, byKey } = await member("advertiser");
  const sent = [
    new File([Uint8Array.from(await makeJpeg())], "photo.png"),
    new File(["<svg/>"], "logo.png", { type: "image/png" }),
    new File([Uint8Array.from(makeMp4())], "film.mp4"),
  ];
  const { status, body } = await post(byKey, sent);
  expect(status).toBe(200);
  expect(body).toEqual({
    creatives: [
      {
        id: expect.any(String),
        url: urlLike(/[\w-]{32}\.jpg/),
        preview_url: urlLike(/[\w-]{32}\.preview\.webp/),
        name: "photo.png",
        type: "image/jpeg",
        width: 60,
        height: 40,
        duration: null,
        bytes: expect.any(Number),
      },
      expect.objectContaining({ type: "video/mp4", width: 320, height: 180, duration: 2.5, preview_url: null }),
    ],
    errors: [{ file: "logo.png", message: expect.stringContaining("SVG") }],
  });
  const listed = await api("GET /api/creatives", {});
  expect(listed.body.creatives).toEqual([...(body?.creatives ?? [])].reverse());
  const params = { id: body?.creatives[0]?.id ?? "" };
  expect((await api("GET /api/creatives/{id}", { params })).body.creative).toEqual(body?.creatives[0]);
  expect((await api("DELETE /api/creatives/{id}", { params })).body).toEqual({ success: true });
  expect((await api("GET /api/creatives/{id}", { params })).status).toBe(404);
});

test("the same file again is the same creative, for a publisher too, and a key rejects another file", async () => {
  const { api } = await member("publisher");
  const file = png();
  const key = { "Idempotency-Key": crypto.randomUUID() };
  const first = await post(api, [file], key);
  const again = await post(api, [file], key);
  expect([again.text, again.isReplayed, first.isReplayed]).toEqual([first.text, true, false]);
  expect((await post(api, [file])).body?.creatives).toEqual(first.body?.creatives);
  const other = await post(api, [png()], key);
  expect([other.status, other.text]).toEqual([422, expect.stringContaining("idempotency_conflict")]);
});

test("a request that is not a form with files is rejected", async () => {
  const { api } = await member("advertiser");
  const json = await send(
    new Request(`${origin}/api/creatives`, {
      method: "POST",
      headers: { ...api.headers, "Content-Type": "application/json" },
      body: "{}",
    }),
  );
  expect(json.status).toBe(415);
  const none = await post(api, []);
  expect([none.status, none.text]).toEqual([422, expect.stringContaining("Choose at least one file")]);
  const cut = await send(
    new Request(`${origin}/api/creatives`, {
      method: "POST",
      headers: { ...api.headers, "Content-Type": "multipart/form-data; boundary=x" },
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf',
    }),
  );
  expect([cut.status, await cut.text()]).toEqual([400, expect.stringContaining("malformed")]);
});

test("a campaign shows its creatives to its advertiser and to the publishers that decide", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const video = await insertCreative(db(), advertiser.accountId, { type: "video/mp4", previewBytes: null });
  const image = await insertCreative(db(), advertiser.accountId);
  const audience = await readyAudience(publisher.accountId);
  const created = await advertiser.api("POST /api/campaigns", {
    body: { ...launchable([audience]), creative_ids: [video, image] },
  });
  expect(created.body.campaign).toMatchObject({
    creative_ids: [video, image],
    creative_preview_url: urlLike(/.*\.png/),
  });
  const params = { id: created.body.campaign.id };
  await advertiser.api("POST /api/campaigns/{id}/launch", { params });
  const preview = created.body.campaign.creative_preview_url;
  const seenSchema = z.object({ campaign: z.object({ creatives: z.array(z.object({ id: z.string() })) }) });
  for (const { api } of [advertiser, publisher]) {
    const { body } = await api("GET /api/campaigns/{id}", { params });
    expect(body.campaign).toMatchObject({ creative_ids: [video, image], creative_preview_url: preview });
    expect(seenSchema.parse(body).campaign.creatives.map(({ id }) => id)).toEqual([video, image]);
  }
  const waiting = await publisher.api("GET /api/campaigns/approval", {});
  expect(waiting.body.campaigns[0]).toMatchObject({ creative_ids: [video, image], creative_preview_url: preview });
  const cleared = await advertiser.api("PATCH /api/campaigns/{id}", { params, body: { creative_ids: [] } });
  expect(cleared.body.campaign).toMatchObject({ creative_ids: [], creative_preview_url: null });
  const kept = await advertiser.api("DELETE /api/creatives/{id}", { params: { id: image } });
  expect([kept.status, kept.error?.code]).toEqual([200, undefined]);
});
