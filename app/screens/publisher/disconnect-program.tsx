import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Unplug } from "lucide-react";
import { programSchema } from "#app/domain/audiences/connection-payloads.ts";
import { dataSourceLabels, type Program } from "#app/domain/audiences/data-source.ts";
import { disconnectProgram } from "#app/domain/audiences/disconnect-program.server.ts";
import { listConnections } from "#app/domain/audiences/list-connections.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { AskFirst } from "#app/screens/shared/ask-first.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { notFoundPage } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const program = programIn(params);
  const connections = await listConnections(ctx);
  return { base, name: dataSourceLabels[program], connected: connections.some((one) => one.program === program) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const back = portalHref(base, "/audiences/connections");
  const program = programIn(params);
  const name = dataSourceLabels[program];
  try {
    await disconnectProgram(ctx, program);
  } catch (error) {
    // Pressed twice, or on a page that was open for long.
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(back, { tone: "info", message: `${name} is not connected` });
  }
  return redirectWithFlash(back, {
    tone: "success",
    message: `${name} is disconnected. Its credentials are forgotten.`,
  });
}

function programIn(params: LoaderFunctionArgs["params"]): Program {
  const program = programSchema.safeParse(params.program);
  if (!program.success) throw notFoundPage();
  return program.data;
}

export default function DisconnectProgram() {
  const { base, name, connected } = useLoaderData<typeof loader>();
  const back = portalHref(base, "/audiences/connections");
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: back, label: "Connections" },
        ]}
        here={`Disconnect ${name}`}
      />
      <PageHeader title={`Disconnect ${name}?`} />
      <AskFirst
        act={connected ? { label: `Disconnect ${name}`, icon: Unplug } : null}
        back={{ to: back, label: connected ? "Keep it" : "Back to the connections" }}
      >
        {connected ? (
          <p>
            Its credentials are forgotten, and nobody is fetched from it any more. Audiences keep their people and the
            lists that were chosen for them, and are fetched again when you connect {name} anew.
          </p>
        ) : (
          <p>{name} is not connected.</p>
        )}
      </AskFirst>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Disconnect ${data?.name ?? "a program"}`) },
];
