import { describe, expect, it } from "vitest";
import { type AccessDecision, accessDecisions, decideAccess } from "#app/domain/access/decide-access.ts";
import { accountStatuses, accountTypes, userTypes } from "#app/domain/accounts/account.ts";

/** The whole table: portal, user type, status. */
const expected: Record<string, AccessDecision> = {
  "advertiser advertiser approved": "granted",
  "advertiser advertiser pending": "awaiting-approval",
  "advertiser advertiser suspended": "awaiting-approval",
  "advertiser publisher approved": "denied",
  "advertiser publisher pending": "denied",
  "advertiser publisher suspended": "denied",
  "advertiser pending approved": "register",
  "advertiser pending pending": "register",
  "advertiser pending suspended": "register",
  "publisher publisher approved": "granted",
  "publisher publisher pending": "awaiting-approval",
  "publisher publisher suspended": "awaiting-approval",
  "publisher advertiser approved": "denied",
  "publisher advertiser pending": "denied",
  "publisher advertiser suspended": "denied",
  "publisher pending approved": "register",
  "publisher pending pending": "register",
  "publisher pending suspended": "register",
};

describe("who may enter a portal", () => {
  it.each(accountTypes)("sends a visitor of the %s portal to its login", (portal) => {
    expect(decideAccess(undefined, portal)).toBe("login");
  });

  const rows = accountTypes.flatMap((portal) =>
    userTypes.flatMap((userType) => accountStatuses.map((status) => ({ portal, userType, status }))),
  );
  it.each(rows)("portal $portal, user type $userType, status $status", ({ portal, userType, status }) => {
    expect(decideAccess({ userType, status }, portal)).toBe(expected[`${portal} ${userType} ${status}`]);
  });

  it("covers every decision", () => {
    expect(new Set(["login", ...Object.values(expected)])).toEqual(new Set(accessDecisions));
  });
});
