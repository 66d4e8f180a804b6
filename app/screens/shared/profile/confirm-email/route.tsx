import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { findSuppression } from "#app/domain/notifications/feedback/find-suppression.server.ts";
import { confirmEmail, isProof } from "#app/domain/notifications/feedback/lift-suppression.server.ts";
import { requestEmailConfirmation } from "#app/domain/notifications/feedback/request-email-confirmation.server.ts";
import { describeSuppression, suppressionTitle } from "#app/domain/notifications/feedback/suppression-copy.ts";
import { parseConfirmationToken } from "#app/mail/confirmation-link.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { redirectInTestMode } from "#app/screens/shared/profile/redirect-in-test-mode.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form } from "#app/ui/link.tsx";
import { ErrorSummary, Notice, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";

const invalidLink = "This link is incomplete or no longer works. Send a new one.";
const formSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("send") }),
  z.object({ intent: z.literal("confirm"), token: z.string(invalidLink) }),
]);

/** Asks before it confirms, because link scanners that open the URL must not change anything. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, viewer, base, mode } = await requireCurrentPortalAccess(request, context);
  if (mode === "test") throw await redirectInTestMode(base);
  const token = new URL(request.url).searchParams.get("token") ?? undefined;
  const suppression = await findSuppression(ctx, { userId: viewer.id });
  const mailId = token === undefined ? undefined : parseConfirmationToken(token);
  const isConfirmable = mailId !== undefined && (await isProof(ctx, { userId: viewer.id, mailId }));
  return { base, email: viewer.email, suppression, token, isConfirmable };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, viewer, base, mode } = await requireCurrentPortalAccess(request, context);
  if (mode === "test") throw await redirectInTestMode(base);
  return handleForm(request, formSchema, async (form) => {
    if (form.intent === "send") {
      await requestEmailConfirmation(ctx, { userId: viewer.id });
      return redirectWithFlash(portalHref(base, "/profile/confirm-email"), {
        tone: "success",
        message: `Email sent to ${viewer.email}`,
      });
    }
    const mailId = parseConfirmationToken(form.token);
    if (!mailId) throw invalidInput({ token: [invalidLink] }, invalidLink);
    await confirmEmail(ctx, { userId: viewer.id, mailId });
    return redirectWithFlash(portalHref(base, "/profile"), { tone: "success", message: "Email address confirmed" });
  });
}

export default function ConfirmEmail() {
  const { base, email, suppression, token, isConfirmable } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const profile = portalHref(base, "/profile");
  const back = <LinkButton to={profile}>Back to profile</LinkButton>;
  const errors = toSummaryErrors(rejected?.error, []);
  return (
    <>
      <Breadcrumbs trail={[{ to: profile, label: "Profile" }]} here="Confirm your email address" />
      <PageHeader title="Confirm your email address" subtitle={email} />
      <div className="stack max-w-2xl">
        <ErrorSummary errors={errors} title="The address was not confirmed" />
        {suppression && token !== undefined && !isConfirmable && errors.length === 0 ? (
          <Notice tone="warn" title="This link doesn't work">
            It is incomplete, or emails came back after it was sent. Send a new one.
          </Notice>
        ) : null}
        <Card>
          <div className="form-grid">
            {suppression ? (
              <>
                <p>
                  <strong className="break-words">{suppressionTitle(suppression)}.</strong>{" "}
                  {describeSuppression(suppression)}
                </p>
                {isConfirmable ? (
                  <>
                    <p>You opened the link that we sent there, so the address works. Confirm it to get emails again.</p>
                    <Form method="post" action={portalHref(base, "/profile/confirm-email")} className="actions">
                      <input type="hidden" name="token" value={token} />
                      {back}
                      <Button name="intent" value="confirm" variant="primary" icon="mail-check">
                        Confirm address
                      </Button>
                    </Form>
                  </>
                ) : (
                  <>
                    <p>
                      We'll send one email there with a link that confirms it. Look in the spam folder too. Emails that
                      were held back are not sent later; what they say is on your notifications page.
                    </p>
                    <Form method="post" action={portalHref(base, "/profile/confirm-email")} className="actions">
                      {back}
                      <Button name="intent" value="send" variant="primary" icon="send">
                        Send email
                      </Button>
                    </Form>
                  </>
                )}
              </>
            ) : (
              <>
                <p>We send emails to this address. There is nothing to confirm.</p>
                <div className="actions">{back}</div>
              </>
            )}
          </div>
        </Card>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Confirm your email address") }];
