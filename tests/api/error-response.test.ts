import { expect, test, vi } from "vitest";
import { toErrorResponse } from "#app/api/error-response.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { log } from "#app/web/log.server.ts";

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

test("only what has a cause is an error for operators", () => {
  const [error, warn] = [vi.spyOn(log, "error"), vi.spyOn(log, "warn")];
  toErrorResponse(new DomainError("unavailable", "A selected audience is being updated"), context);
  const reason = "A selected audience is being updated";
  expect([error.mock.calls, warn.mock.calls]).toEqual([[], [["call failed", { requestId: "request", reason }]]]);
  const cause = new Error("connection refused");
  toErrorResponse(new DomainError("unavailable", "The payment provider is not responding", { cause }), context);
  expect(error.mock.calls).toEqual([["call failed", { requestId: "request", error: cause }]]);
});

test("a full disk under the database gets its own message", () => {
  const { status, headers, body } = toErrorResponse(Object.assign(new Error("disk"), { code: "53100" }), context);
  expect([status, headers.get("Retry-After")]).toEqual([503, "60"]);
  expect(JSON.parse(String(body))).toMatchObject({
    error: { code: "unavailable", message: "We can't store data right now. Try again later." },
  });
});
