import { expect, test } from "vitest";
import { toErrorResponse } from "#app/api/error-response.server.ts";
import { DomainError } from "#app/domain/errors.ts";

const context = { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" };

test("a service that is away gets the time to try again, and the request id", () => {
  const { status, headers, body } = toErrorResponse(new DomainError("unavailable", "Okta can't be reached"), context);
  expect([status, headers.get("Retry-After")]).toEqual([503, "60"]);
  expect(JSON.parse(String(body))).toEqual({
    error: { code: "unavailable", message: "Okta can't be reached", request_id: "request" },
  });
  const soon = new DomainError("unavailable", "Too many", { retryAfterSeconds: 5 });
  expect(toErrorResponse(soon, context).headers.get("Retry-After")).toBe("5");
});

test("a full disk under the database gets its own message", () => {
  const { status, headers, body } = toErrorResponse(Object.assign(new Error("disk"), { code: "53100" }), context);
  expect([status, headers.get("Retry-After")]).toEqual([503, "60"]);
  expect(JSON.parse(String(body))).toMatchObject({
    error: { code: "unavailable", message: "We can't store data right now. Try again later." },
  });
});
