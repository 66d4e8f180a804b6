import { z } from "zod";
import type { EditSave } from "#app/domain/campaigns/editing/edit-session.ts";
import { editFields } from "./autosave-protocol.ts";
import type { FormStep } from "./steps.ts";

const sessionSchema = z.uuid();
const revisionSchema = z.coerce.number().int().min(0).max(2_147_483_647);

/** Parses the session and revision that a script adds to a step's form; undefined without them. */
export function parseEdit(
  form: FormData,
  { step, isFinished }: { step: FormStep; isFinished: boolean },
): EditSave | undefined {
  const session = sessionSchema.safeParse(form.get(editFields.session));
  const revision = revisionSchema.safeParse(form.get(editFields.revision) || undefined);
  if (!session.success || !revision.success) return undefined;
  return { sessionId: session.data, revision: revision.data, step, isFinished };
}
