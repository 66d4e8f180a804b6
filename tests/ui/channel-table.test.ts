import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { CampaignChannel } from "#app/domain/delivery/channels/list-campaign-channels.server.ts";
import { type LineItemId, newId } from "#app/domain/ids.ts";
import { ChannelTable } from "#app/screens/advertiser/campaigns/detail/channel-table.tsx";

function render(changes: Partial<CampaignChannel>): string {
  const channel: CampaignChannel = {
    id: "one",
    lineItemId: newId<LineItemId>(),
    channel: "meta",
    publisherName: "Harbor Goods",
    status: "failed",
    failures: 1,
    desiredState: "active",
    desiredVersion: 2,
    runningVersion: null,
    isHeld: false,
    isManaged: false,
    retryAt: new Date("2026-11-20T10:05:00Z"),
    audiencesLeftOut: { denied: 0, all: false },
  };
  return renderToStaticMarkup(
    createElement(ChannelTable, { channels: [Object.assign(channel, changes)], lineItems: [] }),
  );
}

test("a request that failed says what it was for: a channel that did not respond has rejected nothing", () => {
  expect(render({})).toContain("The update failed. Next attempt: Nov 20, 2026, 10:05 AM UTC");
  expect(render({ runningVersion: 1 })).toContain("Version 1 keeps running until then");
  expect(render({ desiredState: "paused", runningVersion: 1 })).toContain(
    "The pause failed, so it may still run there. Next attempt: Nov 20, 2026, 10:05 AM UTC",
  );
});

test("a channel that waits for the day to begin in its time zone is ready, and is sent nothing within a minute", () => {
  const html = render({ status: "waiting", failures: 0, retryAt: null, isHeld: true });
  expect(html).toContain("Ready");
  expect(html).toContain("Runs on the days of its flight in the channel&#x27;s time zone");
});

test("a channel that an operator runs is not said to deliver", () => {
  const html = render({ status: "delivering", failures: 0, runningVersion: 2, isManaged: true });
  expect(html).toContain("Ready");
  expect(html).toContain("Version 2, run by Endcap. Delivery shows once it is reported");
  expect(html).not.toContain("Delivering");
});
