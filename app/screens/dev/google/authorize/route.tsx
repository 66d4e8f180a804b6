import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listDemoUsers } from "#app/domain/accounts/list-demo-users.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form } from "#app/ui/link.tsx";
import { MessagePage } from "#app/ui/message-page.tsx";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { visitorCtx } from "#app/web/sign-in/sign-in.server.ts";
import {
  deniedRedirectUrl,
  emailSchema,
  grantedRedirectUrl,
  parseAuthorizationRequest,
  requireStandIn,
} from "#app/web/sign-in/stand-in.server.ts";

/**
 * The sign-in stand-in's account page, in place of Google's. With `login_hint=EMAIL` it signs that person in without
 * asking.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  requireStandIn();
  const authorization = parseAuthorizationRequest(request);
  const hinted = emailSchema.safeParse(authorization.loginHint);
  if (hinted.success) throw redirect(grantedRedirectUrl(authorization, hinted.data));
  return {
    people: await listDemoUsers(visitorCtx(context)),
    cancelUrl: deniedRedirectUrl(authorization),
    checks: checksOf(choiceSchema),
  };
}

const choiceSchema = z.object({ email: z.string("Enter an email address").trim().pipe(emailSchema) });

export async function action({ request }: ActionFunctionArgs) {
  requireStandIn();
  const authorization = parseAuthorizationRequest(request);
  return handleForm(request, choiceSchema, async ({ email }) => redirect(grantedRedirectUrl(authorization, email)));
}

export default function GoogleAuthorize() {
  const { people, cancelUrl, checks } = useLoaderData<typeof loader>();
  const { fields, ...form } = useCheckedForm({ checks, rejected: useFormResponse<typeof action>() });
  return (
    <MessagePage title="Choose an account">
      <p>This page replaces Google sign-in while no Google client is configured. No password is needed.</p>
      {people.length > 0 ? (
        <Form method="post" className="my-6 grid gap-2">
          {people.map((person) => (
            <button
              key={person.email}
              type="submit"
              name="email"
              value={person.email}
              className="flex w-full cursor-pointer flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-lg border border-line p-3 text-left hover:bg-accent-soft"
            >
              <span>
                <b className="block">{person.companyName}</b>
                <span className="text-muted wrap-anywhere">{person.email}</span>
              </span>
              <Badge tone={person.status === "approved" ? "good" : "warn"}>
                {person.status === "approved" ? person.type : `${person.type}, pending approval`}
              </Badge>
            </button>
          ))}
        </Form>
      ) : null}
      <Form method="post" {...form.props} className="stack text-left">
        <TextField
          name="email"
          type="email"
          label="Use another email address"
          hint="A new address creates a new user."
          autoComplete="email"
          defaultValue={fieldText(fields.values, "email")}
          errors={fields.errors.email}
        />
        <div className="actions">
          <a className="button button-ghost" href={cancelUrl}>
            Cancel
          </a>
          <Button variant="primary">Continue</Button>
        </div>
      </Form>
    </MessagePage>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Choose an account") }];
