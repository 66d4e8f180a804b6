import { useActionData, useLoaderData } from "@remix-run/react";
import { History } from "lucide-react";
import { portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, PageHeader } from "#app/ui/layout.tsx";
import { ApiKeysPanel } from "./api-keys-panel.tsx";
import { CompanyForm } from "./company-form.tsx";
import { MailPanel } from "./mail-panel.tsx";
import type { loadProfile, submitProfile } from "./profile.server.ts";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

/** One screen for both portals: the company, its keys, one's mails, and where one is signed in. */
export function ProfileScreen() {
  const { portal, base, mode, person, profile, keys, revoking, formKey, mails, zones, checks } =
    useLoaderData<typeof loadProfile>();
  const answer = useActionData<typeof submitProfile>();
  const created = answer && "createdKey" in answer ? answer.createdKey : undefined;
  const refused = answer && "createdKey" in answer ? undefined : answer;
  const refusedIntent = refused?.initialValue?.intent;
  return (
    <>
      <PageHeader
        title="Profile"
        subtitle={`${profile.company_name}, and the ways into its account`}
        actions={
          <LinkButton to={portalHref(base, "/activity")} icon={History}>
            Activity
          </LinkButton>
        }
      />
      <div className="split">
        <div className="stack">
          <CompanyForm
            portal={portal}
            profile={profile}
            refused={refusedIntent === "save-profile" ? refused : undefined}
            checks={checks.company}
          />
          <ApiKeysPanel
            keys={keys}
            created={created}
            refused={refusedIntent === "create-key" ? refused : undefined}
            checks={checks.key}
            formKey={formKey}
            revokeHref={(id) => portalHref(base, `/profile?revoke=${id}`)}
          />
          <Card title="Webhooks" aside={<LinkButton to={portalHref(base, "/webhooks")}>Manage webhooks</LinkButton>}>
            <p className="text-muted">
              A webhook tells your own programs of decisions, pauses and payouts as they happen, so that they need not
              ask.
            </p>
          </Card>
          <MailPanel
            portal={portal}
            settings={mails}
            zones={zones}
            refused={refusedIntent === "save-mails" ? refused : undefined}
            checks={checks.mails}
          />
        </div>
        <SessionsPanel person={person} signedIn={mode === "live"} />
      </div>
      {revoking ? <RevokeDialog apiKey={revoking} closeTo={portalHref(base, "/profile")} /> : null}
    </>
  );
}
