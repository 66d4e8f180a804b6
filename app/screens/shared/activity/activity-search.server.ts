import { z } from "zod";
import { activityKinds } from "#app/domain/audit/activity.ts";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import { idSchema, type UserId } from "#app/domain/ids.ts";
import { cursorParam, listStateParams, parseSearchParams, searchTextParam } from "#app/web/search-params.server.ts";

const dayParam = z
  .string()
  .transform((text) => parseCalendarDate(text))
  .optional()
  .catch(undefined);

const searchSchema = z.object({
  kind: z.enum(activityKinds).optional().catch(undefined),
  who: z
    .union([z.enum(["keys", "others", "endcap"]), idSchema<UserId>()])
    .optional()
    .catch(undefined),
  from: dayParam,
  to: dayParam,
  q: searchTextParam,
  cursor: cursorParam,
  saved: listStateParams.saved,
});

/** What of the trail is asked for; no address fails. */
export function parseActivitySearch(request: Request) {
  return parseSearchParams(request, searchSchema);
}

export type ActivitySearch = ReturnType<typeof parseActivitySearch>;

/** The address's query of a search, beginning with `?` when there is any. */
export function activityQuery(search: ActivitySearch): string {
  const { kind, who, from, to, q, cursor, saved } = search;
  const entries = Object.entries({ kind, who, from, to, q, saved, cursor });
  const query = new URLSearchParams(entries.flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();
  return query ? `?${query}` : "";
}
