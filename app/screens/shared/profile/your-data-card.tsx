import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** A copy of one's data, and the way to have it erased. */
export function YourDataCard({
  copyHref,
  closeHref,
  erasedOn,
}: {
  copyHref: string;
  closeHref: string;
  /** The day of a requested erasure. */
  erasedOn: CalendarDate | undefined;
}) {
  return (
    <Card title="Your data">
      <div className="grid gap-3">
        <a className="button" href={copyHref} download>
          <Icon name="download" className="icon" />
          Download a copy
        </a>
        {erasedOn ? (
          <p className="text-muted">
            Your data will be erased on <strong className="text-ink">{formatDate(erasedOn)}</strong>.
          </p>
        ) : null}
        <LinkButton to={closeHref}>{erasedOn ? "View request" : "Erase your data"}</LinkButton>
      </div>
    </Card>
  );
}
