import type { ApprovalFilter } from "#app/domain/campaigns/line-items/list-line-items.server.ts";

/** The list's tabs. */
export const approvalTabs = [
  { value: "pending", label: "Pending Review" },
  { value: "approved", label: "Approved" },
  { value: "rejected", label: "Rejected" },
  { value: "all", label: "All Campaigns" },
] as const;

/** The list's search parameters. */
export type ApprovalSearch = { status: ApprovalFilter; cursor?: string; saved?: string };

/** Returns the list's query string with these changes; another tab starts at the first page. */
export function approvalQuery(search: ApprovalSearch, changes: Partial<ApprovalSearch> = {}): string {
  const { status, cursor, saved } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams({ status });
  if (saved) query.set("saved", saved);
  if (cursor) query.set("cursor", cursor);
  return `?${query}`;
}
