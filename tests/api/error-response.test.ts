import { expect, test } from "vitest";
import { toErrorResponse } from "#app/api/error-response.server.ts";

const context = { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" };

test("a full disk under the database gets its own message", () => {
  const { status, headers, body } = toErrorResponse(Object.assign(new Error("disk"), { code: "53100" }), context);
  expect([status, headers.get("Retry-After")]).toEqual([503, "60"]);
  expect(JSON.parse(String(body))).toMatchObject({
    error: { code: "unavailable", message: "We can't store data right now. Try again later." },
  });
});
