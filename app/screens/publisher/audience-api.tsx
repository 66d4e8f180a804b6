import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { KeyRound } from "lucide-react";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { mostMembers } from "#app/domain/audiences/member-payloads.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { env } from "#app/env.server.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { id, name, size, dataSource } = await orNotFoundPage(getAudience(ctx, idInAddress<AudienceId>(params.id)));
  const calls = callsOf({ address: `${env().publicUrl}/api/audiences/${id}`, size });
  return { base, id, name, calls, most: mostMembers, fromSegment: dataSource === "segment" };
}

/** As they can be run: with the audience's own address, and keys of their own for repetitions. */
function callsOf({ address, size }: { address: string; size: number }) {
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
        title="API Integration"
        subtitle={`Add people to “${name}”, and remove them, from your own systems`}
        actions={
          <LinkButton to={portalHref(base, "/profile#key-name")} icon={KeyRound}>
            Manage API keys
          </LinkButton>
        }
      />
      <div className="split">
        <Card title="Send people">
          <div className="stack">
            <ol className="list-decimal pl-5 grid gap-2">
              <li>
                Make a key in your{" "}
                <Link className="link" to={portalHref(base, "/profile#key-name")}>
                  profile
                </Link>{" "}
                and put it in the place of <code>YOUR_KEY</code>.
              </li>
              <li>Run this. The answer says of each person what became of it, and the audience's size.</li>
            </ol>
            <CodeBlock label="Shell" code={calls.one} />
            <CodeBlock label="Answer" code={calls.answer} />
            <h3>Many at once</h3>
            <p>
              The same as JSON lines, one person each, which a program can write as it goes through a list. A person
              leaves with <code>"op":"remove"</code>.
            </p>
            <CodeBlock label="Shell" code={calls.lines} />
            {fromSegment ? (
              <>
                <h3>As Segment does</h3>
                <p>
                  Segment's Webhooks (Actions) destination posts events. This is one of somebody who enters an audience;
                  with <code>false</code> in the place of <code>true</code> the person leaves.
                </p>
                <CodeBlock label="Shell" code={calls.segment} />
              </>
            ) : null}
          </div>
        </Card>
        <Card title="Good to know">
          <ul className="list-disc pl-5 grid gap-2">
            <li>
              One person is one of <code>email</code>, <code>phone</code>, <code>email_sha256</code>,{" "}
              <code>phone_sha256</code>. Plain ones are hashed as they arrive and never stored.
            </li>
            <li>At most {formatCount(most)} people in a call, additions and removals together.</li>
            <li>
              A call repeated with its <code>Idempotency-Key</code> answers the same and does nothing twice; another
              body needs another key.
            </li>
            <li>
              All calls are described at{" "}
              <a className="link" href="/api/openapi.json">
                /api/openapi.json
              </a>
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
