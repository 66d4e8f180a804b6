import { z } from "zod";
import { requiredText } from "../text.ts";
import { savedViewLimits, savedViewLists } from "./saved-view.ts";

const name = requiredText({ max: savedViewLimits.name, message: "Enter a name" });
/** Bounds what is parsed; the view's own limit is that of its stored query. */
const query = z.string().max(8_000).default("");

export const newSavedViewSchema = z.object({ list: z.enum(savedViewLists), query, name });
export type NewSavedView = z.output<typeof newSavedViewSchema>;

/** The forms of a view's page, distinguished by button. */
export const savedViewChangeSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("rename"), name }),
  z.object({ intent: z.literal("update"), query }),
  z.object({ intent: z.literal("delete") }),
]);
