import { createContext, useContext } from "react";
import { formatDateTime, formatRelativeTime } from "../format.ts";

/** The time zone that the signed-in person chose. */
export const TimeZoneContext = createContext("UTC");

/**
 * Returns the formats of times in the person's time zone. Days of campaigns, reports and money are UTC days everywhere.
 */
export function useTimeFormats() {
  const zone = useContext(TimeZoneContext);
  return {
    formatDateTime: (at: Date) => formatDateTime(at, zone),
    formatRelativeTime: (at: Date, now: Date) => formatRelativeTime(at, now, zone),
  };
}
