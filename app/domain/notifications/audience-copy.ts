import { describeMissingPeople } from "../audiences/audience.ts";
import type { AccountNotification, NotificationCopy, NotificationFacts } from "./notification.ts";

type AudienceEvent =
  | "audience_imported"
  | "audience_below_minimum"
  | "audience_import_failed"
  | "audience_refresh_failed";

/**
 * Describes what happened to an audience to the publisher. The link leads to the report of the upload, or to the
 * audience where it was none. Pure.
 */
export function describeAudienceEvent({
  event,
  subjectId,
  facts,
}: Pick<AccountNotification, "subjectId" | "facts"> & { event: AudienceEvent }): NotificationCopy {
  const audience = `“${facts.audience ?? "An audience"}”`;
  const people = facts.people ?? 0;
  const optedOut = facts.optedOut ? [describeOptedOut(facts.optedOut)] : [];
  const report = linkTo(subjectId, facts);
  switch (event) {
    case "audience_imported":
      return {
        title: `${audience} was imported`,
        lines: [`The audience now has ${count(people)} people. See the report for details.`, ...optedOut],
        ...report,
      };
    case "audience_below_minimum":
      return {
        title: `${audience} is below the minimum size`,
        lines: [describeMissingPeople(people), ...optedOut],
        ...report,
      };
    case "audience_import_failed":
      return {
        title: `Import failed for ${audience}`,
        lines: ["The audience was not changed. Fix the file and upload it again."],
        quote: facts.reason,
        ...report,
      };
    case "audience_refresh_failed":
      return {
        title: `Refresh failed for ${audience}`,
        lines: ["The audience was not changed. We'll notify you again only after the next successful refresh."],
        quote: facts.reason,
        ...report,
      };
  }
}

function linkTo(
  subjectId: string,
  { audienceId }: Pick<NotificationFacts, "audienceId">,
): Pick<NotificationCopy, "action" | "path"> {
  if (!audienceId) return { action: "View report", path: "/audiences" };
  if (audienceId === subjectId) return { action: "View audience", path: `/audiences/${audienceId}` };
  return { action: "View report", path: `/audiences/${audienceId}/uploads/${subjectId}` };
}

function describeOptedOut(rows: number): string {
  return rows === 1
    ? "1 row was left out because the person opted out."
    : `${count(rows)} rows were left out because the people opted out.`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
