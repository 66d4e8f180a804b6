import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { maxMembersPerRequest } from "#app/domain/audiences/member-payloads.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { env } from "#app/env.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Link } from "#app/ui/link.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const { id, name, size, dataSource } = await orThrow404(getAudience(ctx, requireIdParam<AudienceId>(params.id)));
  const calls = exampleRequests({ address: `${env().publicUrl}/api/audiences/${id}`, size });
  return { base, id, name, calls, most: maxMembersPerRequest, fromSegment: dataSource === "segment" };
}

/** The example requests, with the audience's URL and an idempotency key each, so that they can be run as they are. */
function exampleRequests({ address, size }: { address: string; size: number }) {
  const curl = (type: string, body: string, call = "members") =>
    [
      `curl -X POST '${address}/${call}'`,
      "-H 'Authorization: Bearer YOUR_KEY'",
      `-H 'Content-Type: ${type}'`,
      `-H 'Idempotency-Key: ${crypto.randomUUID()}'`,
      body,
    ].join(" \\\n  ");
  const event = {
    type: "identify",
    traits: { email: "jane@example.com", AUDIENCE_KEY: true },
    context: { personas: { computation_class: "audience", computation_key: "AUDIENCE_KEY" } },
  };
  return {
    segment: curl("application/json", `-d '${JSON.stringify([event])}'`, "segment"),
    one: curl("application/json", `-d '{"add":[{"email":"jane@example.com"}],"remove":[]}'`),
    answer: JSON.stringify({ results: [{ index: 0, status: "added", reason: null }], size: size + 1 }),
    lines: `printf '%s\\n' '{"phone":"+16505551212"}' '{"op":"remove","email":"jane@example.com"}' | \\\n  ${curl("application/x-ndjson", "--data-binary @-")}`,
  };
}

export default function AudienceApi() {
  const { base, id, name, calls, most, fromSegment } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: portalHref(base, `/audiences/${id}`), label: name },
        ]}
        here="API"
      />
      <PageHeader
        title="API integration"
        subtitle={`Add people to “${name}” and remove them from your own systems`}
        actions={
          <LinkButton to={portalHref(base, "/profile#key-name")} icon="key-round">
            Manage API keys
          </LinkButton>
        }
      />
      <div className="main-and-aside">
        <Card title="Add people">
          <div className="stack">
            <ol className="list-decimal pl-5 grid gap-2">
              <li>
                Create an API key in your{" "}
                <Link className="link" to={portalHref(base, "/profile#key-name")}>
                  profile
                </Link>{" "}
                and replace <code>YOUR_KEY</code> with it.
              </li>
              <li>Run this command. The response shows the result for each person and the new audience size.</li>
            </ol>
            <CodeBlock label="Shell" code={calls.one} />
            <CodeBlock label="Response" code={calls.answer} />
            <h3>Add people in bulk</h3>
            <p>
              A request may also be JSON Lines, one person per line. Use <code>"op":"remove"</code> to remove a person.
            </p>
            <CodeBlock label="Shell" code={calls.lines} />
            {fromSegment ? (
              <>
                <h3>Send Segment events</h3>
                <p>
                  Segment's Webhooks (Actions) destination posts events. This event adds a person to an audience. Change{" "}
                  <code>true</code> to <code>false</code> to remove the person.
                </p>
                <CodeBlock label="Shell" code={calls.segment} />
              </>
            ) : null}
          </div>
        </Card>
        <Card title="Limits and rules">
          <ul className="list-disc pl-5 grid gap-2">
            <li>
              Identify each person by <code>email</code>, <code>phone</code>, <code>email_sha256</code> or{" "}
              <code>phone_sha256</code>. Plain values are hashed on arrival and never stored.
            </li>
            <li>Up to {formatCount(most)} people per request, additions and removals combined.</li>
            <li>
              Repeating a request with the same <code>Idempotency-Key</code> returns the same response without repeating
              the action. Use a new key for a different body.
            </li>
            <li>
              See all endpoints on the{" "}
              <Link className="link" to={portalHref(base, "/api")}>
                API pages
              </Link>
              .
            </li>
          </ul>
        </Card>
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`API: ${data?.name ?? "audience"}`) },
];
