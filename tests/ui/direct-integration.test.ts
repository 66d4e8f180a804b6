import { createElement } from "react";
import { expect, test } from "vitest";
import { DirectIntegration } from "#app/screens/publisher/audiences/detail/direct-integration.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

/** The card of an audience whose list is chosen and whose next refresh is not planned. */
async function nextRefresh(refreshFrequency: "weekly" | "manual", connection: { problem: null } | undefined) {
  const card = createElement(DirectIntegration, {
    integration: "klaviyo",
    connection,
    audience: { remoteListName: "VIP", nextRefreshAt: null, refreshFrequency },
    last: undefined,
    page: "/publisher/audiences/1",
    connectionsHref: "/publisher/audiences/connections",
  });
  const text = (await renderInRouter("/shop/audience", card)).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return /Next refresh (.*?) Last refresh/.exec(text)?.[1];
}

test("an audience whose integration was disconnected says that its refreshes wait for it", async () => {
  expect(await nextRefresh("weekly", undefined)).toBe("Once Klaviyo is connected again");
  expect(await nextRefresh("manual", undefined)).toBe("Manual");
  expect(await nextRefresh("manual", { problem: null })).toBe("Manual");
});
