import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { parseId } from "#app/domain/ids.ts";
import { portalHref, portalMount } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { LazyUploadTray } from "#app/portal/uploads/lazy-upload-tray.tsx";
import { findViewer } from "#app/portal/viewer.server.ts";
import { SiteFooter, SiteHeader } from "#app/screens/public/site-layout.tsx";
import { moreThanShortfall } from "#app/screens/shared/billing/more-than-shortfall.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { AutoRedirect } from "./auto-redirect.tsx";
import { loadFundsNeeded } from "./funds-needed.server.ts";
import { genericThankYou, portalPath, thankYouKinds } from "./thank-you-kinds.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const known = thankYouKinds.get(params.kind ?? "");
  const { title, subtitle, description, actions, portal: meant, audienceLink } = known ?? genericThankYou;
  const testPortal = testModePortal(url.pathname);
  const viewer = testPortal
    ? (await requirePortalAccess(request, testPortal, context)).viewer
    : await findViewer(request, context);
  const portal = viewer?.userType === "pending" ? undefined : (viewer?.userType ?? meant);
  const campaign = parseId(url.searchParams.get("campaign") ?? undefined);
  const audience = parseId(url.searchParams.get("audience") ?? undefined);
  const base = portal && portalMount(portal, url.pathname).base;
  return {
    title,
    subtitle,
    description,
    actions: actions.map(({ label, page }) => ({
      label,
      to: base ? portalHref(base, portalPath(portal, page, campaign)) : "/",
    })),
    about:
      audienceLink && audience && base && portal === "publisher"
        ? { label: audienceLink, to: portalHref(base, `/audiences/${audience}`) }
        : undefined,
    funds:
      base && portal === "advertiser" && params.kind === "campaign-created"
        ? await loadFundsNeeded(request, { context, test: testPortal !== undefined })
        : null,
    redirects: known !== undefined,
    portal,
    base,
    framed: testPortal !== undefined,
    email: viewer?.email,
  };
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: pageTitle(data?.title ?? "Success") }];

export default function ThankYouScreen() {
  const { title, subtitle, description, about, actions, funds, redirects, portal, base, framed, email } =
    useLoaderData<typeof loader>();
  const panel = (
    <section className="card message-page message-page-center">
      <span className="message-page-icon message-page-icon-good">
        <Icon name="circle-check" />
      </span>
      <h1>{title}</h1>
      <p className="message-page-lead">{subtitle}</p>
      <p>{description}</p>
      {funds && base ? (
        <div className="mt-4 text-left">
          <Notice tone="warn" title="You have no funds left">
            Publishers can approve the campaign, but nothing is delivered without funds.{" "}
            {funds.paymentsEnabled ? (
              <>
                <Link className="link" to={portalHref(base, "/billing/top-up")}>
                  Top up your wallet
                </Link>
                {moreThanShortfall(funds.shortfall)}.
              </>
            ) : (
              "No payment provider is connected yet, so you can't top up."
            )}
          </Notice>
        </div>
      ) : null}
      {about ? (
        <p>
          <Link className="link" to={about.to} prefetch="intent">
            {about.label}
          </Link>
        </p>
      ) : null}
      <div className="actions">
        {actions.map(({ label, to }, index) => (
          <LinkButton key={label} to={to} variant={index === 0 ? "primary" : "secondary"}>
            {label}
          </LinkButton>
        ))}
      </div>
      {redirects && actions[0] ? <AutoRedirect to={actions[0].to} /> : null}
    </section>
  );
  // In test mode the portal layout already surrounds the page.
  if (framed) return panel;
  return (
    <div className="site-page" data-portal={portal}>
      <SiteHeader email={email} />
      <main>{panel}</main>
      <SiteFooter />
      {portal === "publisher" && email ? <LazyUploadTray owner={`${base} ${email}`} /> : null}
    </div>
  );
}

function testModePortal(pathname: string): AccountType | undefined {
  const portals: AccountType[] = ["advertiser", "publisher"];
  return portals.find((portal) => portalMount(portal, pathname).mode === "test");
}
