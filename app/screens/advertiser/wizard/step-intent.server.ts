import { redirect } from "@remix-run/node";
import { z } from "zod";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { foundNames, type SearchField, stepBeside, stepHref, type WizardStep } from "./steps.ts";

/** A step in an address or an intent; what is no step is the first one. */
export const stepSchema = z.coerce
  .number()
  .pipe(z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6)]))
  .catch(1);

/** `enter` is the Enter key in a field, `upload` takes files and stays, `step-3` is a step of the stepper. */
const intentSchema = z
  .union([
    z.enum(["previous", "next", "enter", "find", "find_creative", "upload", "leave", "launch"]),
    z.templateLiteral(["step-", z.int().min(1).max(6)]),
  ])
  .catch("next");
const findSchema = z.string().trim().max(200).catch("");

export function intentOf(form: FormData) {
  const intent = intentSchema.parse(form.get("intent"));
  if (intent !== "enter") return intent;
  return searchFields.find((field) => searchIn(form, field) !== searchIn(form, foundNames[field])) ?? "next";
}

const searchFields: readonly SearchField[] = ["find", "find_creative"];

function searchIn(form: FormData, field: string): string {
  return findSchema.parse(form.get(field) ?? "");
}

/** Where the button that was pressed leads, once the step is saved. */
export function followIntent({
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
  const intent = intentOf(form);
  switch (intent) {
    case "leave":
      return redirectWithFlash(portalHref(base, "/campaigns"), { tone: "success", message: "Your changes are saved" });
    case "find":
    case "find_creative": {
      const search = { find: searchIn(form, "find"), find_creative: searchIn(form, "find_creative") };
      return redirect(`${stepHref(base, id, step, search)}#${foundNames[intent]}`);
    }
    case "upload": {
      const message = "Your creatives are uploaded. Products can be chosen now.";
      return redirectWithFlash(stepHref(base, id, step), { tone: "success", message });
    }
    case "previous":
      return redirect(stepHref(base, id, stepBeside(step, -1)));
    case "next":
    case "launch":
      return redirect(stepHref(base, id, stepBeside(step, 1)));
    default:
      return redirect(stepHref(base, id, stepSchema.parse(intent.slice("step-".length))));
  }
}
