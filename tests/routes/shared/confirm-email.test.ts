import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import type { MailId } from "#app/domain/ids.ts";
import { receiveMailFeedback } from "#app/domain/notifications/feedback/receive-mail-feedback.server.ts";
import { listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import * as profile from "#app/screens/advertiser/profile/route.tsx";
import * as notificationsScreen from "#app/screens/shared/notifications/route.tsx";
import * as screen from "#app/screens/shared/profile/confirm-email/route.tsx";
import { sign } from "#app/web/signed-value.server.ts";
import { mailSuppressions, mails } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const userId = demoUserId("northwind");
const path = "/advertiser/profile/confirm-email";
const mailsOf = async (event: string) => {
  const all = await listMails(world().job, { limit: 500, states: mailStates });
  return all.rows.filter((mail) => mail.userId === userId && mail.event === event);
};

beforeEach(async () => {
  await world().aLaunchedCampaign();
  const [mail] = await mailsOf("campaign_submitted");
  await receiveMailFeedback(world().job, { mailId: mail?.id ?? expect.fail(), kind: "bounce", status: "5.1.1" });
});
afterEach(async () => {
  await world().db.delete(mailSuppressions);
  // The next test may send a confirmation again.
  world().advanceDays(1);
});

const isOpen = async () => (await world().db.select().from(mailSuppressions))[0]?.liftedAt === null;
const page = z.object({ suppression: z.object({ reason: z.string() }).optional(), isConfirmable: z.boolean() });
const rejection = z.object({ error: z.record(z.string(), z.array(z.string())) });
const see = async (to = path, who: "northwind" | "brightside" = "northwind") =>
  page.parse((await visit(world(), who, screen.loader, to)).body);
const post = (form: Record<string, string>, who: "northwind" | "brightside" = "northwind") =>
  visit(world(), who, screen.action, path, { form });
const send = () => post({ intent: "send" });

/** Returns the path of the newest confirmation's link, as its text has it. */
async function linkOfMail(): Promise<string> {
  const [mail] = await mailsOf("email_confirmation");
  const { text } = await renderMail(mail ?? expect.fail("no confirmation"));
  const url = /Confirm email address: (\S+)/.exec(text)?.[1] ?? expect.fail(text);
  const { pathname, search } = new URL(url);
  return pathname + search;
}
const tokenOf = (link: string) => new URLSearchParams(link.split("?")[1]).get("token") ?? "";

it("sends a link, which asks before it confirms", async () => {
  expect(await see()).toEqual({ suppression: expect.objectContaining({ reason: "bounce" }), isConfirmable: false });
  expect((await send()).location).toBe(path);
  const link = await linkOfMail();
  expect(link.split("?")[0]).toBe(path);
  expect(await see(link)).toMatchObject({ isConfirmable: true });
  expect(await isOpen()).toBe(true);
  expect((await post({ intent: "confirm", token: tokenOf(link) })).location).toBe("/advertiser/profile");
  expect(await isOpen()).toBe(false);
  expect((await see(link)).suppression).toBeUndefined();
  // A second click on the button.
  expect((await post({ intent: "confirm", token: tokenOf(link) })).location).toBe("/advertiser/profile");
});

it("confirms nothing by a token that is invented, for another purpose, of another mail or of another person", async () => {
  await send();
  const link = await linkOfMail();
  const [other] = await mailsOf("campaign_submitted");
  const tokens = [
    ...["", "none", `${tokenOf(link)}x`, "%00", "a.b.c"],
    sign("unsubscribe", { mail: other?.id }),
    sign("email confirmation", { mail: other?.id }),
    sign("email confirmation", { mail: "01900000-0000-7000-8000-00000000ffff" }),
    sign("email confirmation", { mail: "nonsense" }),
  ];
  for (const token of tokens) {
    expect(await see(`${path}?token=${encodeURIComponent(token)}`), token).toMatchObject({ isConfirmable: false });
    const { status, body } = await post({ intent: "confirm", token });
    expect([409, 422], token).toContain(status);
    expect(Object.keys(rejection.parse(body).error), token).not.toEqual([]);
  }
  expect((await post({ intent: "confirm" })).status).toBe(422);
  // Nothing of another account's person is held back, and the link changes nothing for them.
  expect(await see(link, "brightside")).toEqual({ suppression: undefined, isConfirmable: false });
  await post({ intent: "confirm", token: tokenOf(link) }, "brightside");
  expect(await isOpen()).toBe(true);
});

it("sends one email however often the button is pressed", async () => {
  const before = (await mailsOf("email_confirmation")).length;
  for (let count = 0; count < 3; count += 1) expect((await send()).location).toBe(path);
  expect((await mailsOf("email_confirmation")).length).toBe(before + 1);
});

it("is offered on the profile and the notifications page while emails are held back", async () => {
  const bodies = async () =>
    JSON.stringify([
      (await visit(world(), "northwind", profile.loader, "/advertiser/profile")).body,
      (await visit(world(), "northwind", notificationsScreen.loader, "/advertiser/notifications")).body,
    ]);
  expect((await bodies()).match(/"reason":"bounce"/g)).toHaveLength(2);
  await world().db.delete(mailSuppressions);
  expect(await bodies()).not.toContain('"reason":"bounce"');
});

it("stays as it is when the mail was deleted by retention", async () => {
  await send();
  const link = await linkOfMail();
  const [mail] = await mailsOf("email_confirmation");
  await world()
    .db.delete(mails)
    .where(eq(mails.id, mail?.id ?? ("" as MailId)));
  expect(await see(link)).toMatchObject({ isConfirmable: false });
  expect((await post({ intent: "confirm", token: tokenOf(link) })).status).toBe(409);
});
