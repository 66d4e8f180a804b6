import { redirect } from "@remix-run/node";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DomainError, type ErrorCode, invalidInput, notFound } from "#app/domain/errors.ts";
import { requiredText } from "#app/domain/text.ts";
import { handleForm, readFormData } from "#app/web/forms/form.server.ts";
import { createRouteClient } from "#tests/support/route-client.ts";

const schema = z.object({ name: requiredText({ max: 20, message: "A name is required" }) });
const browser = createRouteClient();

function post(form: Record<string, string>, submit: () => Promise<unknown> = async () => redirect("/done")) {
  return browser.call(({ request }) => handleForm(request, schema, submit), "/x", { form });
}
const rejecting = (error: Error) => async () => {
  throw error;
};

describe("a form", () => {
  it("redirects as the verb's result says", async () => {
    expect(await post({ name: "Ada" })).toMatchObject({ status: 302, location: "/done" });
  });

  it("is shown again with its values and errors", async () => {
    expect(await post({ name: " ", other: "kept" })).toMatchObject({
      status: 422,
      body: { initialValue: { name: " ", other: "kept" }, error: { name: ["A name is required"] } },
    });
  });

  it("whose intent is unknown says that nothing was changed, and what to do", async () => {
    const intents = z.discriminatedUnion("intent", [z.object({ intent: z.literal("delete") })]);
    const one = z.object({ intent: z.enum(["delete"]) });
    for (const [each, form] of [
      [intents, { intent: "x", name: "Ada" }],
      [one, { name: "Ada" }],
    ] as const)
      expect(
        await browser.call(({ request }) => handleForm(request, each, async () => redirect("/")), "/x", { form }),
      ).toMatchObject({
        status: 422,
        body: {
          initialValue: { name: "Ada" },
          error: { "": [expect.stringMatching(/nothing was changed. Reload the page/)] },
        },
      });
  });

  it("shows a verb's errors at their fields", async () => {
    expect(await post({ name: "Ada" }, rejecting(invalidInput({ name: ["Taken"] })))).toMatchObject({
      status: 422,
      body: { error: { name: ["Taken"] } },
    });
  });

  it("that was sent before with other values is shown again with words for a person", async () => {
    const conflict = new DomainError("idempotency_conflict", "This Idempotency-Key was already used. Use a new key.");
    expect(await post({ name: "Ada" }, rejecting(conflict))).toMatchObject({
      status: 422,
      body: {
        initialValue: { name: "Ada" },
        error: { "": [expect.stringMatching(/^This form was already sent with/)] },
      },
    });
  });

  it.each<[ErrorCode, number]>([
    ["version_changed", 409],
    ["limit_reached", 409],
    ["forbidden", 403],
    ["rate_limited", 429],
  ])("shows a verb's %s with %i", async (code, status) => {
    const response = await post({ name: "Ada" }, rejecting(new DomainError(code, "In words")));
    expect(response).toMatchObject({ status, body: { initialValue: { name: "Ada" }, error: { "": ["In words"] } } });
  });

  it("returns the 404 page for what does not exist, and lets unknown errors pass", async () => {
    expect((await post({ name: "Ada" }, rejecting(notFound("Campaign")))).status).toBe(404);
    await expect(post({ name: "Ada" }, rejecting(new Error("broken")))).rejects.toThrow("broken");
  });

  it("has at most 64 KB, whatever Content-Length says", async () => {
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
    await expect(readFormData(request)).rejects.toMatchObject({ status: 413 });
  });

  it.each(["application/json", "text/plain", "", "multipart/form-data-not"])("is not of type %j", async (type) => {
    const headers = { "Content-Type": type };
    expect(
      (await browser.call(({ request }) => readFormData(request), "/x", { form: { a: "b" }, headers })).status,
    ).toBe(415);
  });

  it("is rejected when it cannot be read", async () => {
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    expect(
      (await browser.call(({ request }) => readFormData(request), "/x", { form: { a: "b" }, headers })).status,
    ).toBe(400);
  });

  it.each([
    ["name[501]", "A list in the form goes beyond 500."],
    ["name[5000000]", "A list in the form goes beyond 500."],
    ["name[4294967294]", "A list in the form goes beyond 500."],
    ["name[1e9]", "The name of a field cannot be read."],
    ["name.", "The name of a field cannot be read."],
    ["", "The name of a field cannot be read."],
    ["a.b.c.d.e.f.g", "The name of a field has more than 6 parts."],
    [".a".repeat(20_000).slice(1), "The name of a field is longer than 200 characters."],
    ["__intent__", "The form has a field that no form here has."],
    ["__state__", "The form has a field that no form here has."],
    ["__proto__", "The form has a field that no form here has."],
    ["name.constructor", "The form has a field that no form here has."],
  ])("with a field named %.40s is rejected with its other values", async (field, message) => {
    const response = await post({ name: "Ada", [field]: "null" });
    expect(response).toMatchObject({ status: 400, body: { initialValue: { name: "Ada" }, error: { "": [message] } } });
    expect(response).toHaveProperty("body.initialValue", { name: "Ada" });
  });

  it("ignores all fields but those with plain names", async () => {
    const response = await post({ name: " ", "name[500]": "x", "other.part": "y" });
    expect(response.status).toBe(422);
    expect(response).toHaveProperty("body.initialValue", { name: " " });
  });

  it.each([
    ["pairs", new URLSearchParams(Array.from({ length: 2_001 }, () => ["name", ""]))],
    ["parts", formOf(Array.from({ length: 2_001 }, () => ["n", ""]))],
  ])("has at most 2,000 fields, as %s", async (_what, body) => {
    const request = new Request("http://localhost/x", { method: "POST", body });
    const response = readFormData(request, 512 * 1024);
    await expect(response).rejects.toMatchObject({ status: 400, message: "The form has more than 2,000 fields." });
  });

  it("is gated alike as multipart and urlencoded", async () => {
    const body = formOf([
      ["name", "Ada"],
      ["name[5000000]", "1"],
    ]);
    const response = await browser.call(({ request }) => handleForm(request, schema, async () => "done"), "/x", {
      multipart: body,
    });
    expect(response).toMatchObject({ status: 400, body: { initialValue: { name: "Ada" } } });
  });

  it("has a name for each file", async () => {
    const request = new Request("http://localhost/x", {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=b" },
      body: '--b\r\nContent-Disposition: form-data; filename="a.csv"\r\n\r\n1\r\n--b--\r\n',
    });
    const message = "The form has a field without a name.";
    await expect(readFormData(request)).rejects.toMatchObject({ status: 400, message });
  });

  it("rejects a file in place of a text", async () => {
    const multipart = formOf([["name", "Ada"]]);
    multipart.set("name", new File(["Ada"], "ada.txt"));
    const response = await browser.call(({ request }) => handleForm(request, schema, async () => "done"), "/x", {
      multipart,
    });
    expect(response).toMatchObject({ status: 400, body: { error: { "": ["This form takes no files."] } } });
  });

  it("is UTF-8", async () => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded; charset=utf-16" };
    const response = await browser.call(({ request }) => readFormData(request), "/x", { form: { a: "b" }, headers });
    expect(response.status).toBe(415);
  });
});

function formOf(pairs: string[][]): FormData {
  const form = new FormData();
  for (const [name = "", value = ""] of pairs) form.append(name, value);
  return form;
}
