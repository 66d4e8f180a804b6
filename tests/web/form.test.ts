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
  ])("with a field named %.40s is refused with its other values", async (field, words) => {
    const answer = await post({ name: "Ada", [field]: "null" });
    expect(answer).toMatchObject({ status: 400, body: { initialValue: { name: "Ada" }, error: { "": [words] } } });
    expect(answer).toHaveProperty("body.initialValue", { name: "Ada" });
  });

  it("takes no other fields than those with plain names", async () => {
    const answer = await post({ name: " ", "name[500]": "x", "other.part": "y" });
    expect(answer.status).toBe(422);
    expect(answer).toHaveProperty("body.initialValue", { name: " " });
  });

  it.each([
    ["pairs", new URLSearchParams(Array.from({ length: 2_001 }, () => ["name", ""]))],
    ["parts", formOf(Array.from({ length: 2_001 }, () => ["n", ""]))],
  ])("has at most 2,000 fields, as %s", async (_what, body) => {
    const request = new Request("http://localhost/x", { method: "POST", body });
    const answer = readForm(request, 512 * 1024);
    await expect(answer).rejects.toMatchObject({ status: 400, words: "The form has more than 2,000 fields." });
  });

  it("as parts is gated like one as pairs", async () => {
    const body = formOf([
      ["name", "Ada"],
      ["name[5000000]", "1"],
    ]);
    const answer = await browser.call(({ request }) => submitForm(request, schema, async () => "done"), "/x", {
      multipart: body,
    });
    expect(answer).toMatchObject({ status: 400, body: { initialValue: { name: "Ada" } } });
  });

  it("has a name for each file", async () => {
    const request = new Request("http://localhost/x", {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=b" },
      body: '--b\r\nContent-Disposition: form-data; filename="a.csv"\r\n\r\n1\r\n--b--\r\n',
    });
    const words = "The form has a field without a name.";
    await expect(readForm(request)).rejects.toMatchObject({ status: 400, words });
  });

  it("takes no file in place of a text", async () => {
    const multipart = formOf([["name", "Ada"]]);
    multipart.set("name", new File(["Ada"], "ada.txt"));
    const answer = await browser.call(({ request }) => submitForm(request, schema, async () => "done"), "/x", {
      multipart,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { "": ["This form takes no files."] } } });
  });

  it("is UTF-8", async () => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded; charset=utf-16" };
    const answer = await browser.call(({ request }) => readForm(request), "/x", { form: { a: "b" }, headers });
    expect(answer.status).toBe(415);
  });
});

function formOf(pairs: string[][]): FormData {
  const form = new FormData();
  for (const [name = "", value = ""] of pairs) form.append(name, value);
  return form;
}
