import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useLoaderData, useLocation, useNavigate, useRevalidator, useSubmit } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { AttemptConsumedError } from "#app/domain/accounts/sign-in/consume-sign-in-attempt.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { DomainError } from "#app/domain/errors.ts";
import { destinationAfterSignIn } from "#app/portal/after-sign-in.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Icon } from "#app/ui/icon.tsx";
import { MessagePage } from "#app/ui/message-page.tsx";
import { findAttempt, finishSignIn } from "#app/web/sign-in/sign-in.server.ts";

type CallbackState =
  | { face: "authenticating"; completeUrl: string }
  | { face: "waiting" }
  | { face: "welcome"; to: string }
  | { face: "failed"; message: string };

const welcomeUrl = "/auth/callback?welcome=1";
/** How long, in milliseconds, a callback that was opened twice waits for the other request to finish. */
const concurrentCallbackMs = 10_000;

/**
 * Shows Authenticating, then Welcome, then redirects. With scripting the first state posts to this same URL; without, a
 * refresh loads `complete=1`, which does the same. The browser's own secret protects both.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  if (searchParams.has("welcome")) return welcome(request, context);
  const code = searchParams.get("code");
  if (!code) return withoutCode();
  if (searchParams.has("complete")) return complete(request, context);
  searchParams.set("complete", "1");
  return data<CallbackState>({ face: "authenticating", completeUrl: `/auth/callback?${searchParams}` });
}

export async function action({ request, context }: ActionFunctionArgs) {
  return complete(request, context);
}

async function complete(request: Request, context: AppLoadContext) {
  const { searchParams } = new URL(request.url);
  const code = searchParams.get("code") ?? "";
  const state = searchParams.get("state") ?? "";
  const issuer = searchParams.get("iss") ?? undefined;
  if (!code) return withoutCode();
  try {
    const { headers } = await finishSignIn(request, { code, state, ...(issuer !== undefined && { issuer }), context });
    return redirect(welcomeUrl, { headers });
  } catch (error) {
    // The callback was opened twice: this sign-in is already complete or about to be.
    if (error instanceof AttemptConsumedError) return redirect(welcomeUrl);
    if (!(error instanceof DomainError)) throw error;
    return failed(error.message);
  }
}

async function welcome(request: Request, context: AppLoadContext) {
  const attempt = await findAttempt(request, context);
  const viewer = await findViewer(request, context);
  if (viewer) {
    return data<CallbackState>({ face: "welcome", to: destinationAfterSignIn(viewer, attempt?.redirectTo) });
  }
  const since = Date.now() - (attempt?.usedAt?.getTime() ?? 0);
  return since < concurrentCallbackMs ? data<CallbackState>({ face: "waiting" }) : failed("Authentication failed");
}

function withoutCode() {
  return data<CallbackState>({ face: "failed", message: "No authorization code provided" }, { status: 400 });
}

function failed(message: string) {
  return data<CallbackState>({ face: "failed", message }, { status: 401 });
}

export default function AuthCallback() {
  const loaded = useLoaderData<typeof loader>();
  const found = useFormResponse<typeof action>() ?? loaded;
  if (found.face === "failed") return <Failed message={found.message} />;
  if (found.face === "welcome") return <Welcome to={found.to} />;
  return <Authenticating completeUrl={found.face === "authenticating" ? found.completeUrl : undefined} />;
}

/** Without `completeUrl` another request is completing the sign-in, and this page polls every second. */
function Authenticating({ completeUrl }: { completeUrl: string | undefined }) {
  const submit = useSubmit();
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const posted = useRef(false);
  useEffect(() => {
    if (completeUrl) {
      if (!posted.current) submit(null, { method: "post", action: pathname + search, replace: true });
      posted.current = true;
      return;
    }
    const timer = setInterval(revalidate, 1_000);
    return () => clearInterval(timer);
  }, [completeUrl, pathname, search, submit, revalidate]);
  return (
    <MessagePage icon={<span className="spinner" aria-hidden />} title="Authenticating..." live>
      <p>We're setting up your account. This will just take a moment.</p>
      <noscript>
        <meta httpEquiv="refresh" content={completeUrl ? `0;url=${completeUrl}` : `1;url=${welcomeUrl}`} />
      </noscript>
    </MessagePage>
  );
}

function Welcome({ to }: { to: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate(to, { replace: true }), 900);
    return () => clearTimeout(timer);
  }, [navigate, to]);
  return (
    <MessagePage icon={<Icon name="party-popper" />} title="Welcome!" live>
      <p>Redirecting you to get started...</p>
      <noscript>
        <meta httpEquiv="refresh" content={`1;url=${to}`} />
      </noscript>
    </MessagePage>
  );
}

function Failed({ message }: { message: string }) {
  return (
    <MessagePage icon={<Icon name="circle-exclamation-point" />} tone="bad" title="Authentication Failed">
      <p role="alert">{message}</p>
      <p>
        Nothing was changed. A sign-in works once, within ten minutes and in one browser. Start again from the home
        page.
      </p>
      <div className="actions">
        <LinkButton to="/" variant="primary">
          Return Home
        </LinkButton>
      </div>
    </MessagePage>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Signing in") }];
