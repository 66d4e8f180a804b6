import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { CodeText } from "#app/screens/shared/api-reference/code-text.tsx";
import { loadApiOverview } from "#app/screens/shared/api-reference/load-api-reference.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card, PageHeader } from "#app/ui/page-header.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  return loadApiOverview(await requireCurrentPortalAccess(request, context));
}

/** How programs call the API, and all endpoints by area. */
export default function ApiOverview() {
  const { base, groups, example } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="API"
        subtitle="Everything that your systems can do with this account"
        actions={
          <LinkButton to={portalHref(base, "/profile#key-name")} icon="key-round">
            Manage API keys
          </LinkButton>
        }
      />
      <div className="stack">
        <div className="two-columns">
          <Card title="Before you start">
            <div className="stack">
              <p>
                Create an API key on your{" "}
                <Link className="link" to={portalHref(base, "/profile#key-name")}>
                  profile
                </Link>{" "}
                and store its secret in <code>ENDCAP_KEY</code>. Each example then runs as it is.
              </p>
              <CodeBlock label="Shell" code={example} />
            </div>
          </Card>
          <Card title="What all endpoints share">
            <ul className="list-disc pl-5 grid gap-2">
              <li>Money is US dollars, percentages are numbers (70 is 70%), times are ISO 8601 in UTC.</li>
              <li>
                A list takes <code>limit</code> and <code>cursor</code>, and returns <code>next_cursor</code>, which is
                null on the last page.
              </li>
              <li>
                A POST with an <code>Idempotency-Key</code> can be repeated: the action is done once.
              </li>
              <li>
                An error has a <code>code</code> to decide by and a <code>message</code> to show. Each endpoint lists
                its own.
              </li>
              <li>
                <code>RateLimit</code> headers show what is left of a budget of requests.
              </li>
              <li>
                API tools read{" "}
                <a className="link" href="/api/openapi.json">
                  openapi.json
                </a>{" "}
                (OpenAPI 3.1).
              </li>
            </ul>
          </Card>
        </div>
        {groups.map(({ slug, title, text, endpoints }) => (
          <Card
            key={slug}
            title={
              <Link className="row-link" to={portalHref(base, `/api/${slug}`)} prefetch="intent">
                {title}
              </Link>
            }
          >
            <p className="text-muted">{text}</p>
            <ul className="api-index">
              {endpoints.map(({ name, anchor, method, path, summary }) => (
                <li key={name}>
                  <Link to={`${portalHref(base, `/api/${slug}`)}#${anchor}`}>
                    <code data-method={method}>
                      {method} {path}
                    </code>
                    <small>
                      <CodeText text={summary} />
                    </small>
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("API") }];
