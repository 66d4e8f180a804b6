import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import { cancelErasure } from "#app/domain/privacy/cancel-erasure.server.ts";
import { describeErasureBlocker, erasureDelayDays } from "#app/domain/privacy/erasure.ts";
import { getErasurePlan } from "#app/domain/privacy/get-erasure-plan.server.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { redirectInTestMode } from "#app/screens/shared/profile/redirect-in-test-mode.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form } from "#app/ui/link.tsx";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";

const formSchema = z.object({ intent: z.enum(["request", "cancel"]) });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base, mode } = await requireCurrentPortalAccess(request, context);
  if (mode === "test") throw await redirectInTestMode(base);
  const plan = await getErasurePlan(ctx, { userId: viewer.id });
  const blockers = plan.blockers.map((one) => describeErasureBlocker(one, ctx.actor.kind));
  return { base, company: viewer.companyName, email: viewer.email, ...plan, blockers };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, viewer, base, mode } = await requireCurrentPortalAccess(request, context);
  if (mode === "test") throw await redirectInTestMode(base);
  const profile = portalHref(base, "/profile");
  return handleForm(request, formSchema, async ({ intent }) => {
    if (intent === "cancel") {
      const { changed } = await cancelErasure(ctx, { userId: viewer.id });
      const message = changed ? "Canceled. Nothing is erased." : "Nothing was requested. Nothing is erased.";
      return redirectWithFlash(profile, { tone: "success", message });
    }
    await requestErasure(ctx, { userId: viewer.id });
    return redirectWithFlash(portalHref(base, "/profile/close"), {
      tone: "success",
      message: "Requested. You can cancel it here.",
    });
  });
}

export default function CloseAccount() {
  const { base, company, email, closesAccount, requestedFor, blockers } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const profile = portalHref(base, "/profile");
  const title = titleOf(closesAccount);
  return (
    <>
      <Breadcrumbs trail={[{ to: profile, label: "Profile" }]} here={title} />
      <PageHeader title={title} subtitle={closesAccount ? `${email} · ${company}` : email} />
      <div className="stack max-w-2xl">
        <ErrorSummary errors={toSummaryErrors(rejected?.error)} />
        {requestedFor ? (
          <Requested day={requestedFor} closesAccount={closesAccount} blockers={blockers} profile={profile} />
        ) : (
          <Card>
            <div className="form-grid">
              <p>
                {closesAccount
                  ? `You are the only person of ${company}, so erasing your data also closes its account. Both are done ${erasureDelayDays} days after you ask, and you can cancel until then. After that it can't be undone.`
                  : `Your sign-in is erased ${erasureDelayDays} days after you ask, and you can cancel until then. After that it can't be undone. The account of ${company} stays.`}
              </p>
              <Consequences closesAccount={closesAccount} />
              {blockers.length > 0 ? <Blockers blockers={blockers} /> : null}
              <div className="actions">
                <LinkButton to={profile}>Back to profile</LinkButton>
                {blockers.length === 0 ? (
                  <Form method="post">
                    <Button name="intent" value="request" variant="danger" icon="trash">
                      {closesAccount
                        ? `Erase and close in ${erasureDelayDays} days`
                        : `Erase in ${erasureDelayDays} days`}
                    </Button>
                  </Form>
                ) : null}
              </div>
            </div>
          </Card>
        )}
      </div>
    </>
  );
}

function titleOf(closesAccount: boolean): string {
  return closesAccount ? "Erase your data and close the account" : "Erase your data";
}

function Requested({
  day,
  closesAccount,
  blockers,
  profile,
}: {
  day: CalendarDate;
  closesAccount: boolean;
  blockers: readonly string[];
  profile: string;
}) {
  return (
    <Card>
      <div className="form-grid">
        <p>
          Your data will be erased{closesAccount ? " and the account closed" : ""} on <strong>{formatDate(day)}</strong>{" "}
          (UTC). Until then everything works as before.
        </p>
        {blockers.length > 0 ? <Blockers blockers={blockers} /> : null}
        <div className="actions">
          <LinkButton to={profile}>Back to profile</LinkButton>
          <Form method="post">
            <Button name="intent" value="cancel" variant="primary">
              Cancel the request
            </Button>
          </Form>
        </div>
      </div>
    </Card>
  );
}

function Consequences({ closesAccount }: { closesAccount: boolean }) {
  return (
    <ul className="list-disc pl-5 grid gap-1">
      <li>Erased: your name, email address, picture, sessions and settings.</li>
      {closesAccount ? (
        <li>
          Deleted: audiences and everyone in them, here and on the channels; products, unused creatives and drafts;
          cards, bank details, connections, API keys and webhooks; views, reports and notifications.
        </li>
      ) : null}
      <li>
        Kept, because the other party and the law need them: campaigns, decisions, invoices and statements
        {closesAccount ? ", with the company's name" : ""}.
      </li>
    </ul>
  );
}

function Blockers({ blockers }: { blockers: readonly string[] }) {
  return (
    <div role="status">
      <p className="font-semibold">First, this has to end:</p>
      <ul className="list-disc pl-5 grid gap-1">
        {blockers.map((blocker) => (
          <li key={blocker}>{blocker}</li>
        ))}
      </ul>
    </div>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(titleOf(data?.closesAccount ?? false)) },
];
