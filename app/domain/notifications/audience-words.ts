import { minimumAudienceSize } from "../audiences/audience.ts";
import type { Notice, NoticeWords } from "./notification.ts";

type AudienceEvent =
  | "audience_imported"
  | "audience_below_minimum"
  | "audience_import_failed"
  | "audience_refresh_failed";

/** What a publisher reads of people that came, or did not. The link leads to the report of that upload. Pure. */
export function wordsOfAudience({
  event,
  subjectId,
  facts,
}: Pick<Notice, "subjectId" | "facts"> & { event: AudienceEvent }): NoticeWords {
  const audience = `“${facts.audience ?? "An audience"}”`;
  const people = facts.people ?? 0;
  const missing = Math.max(0, minimumAudienceSize - people);
  const report = {
    action: "View report",
    path: facts.audienceId ? (`/audiences/${facts.audienceId}/uploads/${subjectId}` as const) : "/audiences",
  } as const;
  switch (event) {
    case "audience_imported":
      return {
        title: `${audience} is imported`,
        lines: [`It has ${count(people)} people now. The report says what was read, row by row.`],
        ...report,
      };
    case "audience_below_minimum":
      return {
        title: `${audience} has too few people`,
        lines: [
          `It has ${count(people)}. Campaigns can use it from ${count(minimumAudienceSize)} on: ${count(missing)} more are needed.`,
        ],
        ...report,
      };
    case "audience_import_failed":
      return {
        title: `The file for ${audience} was not imported`,
        lines: ["The audience is as it was."],
        quote: facts.reason,
        ...report,
      };
    case "audience_refresh_failed":
      return {
        title: `${audience} could not be refreshed`,
        lines: ["The audience is as it was. You hear of this again only after a refresh has worked once."],
        quote: facts.reason,
        ...report,
      };
  }
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
