import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listDemoPeople } from "#app/domain/accounts/list-demo-people.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Panel } from "#app/ui/panel.tsx";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { visitorCtx } from "#app/web/sign-in.server.ts";
import { deny, emailSchema, grant, readAuthorization, requireStandIn } from "#app/web/stand-in.server.ts";

/**
 * The stand-in's account page, in the place of Google's. With `login_hint=EMAIL` it signs that person in without asking.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  requireStandIn();
  const authorization = readAuthorization(request);
  const hinted = emailSchema.safeParse(authorization.loginHint);
  if (hinted.success) throw redirect(grant(authorization, hinted.data));
  return {
    people: await listDemoPeople(visitorCtx(context)),
    cancelUrl: deny(authorization),
    checks: checksOf(choiceSchema),
  };
}

const choiceSchema = z.object({ email: z.string("Enter an e-mail address").trim().pipe(emailSchema) });

export async function action({ request }: ActionFunctionArgs) {
  requireStandIn();
  const authorization = readAuthorization(request);
  return submitForm(request, choiceSchema, async ({ email }) => redirect(grant(authorization, email)));
}

export default function GoogleAuthorize() {
  const { people, cancelUrl, checks } = useLoaderData<typeof loader>();
  const { fields, ...form } = useCheckedForm({ checks, refused: useActionData<typeof action>() });
  return (
    <Panel title="Choose an account">
      <p>This stands in for Google while no Google client is configured. Nobody is asked for a password.</p>
      {people.length > 0 ? (
        <form method="post" className="my-6 grid gap-2">
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
                {person.status === "approved" ? person.type : `${person.type}, not approved`}
              </Badge>
            </button>
          ))}
        </form>
      ) : null}
      <form method="post" {...form.props} className="stack text-left">
        <TextField
          name="email"
          type="email"
          label="Use another e-mail address"
          hint="An address that is new here becomes a new user."
          autoComplete="email"
          defaultValue={textOf(fields.values, "email")}
          errors={fields.errors.email}
        />
        <div className="actions">
          <Button variant="primary">Continue</Button>
          <a className="button button-ghost" href={cancelUrl}>
            Cancel
          </a>
        </div>
      </form>
    </Panel>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Choose an account") }];
