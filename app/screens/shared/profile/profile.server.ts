import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { getProfile } from "#app/domain/accounts/get-profile.server.ts";
import { updateProfile } from "#app/domain/accounts/update-profile.server.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import { revokeApiKey } from "#app/domain/api-keys/revoke-api-key.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { createOnce } from "#app/domain/idempotency/create-once.server.ts";
import { changeMailSettings } from "#app/domain/notifications/change-mail-settings.server.ts";
import { getMailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { pageLimits } from "#app/domain/page.ts";
import { timeZones } from "#app/domain/time-zone.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { profileForms } from "./profile-forms.ts";

/** The account's own data and its keys; `revoking` is the key whose revocation is being asked about. */
export async function loadProfile({ request, context }: LoaderFunctionArgs, portal: AccountType) {
  const { ctx, viewer, base, mode } = await enterPortal(request, portal, context);
  const [profile, keys, mails] = await Promise.all([
    getProfile(ctx),
    listApiKeys(ctx, { limit: pageLimits.max }),
    getMailSettings(ctx, { userId: viewer.id }),
  ]);
  const asked = new URL(request.url).searchParams.get("revoke");
  const revoking = keys.rows.find((key) => key.id === asked);
  const { name, email } = viewer;
  return {
    portal,
    base,
    mode,
    person: { name, email },
    profile,
    keys: keys.rows,
    revoking,
    mails,
    zones: timeZones(),
    formKey: crypto.randomUUID(),
    checks: {
      company: checksOf(profileForms, { intent: "save-profile" }),
      key: checksOf(profileForms, { intent: "create-key" }),
      mails: checksOf(profileForms, { intent: "save-mails" }),
    },
  };
}

export async function submitProfile({ request, context }: ActionFunctionArgs, portal: AccountType) {
  const { ctx, viewer, base } = await enterPortal(request, portal, context);
  const back = portalHref(base, "/profile");
  return submitForm(request, profileForms, async (form) => {
    switch (form.intent) {
      case "save-profile":
        await updateProfile(ctx, form);
        return redirectWithFlash(back, { tone: "success", message: "Profile saved" });
      case "save-mails":
        await changeMailSettings(ctx, { userId: viewer.id, ...form });
        return redirectWithFlash(`${back}#mails`, { tone: "success", message: "Your choice of e-mails is saved" });
      case "create-key":
        return data({ createdKey: await createKeyOnce(ctx, form) }, { headers: { "Cache-Control": "no-store" } });
      case "revoke-key":
        await revokeApiKey(ctx, { id: form.id });
        return redirectWithFlash(back, {
          tone: "success",
          message: "Key revoked. Calls with it are refused from now on.",
        });
    }
  });
}

/** A secret is in the answer that made it and nowhere else, so that a form sent again finds the key without it. */
async function createKeyOnce(
  ctx: Ctx<TenantActor>,
  { name, idempotency_key: key }: { name: string; idempotency_key?: string },
) {
  let secret: string | undefined;
  await createOnce(ctx, { key, values: { name } }, async (once) => {
    const made = await createApiKey(once, { name });
    secret = made.secret;
    return made.key;
  });
  return { name, secret };
}
