import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData, useLocation, useNavigate, useRevalidator, useSubmit } from "@remix-run/react";
import { CircleAlert, PartyPopper } from "lucide-react";
import { useEffect, useRef } from "react";
import { AttemptConsumedError } from "#app/domain/accounts/consume-sign-in-attempt.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { pageTitle } from "#app/domain/product.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { findAttempt, finishSignIn } from "#app/web/sign-in.server.ts";

type Face =
  | { face: "authenticating"; completeUrl: string }
  | { face: "waiting" }
  | { face: "welcome"; to: string }
  | { face: "failed"; message: string };

const welcomeUrl = "/auth/callback?welcome=1";
/** A callback that was opened twice waits so long for the other one to finish. */
const patience = 10_000;

/**
 * Authenticating, then Welcome, then on. With scripting the first face posts to this same URL; without, a refresh goes to
 * `complete=1`, which does the same. The browser's own secret guards both.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  if (searchParams.has("welcome")) return welcome(request, context);
  const code = searchParams.get("code");
  if (!code) return withoutCode();
  if (searchParams.has("complete")) return complete(request, context);
  searchParams.set("complete", "1");
  return data<Face>({ face: "authenticating", completeUrl: `/auth/callback?${searchParams}` });
}

export async function action({ request, context }: ActionFunctionArgs) {
  return complete(request, context);
}

async function complete(request: Request, context: AppLoadContext) {
  const { searchParams } = new URL(request.url);
  const code = searchParams.get("code") ?? "";
  const state = searchParams.get("state") ?? "";
  if (!code) return withoutCode();
  try {
    const { headers } = await finishSignIn(request, { code, state, context });
    return redirect(welcomeUrl, { headers });
  } catch (error) {
    // Opened twice: this very sign-in is done already, or about to be.
    if (error instanceof AttemptConsumedError) return redirect(welcomeUrl);
    if (!(error instanceof DomainError)) throw error;
    return failed(error.message);
  }
}

async function welcome(request: Request, context: AppLoadContext) {
  const attempt = await findAttempt(request, context);
  if (await findViewer(request, context)) return data<Face>({ face: "welcome", to: attempt?.redirectTo ?? "/" });
  const since = Date.now() - (attempt?.usedAt?.getTime() ?? 0);
  return since < patience ? data<Face>({ face: "waiting" }) : failed("Authentication failed");
}

function withoutCode() {
  return data<Face>({ face: "failed", message: "No authorization code provided" }, { status: 400 });
}

function failed(message: string) {
  return data<Face>({ face: "failed", message }, { status: 401 });
}

export default function AuthCallback() {
  const loaded = useLoaderData<typeof loader>();
  const found = useActionData<typeof action>() ?? loaded;
  if (found.face === "failed") return <Failed message={found.message} />;
  if (found.face === "welcome") return <Welcome to={found.to} />;
  return <Authenticating completeUrl={found.face === "authenticating" ? found.completeUrl : undefined} />;
}

/** Without `completeUrl` another request is completing the sign-in: looks again each second. */
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
    <Panel icon={<span className="spinner" aria-hidden />} title="Authenticating..." live>
      <p>We're setting up your account. This will just take a moment.</p>
      <noscript>
        <meta httpEquiv="refresh" content={completeUrl ? `0;url=${completeUrl}` : `1;url=${welcomeUrl}`} />
      </noscript>
    </Panel>
  );
}

function Welcome({ to }: { to: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate(to, { replace: true }), 900);
    return () => clearTimeout(timer);
  }, [navigate, to]);
  return (
    <Panel icon={<PartyPopper aria-hidden />} title="Welcome!" live>
      <p>Redirecting you to get started...</p>
      <noscript>
        <meta httpEquiv="refresh" content={`1;url=${to}`} />
      </noscript>
    </Panel>
  );
}

function Failed({ message }: { message: string }) {
  return (
    <Panel icon={<CircleAlert aria-hidden />} tone="bad" title="Authentication Failed">
      <p role="alert">{message}</p>
      <div className="actions">
        <LinkButton to="/" variant="primary">
          Return Home
        </LinkButton>
      </div>
    </Panel>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Signing in") }];
