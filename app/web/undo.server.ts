import { z } from "zod";

const campaignUndos = [
  "pause_campaign",
  "resume_campaign",
  "archive_campaign",
  "restore_campaign",
  "pause_line_item",
  "resume_line_item",
  "archive_line_item",
  "restore_line_item",
] as const;

/** A page of a list has 25 rows; with more, the cookie of a message would be too long for a browser. */
export const maxUndone = 25;

const otherUndos = ["restore_audience", "pause_report", "resume_report"] as const;
const oneSchema = z.object({ action: z.enum([...campaignUndos, ...otherUndos]), id: z.uuid() });
const manySchema = z.object({ action: z.enum(campaignUndos), ids: z.array(z.uuid()).min(2).max(maxUndone) });

/** What a message's Undo button can do: a code of this list and one or more IDs, never a URL or a text of its own. */
export const undoSchema = z.union([oneSchema, manySchema]);

export type Undo = z.infer<typeof oneSchema>;
export type BulkUndo = z.infer<typeof manySchema>;
