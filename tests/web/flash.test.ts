import { describe, expect, it } from "vitest";
import { readFlash, redirectWithFlash } from "#app/web/flash.server.ts";
import { newBrowser } from "#tests/support/browser.ts";

const show = (browser: ReturnType<typeof newBrowser>) =>
  browser.call(async ({ request }) => {
    const { flash, headers } = await readFlash(request);
    return Response.json({ flash: flash ?? null }, { headers });
  }, "/advertiser");

describe("the message of a form for the next page", () => {
  it("is shown once", async () => {
    const browser = newBrowser();
    const message = "Paused „Herbst & Café“ 🎉";
    const sent = await browser.call(() => redirectWithFlash("/advertiser", { tone: "success", message }), "/x");
    expect(sent).toMatchObject({ status: 302, location: "/advertiser" });
    expect((await show(browser)).body).toEqual({ flash: { tone: "success", message } });
    expect((await show(browser)).body).toEqual({ flash: null });
  });

  it("goes along with other cookies of the answer", async () => {
    const headers = new Headers({ "Set-Cookie": "a=b" });
    const sent = await redirectWithFlash("/", { tone: "info", message: "x" }, headers);
    expect(sent.headers.getSetCookie()).toHaveLength(2);
  });

  it.each(["", "x", "x.y", "bm90IGpzb24.x", ".", "eyJ0b25lIjoiZXJyb3IiLCJtZXNzYWdlIjoiQ2FsbCAwMTIzIn0.AAAA"])(
    "is nobody else's: %j says nothing and is taken away",
    async (value) => {
      const browser = newBrowser();
      browser.jar.set("portal_flash", value);
      expect((await show(browser)).body).toEqual({ flash: null });
      expect(browser.jar.has("portal_flash")).toBe(value === "");
    },
  );
});
