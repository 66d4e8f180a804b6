import { useLoaderData } from "@remix-run/react";
import { portalHref } from "#app/portal/portal-href.ts";
import { ConfirmDialog } from "#app/screens/shared/forms/confirm-dialog.tsx";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { rejectionOf } from "#app/ui/form/form-values.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";
import { Card, PageHeader } from "#app/ui/page-header.tsx";
import { ApiKeysCard } from "./api-keys-card.tsx";
import { CompanyForm } from "./company-form.tsx";
import { EmailSettingsCard } from "./email-settings-card.tsx";
import type { handleProfileAction, loadProfile } from "./profile.server.ts";
import { ReturnedEmailsCard } from "./returned-emails-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { YourDataCard } from "./your-data-card.tsx";

const formIntents = ["save-profile", "create-key", "save-mails", "revoke-key"] as const;

/** One screen for both portals: company, API keys, email settings and sessions. */
export function ProfileScreen() {
  const loaded = useLoaderData<typeof loadProfile>();
  const { portal, base, mode, person, profile, opened, keys, revoking, idempotencyKey, mails, zones, erasure, checks } =
    loaded;
  const response = useFormResponse<typeof handleProfileAction>();
  const created = response && "createdKey" in response ? response.createdKey : undefined;
  const rejected = response && "createdKey" in response ? undefined : response;
  const isOfForm = formIntents.some((intent) => rejectionOf(rejected, intent));
  const unknown = isOfForm ? undefined : rejected;
  return (
    <>
      <PageHeader
        title="Profile"
        subtitle={`Company details, API keys and access for ${profile.company_name}`}
        actions={
          <LinkButton to={portalHref(base, "/activity")} icon="rotate-ccw-clock">
            Activity
          </LinkButton>
        }
      />
      {unknown && !revoking ? (
        <FocusOnChange to={unknown}>
          <ErrorSummary errors={toSummaryErrors(unknown.error)} />
        </FocusOnChange>
      ) : null}
      <ReturnedEmailsCard
        people={loaded.suppressed}
        userId={person.id}
        confirmHref={portalHref(base, "/profile/confirm-email")}
      />
      <div className="main-and-aside">
        <div className="stack">
          <CompanyForm
            portal={portal}
            profile={profile}
            opened={opened}
            rejected={rejectionOf(rejected, "save-profile")}
            checks={checks.company}
          />
          <ApiKeysCard
            keys={keys}
            created={created}
            rejected={rejectionOf(rejected, "create-key")}
            checks={checks.key}
            idempotencyKey={idempotencyKey}
            referenceHref={portalHref(base, "/api")}
            revokeHref={(id) => portalHref(base, `/profile?revoke=${id}`)}
          />
          <Card title="Webhooks" aside={<LinkButton to={portalHref(base, "/webhooks")}>Manage webhooks</LinkButton>}>
            <p className="text-muted">Webhooks notify your systems of decisions, pauses and payouts as they happen.</p>
          </Card>
          <EmailSettingsCard
            portal={portal}
            settings={mails}
            zones={zones}
            rejected={rejectionOf(rejected, "save-mails")}
            checks={checks.mails}
          />
        </div>
        <div className="stack">
          <SessionsCard person={person} signedIn={mode === "live"} />
          {mode === "live" ? (
            <YourDataCard
              copyHref={portalHref(base, "/profile/copy")}
              closeHref={portalHref(base, "/profile/close")}
              company={profile.company_name}
              erasure={erasure}
            />
          ) : null}
        </div>
      </div>
      {revoking ? (
        <ConfirmDialog
          title={`Revoke “${revoking.name}”?`}
          closeTo={portalHref(base, "/profile")}
          rejected={rejectionOf(rejected, "revoke-key") ?? unknown}
          keep="Keep key"
          act={{ intent: "revoke-key", label: "Revoke key" }}
          hidden={<input type="hidden" name="id" value={revoking.id} />}
        >
          Requests that use this key stop working right away. You can't undo this.
        </ConfirmDialog>
      ) : null}
    </>
  );
}
