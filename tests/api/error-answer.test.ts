import { expect, test } from "vitest";
import { answerError } from "#app/api/error-answer.server.ts";

const context = { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" };

test("a full disk under the database is said as what it is", () => {
  const { status, headers, body } = answerError(Object.assign(new Error("disk"), { code: "53100" }), context);
  expect([status, headers.get("Retry-After")]).toEqual([503, "60"]);
  expect(JSON.parse(String(body))).toMatchObject({
    error: { code: "unavailable", message: "There is no room on our side at the moment. Try again later" },
  });
});
