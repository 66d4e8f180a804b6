import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useLoaderData, useNavigation } from "@remix-run/react";
import {
  type AccountType,
  accountTypes,
  businessVerticalLabels,
  businessVerticals,
} from "#app/domain/accounts/account.ts";
import { registrationSchema } from "#app/domain/accounts/account-payloads.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import type { Viewer } from "#app/domain/accounts/viewer.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { SiteFooter, SiteHeader } from "#app/screens/public/site-layout.tsx";
import { Button } from "#app/ui/button.tsx";
import { MoneyField, SelectField, TextField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form, Link, ViewerContext } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { expectViewer, viewerOfForms } from "#app/web/forms/form-viewer.ts";
import { log } from "#app/web/log.server.ts";
import { safeRedirectPath } from "#app/web/safe-redirect.ts";
import { findAttempt, visitorCtx } from "#app/web/sign-in/sign-in.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await signedIn(request, context);
  const portal = portalOf(request);
  if (viewer.accountId) throw redirect(await findDestination(request, context, viewer.userType));
  return {
    portal,
    viewerId: viewerOfForms(viewer, context),
    email: viewer.email,
    approval: env().accountApproval,
    checks: checksOf(registrationSchema, { user_type: portal }),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await signedIn(request, context);
  expectViewer(request, viewer, context);
  const portal = portalOf(request);
  return handleForm(request, registrationSchema, async (registration, submission) => {
    const actor = { kind: "user" as const, userId: viewer.id };
    const input = { registration: { ...registration, user_type: portal }, approval: env().accountApproval };
    try {
      await registerAccount({ ...visitorCtx(context), actor }, input);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      log.error("Registration failed", { requestId: context.requestId, userId: viewer.id, error });
      return data(submission.reply({ formErrors: ["Registration failed"] }), { status: 500 });
    }
    return redirect(await findDestination(request, context, portal));
  });
}

export default function Register() {
  const { portal, viewerId, email, approval, checks } = useLoaderData<typeof loader>();
  const { fields, ...form } = useCheckedForm({ checks, rejected: useFormResponse<typeof action>() });
  const busy = useNavigation().state !== "idle";
  const field: Field = (name) => ({
    name,
    errors: fields.errors[name],
    defaultValue: fieldText(fields.values, name),
  });
  const { "": failures, ...fieldErrors } = form.summary.errors;
  return (
    <div className="site-page" data-portal={portal}>
      <SiteHeader email={email} />
      <main id="main">
        <div className="message-page-wide">
          <h1>{titles[portal]}</h1>
          <p>
            {intros[portal]} {arrivals[approval]}
          </p>
          <ViewerContext.Provider value={viewerId}>
            <Form method="post" {...form.props} className="card card-body stack">
              <FormSummary {...form.summary} errors={fieldErrors} />
              <input type="hidden" name="user_type" value={portal} />
              <TextField {...field("company_name")} label="Company name" required autoComplete="organization" />
              <TextField {...field("website")} label="Website" type="url" placeholder="https://" autoComplete="url" />
              <div className="form-grid form-grid-2">
                {portal === "advertiser" ? <AdvertiserFields field={field} /> : <PublisherFields field={field} />}
              </div>
              <Button variant="primary" busy={busy} busyLabel="Setting up your account...">
                Complete Registration
              </Button>
              {failures ? <Notice tone="bad">{failures.join(" ")}</Notice> : null}
            </Form>
          </ViewerContext.Provider>
          <p className="hint">
            {others[portal].question}{" "}
            <Link className="link" to={`/register?type=${others[portal].type}`}>
              {others[portal].link}
            </Link>
          </p>
        </div>
      </main>
      <SiteFooter />
    </div>
  );
}

type Field = (name: string) => { name: string; errors: readonly string[] | undefined; defaultValue: string };

function AdvertiserFields({ field }: { field: Field }) {
  return (
    <>
      <SelectField
        {...field("business_vertical")}
        label="Business vertical"
        emptyLabel="Choose a vertical"
        options={businessVerticals.map((value) => ({ value, label: businessVerticalLabels[value] }))}
      />
      <MoneyField {...field("monthly_budget")} label="Monthly ad budget (USD)" type="number" min={0} step={100} />
    </>
  );
}

function PublisherFields({ field }: { field: Field }) {
  return (
    <>
      <TextField {...field("monthly_visitors")} label="Monthly visitors" type="number" min={0} />
      <TextField {...field("monthly_pageviews")} label="Monthly pageviews" type="number" min={0} />
    </>
  );
}

const titles: Record<AccountType, string> = {
  advertiser: "Complete Your Advertiser Profile",
  publisher: "Complete Your Publisher Profile",
};

const intros: Record<AccountType, string> = {
  advertiser: "Tell us who you are. Only the company name is required. You can change everything later.",
  publisher: "Tell us about your store. Only the company name is required. You can change everything later.",
};

const arrivals = {
  auto: "Then your portal opens.",
  manual: "We approve each new account before it can use the portal.",
} as const;

/** An account is of one type, so this is the moment to notice that it is the wrong one. */
const others: Record<AccountType, { type: AccountType; question: string; link: string }> = {
  advertiser: { type: "publisher", question: "Do you have a store?", link: "Register as a publisher" },
  publisher: { type: "advertiser", question: "Do you advertise?", link: "Register as an advertiser" },
};

export const meta: MetaFunction<typeof loader> = ({ data: found }) => [
  { title: pageTitle(titles[found?.portal ?? "advertiser"]) },
];

async function signedIn(request: Request, context: LoaderFunctionArgs["context"]): Promise<Viewer> {
  const viewer = await findViewer(request, context);
  if (!viewer) throw redirect("/");
  return viewer;
}

/**
 * Finds the page of the account's own portal that the person asked for, before registering or before signing in;
 * without one, the portal's dashboard.
 */
async function findDestination(request: Request, context: AppLoadContext, type: AccountType): Promise<string> {
  const inUrl = safeRedirectPath(new URL(request.url).searchParams.get("redirectTo"));
  const asked = inUrl ?? (await findAttempt(request, context))?.redirectTo;
  return asked?.startsWith(`/${type}/`) ? asked : `/${type}/dashboard`;
}

function portalOf(request: Request): AccountType {
  const type = new URL(request.url).searchParams.get("type");
  const portal = accountTypes.find((known) => known === type);
  if (!portal) throw redirect("/");
  return portal;
}
