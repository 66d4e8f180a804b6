import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import { cancelErasure } from "#app/domain/privacy/cancel-erasure.server.ts";
import { describeErasureBlocker, erasureDelayDays } from "#app/domain/privacy/erasure.ts";
import { getErasurePlan } from "#app/domain/privacy/get-erasure-plan.server.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireOwnDataAccess } from "#app/portal/require-portal-access.server.ts";
import { SiteFooter, SiteHeader } from "#app/screens/public/site-layout.tsx";
import { redirectInTestMode } from "#app/screens/shared/profile/redirect-in-test-mode.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Form, useIsPosting, ViewerContext } from "#app/ui/link.tsx";
import { ErrorSummary, Notice, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { readFlash, redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { viewerOfForms } from "#app/web/forms/form-viewer.ts";

const formSchema = z.object({ intent: z.enum(["request", "cancel"]) });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, portal, base, mode } = await requireOwnDataAccess(request, context);
  if (mode === "test") throw await redirectInTestMode(base);
  const plan = await getErasurePlan(ctx, { userId: viewer.id });
  const isSuspended = viewer.status === "suspended";
  const blockers = plan.blockers.map((one) => describeErasureBlocker(one, ctx.actor.kind, { isSuspended }));
  const page = { portal, base, company: viewer.companyName, email: viewer.email, ...plan, blockers };
  if (viewer.status === "approved") return data({ ...page, withoutPortal: undefined });
  const { flash, headers } = await readFlash(request);
  return data({ ...page, withoutPortal: { flash, viewerId: viewerOfForms(viewer, context) } }, { headers });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, viewer, base, mode } = await requireOwnDataAccess(request, context);
  if (mode === "test") throw await redirectInTestMode(base);
  const page = portalHref(base, "/profile/close");
  const profile = viewer.status === "approved" ? portalHref(base, "/profile") : page;
  return handleForm(request, formSchema, async ({ intent }) => {
    if (intent === "cancel") {
      const { changed } = await cancelErasure(ctx, { userId: viewer.id });
      const message = changed ? "Canceled. Nothing is erased." : "Nothing was requested. Nothing is erased.";
      return redirectWithFlash(profile, { tone: "success", message });
    }
    await requestErasure(ctx, { userId: viewer.id });
    return redirectWithFlash(page, {
      tone: "success",
      message: "Requested. You can cancel it here.",
    });
  });
}

export default function CloseAccount() {
  const { base, company, email, closesAccount, withoutPortal } = useLoaderData<typeof loader>();
  const title = titleOf(closesAccount);
  const subtitle = closesAccount ? `${email} · ${company}` : email;
  if (withoutPortal) return <PageWithoutPortal title={title} subtitle={subtitle} />;
  const profile = portalHref(base, "/profile");
  return (
    <>
      <Breadcrumbs trail={[{ to: profile, label: "Profile" }]} here={title} />
      <PageHeader title={title} subtitle={subtitle} />
      <Erasure back={<LinkButton to={profile}>Back to profile</LinkButton>} />
    </>
  );
}

/** The page of a person whose account is not approved, for whom no other page of the portal opens. */
function PageWithoutPortal({ title, subtitle }: { title: string; subtitle: string }) {
  const { portal, base, email, withoutPortal } = useLoaderData<typeof loader>();
  const flash = withoutPortal?.flash;
  return (
    <div className="site-page" data-portal={portal}>
      <SiteHeader email={email} />
      <main id="main">
        <div className="message-page-wide">
          <PageHeader
            title={title}
            subtitle={subtitle}
            actions={
              <a className="button" href={portalHref(base, "/profile/copy")}>
                <Icon name="download" />
                Download a copy
              </a>
            }
          />
          <div className="stack">
            {flash ? <Notice tone={flash.tone === "success" ? "good" : "bad"}>{flash.message}</Notice> : null}
            <ViewerContext.Provider value={withoutPortal?.viewerId}>
              <Erasure
                back={
                  <a className="button" href={portalHref(base, "/dashboard")}>
                    Back
                  </a>
                }
              />
            </ViewerContext.Provider>
          </div>
        </div>
      </main>
      <SiteFooter />
    </div>
  );
}

/** What is erased and when, with the form that requests it or cancels the request. */
function Erasure({ back }: { back: ReactNode }) {
  const { company, closesAccount, requestedFor, blockers } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const busy = useIsPosting();
  return (
    <div className="stack max-w-2xl">
      <ErrorSummary errors={toSummaryErrors(rejected?.error)} />
      {requestedFor ? (
        <Requested day={requestedFor} closesAccount={closesAccount} blockers={blockers} back={back} />
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
              {back}
              {blockers.length === 0 ? (
                <Form method="post">
                  <Button name="intent" value="request" variant="danger" icon="trash" busy={busy}>
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
  );
}

function titleOf(closesAccount: boolean): string {
  return closesAccount ? "Erase your data and close the account" : "Erase your data";
}

function Requested({
  day,
  closesAccount,
  blockers,
  back,
}: {
  day: CalendarDate;
  closesAccount: boolean;
  blockers: readonly string[];
  back: ReactNode;
}) {
  const busy = useIsPosting();
  return (
    <Card>
      <div className="form-grid">
        <p>
          Your data will be erased{closesAccount ? " and the account closed" : ""} on <strong>{formatDate(day)}</strong>{" "}
          (UTC). Until then everything works as before.
        </p>
        {blockers.length > 0 ? <Blockers blockers={blockers} /> : null}
        <div className="actions">
          {back}
          <Form method="post">
            <Button name="intent" value="cancel" variant="primary" busy={busy}>
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
  const { withoutPortal } = useLoaderData<typeof loader>();
  return (
    <div role="status">
      <p className="font-semibold">First, this has to end:</p>
      <ul className="list-disc pl-5 grid gap-1">
        {blockers.map((blocker) => (
          <li key={blocker}>{blocker}</li>
        ))}
      </ul>
      {withoutPortal ? (
        <p>These pages don't open while your account is not approved. Reply to any of our emails to have it done.</p>
      ) : null}
    </div>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(titleOf(data?.closesAccount ?? false)) },
];
