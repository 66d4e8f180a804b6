import { redirect } from "@remix-run/node";
import { z } from "zod";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { adjacentStep, appliedSearchFields, type SearchFieldName, stepHref, type WizardStep } from "./steps.ts";

/** A step number in a URL or an intent; an invalid number is step 1. */
export const stepSchema = z.coerce
  .number()
  .pipe(z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6)]))
  .catch(1);

/** `enter` is the Enter key in a field, `upload` stores files and stays on the step, `step-3` is a stepper button. */
const intentSchema = z
  .union([
    z.enum(["previous", "next", "enter", "find", "find_creative", "upload", "leave", "launch"]),
    z.templateLiteral(["step-", z.int().min(1).max(6)]),
  ])
  .catch("next");
const findSchema = z.string().trim().max(200).catch("");

export function parseIntent(form: FormData) {
  const intent = intentSchema.parse(form.get("intent"));
  if (intent !== "enter") return intent;
  return searchFields.find((field) => searchIn(form, field) !== searchIn(form, appliedSearchFields[field])) ?? "next";
}

const searchFields: readonly SearchFieldName[] = ["find", "find_creative"];

function searchIn(form: FormData, field: string): string {
  return findSchema.parse(form.get(field) ?? "");
}

/** Returns where the pressed button leads once the step is saved. */
export function redirectForIntent({
  base,
  id,
  step,
  form,
}: {
  base: PortalBase;
  id: CampaignId;
  step: WizardStep;
  form: FormData;
}) {
  const intent = parseIntent(form);
  switch (intent) {
    case "leave":
      return redirectWithFlash(portalHref(base, "/campaigns"), { tone: "success", message: "Changes saved" });
    case "find":
    case "find_creative": {
      const search = { find: searchIn(form, "find"), find_creative: searchIn(form, "find_creative") };
      return redirect(`${stepHref(base, id, step, search)}#${appliedSearchFields[intent]}`);
    }
    case "upload": {
      const message = "Creatives uploaded. You can choose products now.";
      return redirectWithFlash(stepHref(base, id, step), { tone: "success", message });
    }
    case "previous":
      return redirect(stepHref(base, id, adjacentStep(step, -1)));
    case "next":
    case "launch":
      return redirect(stepHref(base, id, adjacentStep(step, 1)));
    default:
      return redirect(stepHref(base, id, stepSchema.parse(intent.slice("step-".length))));
  }
}
