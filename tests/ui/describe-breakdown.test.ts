import { expect, test } from "vitest";
import { describeBreakdown } from "#app/screens/shared/analytics/describe-breakdown.ts";

test("a breakdown's parts are those with the highest values of the whole table, not of their group", () => {
  expect(describeBreakdown({ group: "campaign", split: "channel", count: 4 })).toBe(
    "All campaigns, each by up to 5 channels: those with the highest spend in the whole table. The others are summed. Files have up to 25 and 15.",
  );
  expect(describeBreakdown({ group: "audience", split: "campaign", count: 1_200, sort: "ctr" })).toMatch(
    /^The 10 audiences with the highest CTR of 1,200, each by up to 5 campaigns: those with the highest CTR in the whole table/,
  );
});
