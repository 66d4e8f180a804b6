import type { InvalidReason } from "../audience.ts";

export const memberStatuses = ["added", "duplicate", "removed", "absent", "invalid"] as const;
/** What became of one item of a change of members. */
export type MemberResult = { status: (typeof memberStatuses)[number]; reason: InvalidReason | "no_identifier" | null };
/** The results of a slice of the items, in their order, and by how many people it changed the audience's size. */
export type SliceResult = { results: MemberResult[]; change: number; changed: boolean };
