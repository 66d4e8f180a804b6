import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { pluralize } from "#app/ui/format.ts";
import { Link } from "#app/ui/link.tsx";
import type { MarkSummary } from "./format-marks.server.ts";

/** What the marks of the chart stand for, as a list behind its number, with links to the campaigns. */
export function CampaignChanges({
  base,
  marks,
  readFrom,
}: {
  base: PortalBase;
  marks: readonly MarkSummary[];
  /** The first day that has marks, if earlier changes were too many to be read. */
  readFrom: CalendarDate | null;
}) {
  if (marks.length === 0 && !readFrom) return null;
  const count = marks.reduce((sum, { lines, more }) => sum + lines.length + more, 0);
  return (
    <div>
      {readFrom ? (
        <p className="chart-note">Only the latest changes are marked, from {formatDate(readFrom)} on.</p>
      ) : null}
      {marks.length > 0 ? (
        <details className="chart-details">
          <summary>{pluralize(count, "campaign change")}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
          <section className="chart-scroll chart-marks" tabIndex={0} aria-label="Campaign changes">
            {marks.map(({ index, heading, lines, more, from, to }) => (
              <div key={index}>
                <h3>{heading}</h3>
                <ul>
                  {lines.map(({ campaignId, campaignName, before, after }, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a campaign may be paused twice on a day.
                    <li key={place}>
                      {before}
                      <Link className="link" to={portalHref(base, `/campaigns/${campaignId}`)}>
                        {campaignName}
                      </Link>{" "}
                      {after}
                    </li>
                  ))}
                  {more > 0 ? (
                    <li>
                      <Link
                        className="link"
                        to={portalHref(base, `/activity?kind=campaigns&from=${from}&to=${to}`)}
                      >{`${pluralize(more, "more change")}`}</Link>
                    </li>
                  ) : null}
                </ul>
              </div>
            ))}
          </section>
        </details>
      ) : null}
    </div>
  );
}
