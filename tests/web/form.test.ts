import { redirect } from "@remix-run/node";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DomainError, type ErrorCode, invalidInput, notFound } from "#app/domain/errors.ts";
import { requiredText } from "#app/domain/text.ts";
import { readForm, submitForm } from "#app/web/form.server.ts";
import { newBrowser } from "#tests/support/browser.ts";

const schema = z.object({ name: requiredText({ max: 20, message: "A name is required" }) });
const browser = newBrowser();

function post(form: Record<string, string>, submit: () => Promise<unknown> = async () => redirect("/done")) {
  return browser.call(({ request }) => submitForm(request, schema, submit), "/x", { form });
}
const refusing = (error: Error) => async () => {
  throw error;
};

describe("a form", () => {
  it("goes on to where the verb's door sends it", async () => {
    expect(await post({ name: "Ada" })).toMatchObject({ status: 302, location: "/done" });
  });

  it("comes back with its values and errors", async () => {
    expect(await post({ name: " ", other: "kept" })).toMatchObject({
      status: 422,
      body: { initialValue: { name: " ", other: "kept" }, error: { name: ["A name is required"] } },
    });
  });

  it("shows a verb's errors at their fields", async () => {
    expect(await post({ name: "Ada" }, refusing(invalidInput({ name: ["Taken"] })))).toMatchObject({
      status: 422,
      body: { error: { name: ["Taken"] } },
    });
  });

  it.each<[ErrorCode, number]>([
    ["version_changed", 409],
    ["limit_reached", 409],
    ["forbidden", 403],
    ["rate_limited", 429],
  ])("shows a verb's %s with %i", async (code, status) => {
    const answer = await post({ name: "Ada" }, refusing(new DomainError(code, "In words")));
    expect(answer).toMatchObject({ status, body: { initialValue: { name: "Ada" }, error: { "": ["In words"] } } });
  });

  it("has the 404 page for what is not there, and lets unknown errors pass", async () => {
    expect((await post({ name: "Ada" }, refusing(notFound("Campaign")))).status).toBe(404);
    await expect(post({ name: "Ada" }, refusing(new Error("broken")))).rejects.toThrow("broken");
  });

  it("is at most 64 KB, whatever Content-Length says", async () => {
    const request = new Request("http://localhost/x", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new ReadableStream({
        start(controller) {
          for (let sent = 0; sent < 7; sent += 1) controller.enqueue(new Uint8Array(10_000).fill(97));
          controller.close();
        },
      }),
      duplex: "half",
    });
    await expect(readForm(request)).rejects.toMatchObject({ status: 413 });
  });

  it.each(["application/json", "text/plain", "", "multipart/form-data-not"])("is not of type %j", async (type) => {
    const headers = { "Content-Type": type };
    expect((await browser.call(({ request }) => readForm(request), "/x", { form: { a: "b" }, headers })).status).toBe(
      415,
    );
  });

  it("is refused when it cannot be read", async () => {
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    expect((await browser.call(({ request }) => readForm(request), "/x", { form: { a: "b" }, headers })).status).toBe(
      400,
    );
  });

  it.each(["name[99999999]", "name[4294967294]", "name.length", "__intent__", "__state__", "__proto__"])(
    "ignores a field named %s",
    async (field) => {
      const answer = await post({ name: " ", [field]: "x" });
      expect(answer.status).toBe(422);
      expect(answer).toHaveProperty("body.initialValue", { name: " " });
    },
  );

  it("has at most 5,000 fields", async () => {
    const body = new URLSearchParams();
    for (let count = 0; count < 5_001; count += 1) body.append("name", "");
    const request = new Request("http://localhost/x", { method: "POST", body });
    await expect(submitForm(request, schema, async () => redirect("/done"))).rejects.toMatchObject({ status: 413 });
  });
});
