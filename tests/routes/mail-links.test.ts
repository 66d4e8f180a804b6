import { resolve } from "node:path";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { beforeAll, expect, test } from "vitest";
import { reserveUpload } from "#app/domain/audiences/uploads/reserve-upload.server.ts";
import type { AudienceId, CampaignId, UploadId } from "#app/domain/ids.ts";
import { mailKinds } from "#app/domain/notifications/mail-kinds.ts";
import { type NotificationEvent, notificationEvents } from "#app/domain/notifications/notification.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import routes from "#app/routes.ts";
import { createRouteClient } from "#tests/support/route-client.ts";
import { useWorld, visit } from "./publisher/portal.ts";

type Loader = (args: LoaderFunctionArgs & ActionFunctionArgs) => unknown;

const world = useWorld();
let campaignId: CampaignId;
let upload: UploadId;
beforeAll(async () => {
  campaignId = await world().aLaunchedCampaign();
  upload = (
    await reserveUpload(world().harbor, { audienceId: world().audience("hikers"), mode: "add", key: undefined })
  ).id;
});

/** Emails that are not about a campaign or an upload are tested next to the code that sends them. */
const others: readonly NotificationEvent[] = ["payout_paid", "invoice_issued", "webhook_disabled"];
const pairs = notificationEvents
  .filter((event) => !others.includes(event))
  .flatMap((event) => mailKinds[event].readers.map((reader) => ({ event, reader })));
/** One event for each link target, because many events share one. */
const links = [
  ...new Map(pairs.map((pair) => [pathOf(pair, { campaign: "1", upload: "2", audience: "3" }), pair])).values(),
];

function pathOf(
  { event, reader }: (typeof pairs)[number],
  ids: { campaign: string; upload: string; audience: string },
) {
  const subjectId = event.startsWith("audience_") ? ids.upload : ids.campaign;
  const facts = { company: "Northwind Outdoors", audienceId: ids.audience as AudienceId };
  return `/${reader}${describeNotification({ event, campaignId: ids.campaign as CampaignId, subjectId, facts }, reader).path}`;
}

/** Returns the screen of a path, and its parameters. */
const table = listRoutes(await routes);
async function screenOf(path: string) {
  const [pathname = ""] = path.split("?");
  for (const { pattern, file } of table) {
    const params = pattern.exec(pathname)?.groups;
    if (!pattern.test(pathname)) continue;
    const module: { loader?: Loader } = await import(resolve(import.meta.dirname, "../../app", file));
    return { loader: module.loader ?? expect.fail(`${file} has no loader`), params: { ...params } };
  }
  expect.fail(`no route has ${path}`);
}

function listRoutes(entries: RouteConfigEntry[], parent = ""): { pattern: RegExp; file: string }[] {
  return entries
    .flatMap((entry) => {
      const path = entry.path ? `${parent}/${entry.path}` : parent;
      const pattern = new RegExp(`^${path.replace("*", ".*").replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
      return [...listRoutes(entry.children ?? [], path), { pattern, file: entry.file }];
    })
    .sort(
      (one, other) => Number(/\[\^|\.\*/.test(one.pattern.source)) - Number(/\[\^|\.\*/.test(other.pattern.source)),
    );
}

test.each(links)("the link of $event works for its $reader, and for nobody else", async ({ event, reader }) => {
  const path = pathOf({ event, reader }, { campaign: campaignId, upload, audience: world().audience("hikers") });
  const { loader, params } = await screenOf(path);
  const see = (who: Parameters<typeof visit>[1]) => visit(world(), who, loader, path, { params });
  const [right, wrong, stranger] =
    reader === "advertiser"
      ? (["northwind", "harbor", "brightside"] as const)
      : (["harbor", "northwind", "fern"] as const);
  expect((await see(right)).status).toBe(200);
  expect((await see(wrong)).status).toBe(403);
  expect((await see(stranger)).status).toBe(Object.keys(params).length > 0 ? 404 : 200);
  const signedOut = await createRouteClient().call((args) => loader({ ...args, params }), path);
  expect(signedOut.location).toBe(`/${reader}/login?redirectTo=${encodeURIComponent(path)}`);
});
