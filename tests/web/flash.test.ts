import { describe, expect, it } from "vitest";
import { readFlash, redirectWithFlash } from "#app/web/flash.server.ts";
import { maxUndone } from "#app/web/undo.server.ts";
import { createRouteClient } from "#tests/support/route-client.ts";

const show = (browser: ReturnType<typeof createRouteClient>) =>
  browser.call(async ({ request }) => {
    const { flash, headers } = await readFlash(request);
    return Response.json({ flash: flash ?? null }, { headers });
  }, "/advertiser");

describe("the flash message of a form", () => {
  it("is shown once", async () => {
    const browser = createRouteClient();
    const message = "Paused „Herbst & Café“ 🎉";
    const sent = await browser.call(() => redirectWithFlash("/advertiser", { tone: "success", message }), "/x");
    expect(sent).toMatchObject({ status: 302, location: "/advertiser" });
    expect((await show(browser)).body).toEqual({ flash: { tone: "success", message } });
    expect((await show(browser)).body).toEqual({ flash: null });
  });

  it("is whole with the longest name that it can have, and otherwise cut, with all that can be undone", async () => {
    const browser = createRouteClient();
    const name = "🎉".repeat(255);
    const ids = Array.from({ length: maxUndone }, () => crypto.randomUUID());
    const undo = { action: "pause_campaign" as const, ids };
    for (const [message, shown] of [
      [`“${name}” added to your catalog`, `“${name}” added to your catalog`],
      ["🎉".repeat(500), `${"🎉".repeat(350)}…`],
    ]) {
      const sent = await browser.call(
        () => redirectWithFlash("/x", { tone: "info", message: message ?? "", undo }),
        "/x",
      );
      expect(sent.headers.getSetCookie().join("").length).toBeLessThan(4_096);
      expect((await show(browser)).body).toEqual({ flash: { tone: "info", message: shown, undo } });
    }
  });

  it("is set together with other cookies of the response", async () => {
    const headers = new Headers({ "Set-Cookie": "a=b" });
    const sent = await redirectWithFlash("/", { tone: "info", message: "x" }, headers);
    expect(sent.headers.getSetCookie()).toHaveLength(2);
  });

  it.each(["", "x", "x.y", "bm90IGpzb24.x", ".", "eyJ0b25lIjoiZXJyb3IiLCJtZXNzYWdlIjoiQ2FsbCAwMTIzIn0.AAAA"])(
    "of another origin is ignored and deleted: %j",
    async (value) => {
      const browser = createRouteClient();
      browser.jar.set("portal_flash", value);
      expect((await show(browser)).body).toEqual({ flash: null });
      expect(browser.jar.has("portal_flash")).toBe(value === "");
    },
  );
});
