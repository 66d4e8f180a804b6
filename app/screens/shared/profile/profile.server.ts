import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { profileSchema } from "#app/domain/accounts/account-payloads.ts";
import { getProfile } from "#app/domain/accounts/get-profile.server.ts";
import { updateProfile } from "#app/domain/accounts/update-profile.server.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import { revokeApiKey } from "#app/domain/api-keys/revoke-api-key.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { listSuppressedPeople } from "#app/domain/notifications/feedback/find-suppression.server.ts";
import { getMailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { updateMailSettings } from "#app/domain/notifications/update-mail-settings.server.ts";
import { pageLimits } from "#app/domain/page.ts";
import { getErasureScope } from "#app/domain/privacy/get-erasure-plan.server.ts";
import { timeZones } from "#app/domain/time-zone.ts";
import { detourNext } from "#app/portal/detour.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { fingerprintFields, omitUnchangedFields } from "#app/web/forms/opened-fields.server.ts";
import { profileActionSchema } from "./profile-form-schema.ts";

/** The message about a key that was revoked meanwhile, never existed, or is another account's. */
const missingKey = { tone: "error", message: "This API key doesn't exist, or was already revoked." } as const;

/**
 * Loads the account's data and its keys; `revoking` is the key whose revocation is being confirmed. `section=mails` is
 * the email settings for links that may pass a sign-in: a fragment does not reach the server, and would be lost there.
 */
export async function loadProfile({ request, context }: LoaderFunctionArgs, portal: AccountType) {
  const { ctx, viewer, base, mode } = await requirePortalAccess(request, portal, context);
  const { searchParams } = new URL(request.url);
  if (searchParams.get("section") === "mails") throw redirect(`${portalHref(base, "/profile")}#mails`);
  const [profile, keys, mails, erasure, suppressed] = await Promise.all([
    getProfile(ctx),
    listApiKeys(ctx, { limit: pageLimits.max }),
    getMailSettings(ctx, { userId: viewer.id }),
    getErasureScope(ctx, { userId: viewer.id }),
    listSuppressedPeople(ctx),
  ]);
  const requested = searchParams.get("revoke");
  const revoking = keys.rows.find((key) => key.id === requested);
  if (requested && !revoking) throw await redirectWithFlash(portalHref(base, "/profile"), missingKey);
  const { id, name, email } = viewer;
  return {
    portal,
    base,
    mode,
    person: { id, name, email },
    suppressed,
    profile,
    opened: fingerprintFields(profileSchema, profile),
    keys: keys.rows,
    revoking,
    mails,
    zones: timeZones(mails.time_zone),
    erasure,
    idempotencyKey: crypto.randomUUID(),
    checks: {
      company: checksOf(profileActionSchema, { intent: "save-profile" }),
      key: checksOf(profileActionSchema, { intent: "create-key" }),
      mails: checksOf(profileActionSchema, { intent: "save-mails" }),
    },
  };
}

export async function handleProfileAction({ request, context }: ActionFunctionArgs, portal: AccountType) {
  const { ctx, viewer, base } = await requirePortalAccess(request, portal, context);
  const back = portalHref(base, "/profile");
  return handleForm(request, profileActionSchema, async (form, { payload }) => {
    switch (form.intent) {
      case "save-profile":
        await updateProfile(ctx, omitUnchangedFields(form, payload.opened));
        return redirectWithFlash(detourNext(request.url, base) ?? back, { tone: "success", message: "Profile saved" });
      case "save-mails":
        await updateMailSettings(ctx, { userId: viewer.id, ...form });
        return redirectWithFlash(`${back}#mails`, { tone: "success", message: "Email settings saved" });
      case "create-key":
        return data({ createdKey: await createKeyOnce(ctx, form) }, { headers: { "Cache-Control": "no-store" } });
      case "revoke-key":
        try {
          await revokeApiKey(ctx, { id: form.id });
        } catch (error) {
          if (!(error instanceof DomainError && error.code === "not_found")) throw error;
          return redirectWithFlash(back, missingKey);
        }
        return redirectWithFlash(back, {
          tone: "success",
          message: "API key revoked. Requests that use it now fail.",
        });
    }
  });
}

/** A secret is only part of the response that created it, so a repeated form returns the key without its secret. */
async function createKeyOnce(
  ctx: Ctx<TenantActor>,
  { name, idempotency_key: key }: { name: string; idempotency_key?: string },
) {
  let secret: string | undefined;
  await createIdempotently(ctx, { key, values: { name }, kind: "api_keys" }, async (once) => {
    const created = await createApiKey(once, { name });
    secret = created.secret;
    return created.key;
  });
  return { name, secret };
}
