import { createElement } from "react";
import { expect, test } from "vitest";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import { YourDataCard } from "#app/screens/shared/profile/your-data-card.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

async function textOf(erasure: { closesAccount: boolean; requested?: string }): Promise<string> {
  const { closesAccount, requested = "" } = erasure;
  const card = createElement(YourDataCard, {
    copyHref: "/publisher/profile/copy",
    closeHref: "/publisher/profile/close",
    company: "Fern & Co",
    erasure: { closesAccount, requestedFor: parseCalendarDate(requested) },
  });
  return (await renderInRouter("/shop/profile", card)).replace(/<[^>]*>/g, "").replaceAll("&amp;", "&");
}

test("the only person of an account learns beside the button that erasing their data closes it", async () => {
  expect(await textOf({ closesAccount: true })).toMatch(
    /You are the only person of Fern & Co\. Erasing your data also closes its account\.Erase your data$/,
  );
  expect(await textOf({ closesAccount: false })).not.toContain("account");
});

test("a requested erasure says whether the account is closed with it", async () => {
  const requested = "2026-12-05";
  expect(await textOf({ closesAccount: true, requested })).toContain(
    "Your data will be erased and the account closed on Dec 5, 2026.View request",
  );
  expect(await textOf({ closesAccount: false, requested })).toContain("Your data will be erased on Dec 5, 2026.");
});
