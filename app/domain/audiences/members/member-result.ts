import type { InvalidReason } from "../audience.ts";

export const memberStatuses = ["added", "duplicate", "removed", "absent", "invalid"] as const;
/** The result for one item of a change of members. */
export type MemberResult = { status: (typeof memberStatuses)[number]; reason: InvalidReason | "no_identifier" | null };
/** The results of a slice of the items, in order, and the slice's effect on the audience's size in people. */
export type SliceResult = { results: MemberResult[]; peopleDelta: number; changed: boolean };
