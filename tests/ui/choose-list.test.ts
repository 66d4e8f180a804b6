import { createElement } from "react";
import { expect, test } from "vitest";
import ChooseRemoteList from "#app/screens/publisher/audiences/remote-list/route.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

test("an integration that is not connected is explained once, also after a list was selected", async () => {
  const problem = "Klaviyo is not connected. Connect it under Integrations.";
  const audience = { base: "/publisher", id: "1", name: "VIPs", dataSource: "klaviyo", remoteListId: null };
  const loaded = { ...audience, lists: [], problem, checks: {} };
  for (const responded of [undefined, { initialValue: { list: "x" }, error: { "": [problem] } }]) {
    const html = await renderInRouter("/shop/list", createElement(ChooseRemoteList), { loaded, responded });
    expect(html.match(/Integrations\b(?!<\/a>)/g)).toHaveLength(1);
    expect(html).toContain(`${problem}</div>`);
  }
});
