import { expect, test } from "vitest";
import { draftsOf } from "#app/screens/publisher/campaigns/review/review-drafts.ts";

test("what a person entered in a review is theirs alone, and gone once another person's page was shown", () => {
  const draft = { notes: "Too loud for our readers", reasons: ["brand_safety"] };
  draftsOf("ann").set("item 1", draft);
  expect(draftsOf("ann").get("item 1")).toEqual(draft);
  expect(draftsOf("ben").get("item 1")).toBeUndefined();
  expect(draftsOf("ann").get("item 1")).toBeUndefined();
});
