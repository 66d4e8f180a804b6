import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { appName, pageTitle } from "#app/domain/branding.ts";
import { env } from "#app/env.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ShortcutList } from "#app/portal/shortcuts/shortcut-list.tsx";
import { SingleKeysForm } from "#app/portal/shortcuts/single-keys-form.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card, PageHeader } from "#app/ui/page-header.tsx";
import { readCookie } from "#app/web/cookies.server.ts";
import { moneyGlossary } from "./money-glossary.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { portal, base } = await requireCurrentPortalAccess(request, context);
  const { supportContact, securityContact } = env();
  const singleKeys = (await readCookie(request, "portal_shortcuts")) !== "off";
  return { portal, base, supportContact, securityContact, singleKeys };
}

/** Who to ask, and what people look up: shortcuts, the words of money, the API. */
export default function Help() {
  const { portal, base, supportContact, securityContact, singleKeys } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Help" subtitle={`Who to ask, and how to find your way in ${appName}`} />
      <div className="stack">
        <Card title="Who to ask">
          <div className="help-text">
            {supportContact ? (
              <p>
                Questions about your account, campaigns or payments: <Contact url={supportContact} />. If a page shows a
                request ID, include it.
              </p>
            ) : (
              <p>
                This server names no support contact. Ask the person who gave you access, and include the request ID if
                a page shows one.
              </p>
            )}
            {securityContact ? (
              <p>
                Reports of security problems: <Contact url={securityContact} />.
              </p>
            ) : null}
            <p>
              How we use data: <TextLink to="/privacy">Privacy Policy</TextLink> and{" "}
              <TextLink to="/terms">Terms</TextLink>.
            </p>
          </div>
        </Card>
        <section id="shortcuts">
          <Card title="Keyboard shortcuts">
            <p className="hint no-scripting-only">Your browser runs no scripts, so these have no effect now.</p>
            <ShortcutList portal={portal} heading="h3" />
            <SingleKeysForm base={base} singleKeys={singleKeys} />
          </Card>
        </section>
        <section id="reports">
          <Card title="Reports by email">
            <div className="help-text">
              <p>
                Choose filters in <TextLink to={portalHref(base, "/analytics")}>Analytics</TextLink>, then save the view
                under Reports. Your whole account sees its{" "}
                <TextLink to={portalHref(base, "/reports")}>reports</TextLink>.
              </p>
              <p>
                A report can be emailed every day, week or month to people of your account, with its figures and a file.
                The dates are counted back from the day it is sent. After an outage only the latest missed email is
                sent.
              </p>
              <p>
                Anyone who no longer wants these emails can turn them off in the{" "}
                <TextLink to={portalHref(base, "/profile#mails")}>email settings</TextLink>.
              </p>
            </div>
          </Card>
        </section>
        <section id="money">
          <Card title="Money terms">
            <dl className="glossary">
              {moneyGlossary(portal).map(({ label, definition, computation }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {definition} <span className="text-muted">{computation}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </Card>
        </section>
        <Card title="For developers">
          <div className="help-text">
            <p>
              Create an API key on your <TextLink to={portalHref(base, "/profile")}>profile</TextLink>, and{" "}
              <TextLink to={portalHref(base, "/webhooks")}>webhooks</TextLink> that notify your systems.
            </p>
            <p>
              Every endpoint is described on the <TextLink to={portalHref(base, "/api")}>API pages</TextLink>, with
              examples that have your own IDs, and in{" "}
              <a className="link" href="/api/openapi.json">
                openapi.json
              </a>{" "}
              (OpenAPI 3.1), which most API tools can read.
            </p>
          </div>
        </Card>
      </div>
    </>
  );
}

function TextLink({ to, children }: { to: string; children: string }) {
  return (
    <Link className="link" to={to}>
      {children}
    </Link>
  );
}

/** A contact's email address or URL as a link. */
function Contact({ url }: { url: string }) {
  return (
    <a className="link" href={url}>
      {url.replace(/^mailto:/, "")}
    </a>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Help") }];
