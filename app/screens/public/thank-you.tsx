import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { CircleCheck } from "lucide-react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { parseId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref, portalMount } from "#app/portal/href.ts";
import { UploadSlot } from "#app/portal/uploads/upload-slot.tsx";
import { findViewer } from "#app/portal/viewer.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { AutoRedirect } from "./auto-redirect.tsx";
import { SiteFooter, SiteHeader } from "./site-frame.tsx";
import { anySuccess, portalPath, thankYouKinds } from "./thank-you-kinds.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const known = thankYouKinds.get(params.kind ?? "");
  const { title, subtitle, description, actions, portal: meant, audienceLink } = known ?? anySuccess;
  const testPortal = testModePortal(url.pathname);
  const viewer = testPortal
    ? (await enterPortal(request, testPortal, context)).viewer
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
    redirects: known !== undefined,
    portal,
    base,
    framed: testPortal !== undefined,
    email: viewer?.email,
  };
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: pageTitle(data?.title ?? "Success") }];

export default function ThankYouScreen() {
  const { title, subtitle, description, about, actions, redirects, portal, base, framed, email } =
    useLoaderData<typeof loader>();
  const panel = (
    <section className="card panel panel-center">
      <span className="panel-icon panel-icon-good">
        <CircleCheck aria-hidden />
      </span>
      <h1>{title}</h1>
      <p className="panel-lead">{subtitle}</p>
      <p>{description}</p>
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
  // In test mode the portal's frame is around it already.
  if (framed) return panel;
  return (
    <div className="site-page" data-portal={portal}>
      <SiteHeader email={email} />
      <main>{panel}</main>
      <SiteFooter />
      {portal === "publisher" && email ? <UploadSlot owner={`${base} ${email}`} /> : null}
    </div>
  );
}

function testModePortal(pathname: string): AccountType | undefined {
  const portals: AccountType[] = ["advertiser", "publisher"];
  return portals.find((portal) => portalMount(portal, pathname).mode === "test");
}
