import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** A copy of one's data, and the way to have it erased. */
export function YourDataCard({
  copyHref,
  closeHref,
  company,
  erasure,
}: {
  copyHref: string;
  closeHref: string;
  company: string;
  erasure: { closesAccount: boolean; requestedFor?: CalendarDate };
}) {
  const { closesAccount, requestedFor } = erasure;
  return (
    <Card title="Your data">
      <div className="grid gap-3">
        <a className="button" href={copyHref}>
          <Icon name="download" className="icon" />
          Download a copy
        </a>
        {closesAccount && !requestedFor ? (
          <p className="text-muted">{`You are the only person of ${company}. Erasing your data also closes its account.`}</p>
        ) : null}
        {requestedFor ? (
          <p className="text-muted">
            Your data will be erased{closesAccount ? " and the account closed" : ""} on{" "}
            <strong className="text-ink">{formatDate(requestedFor)}</strong>.
          </p>
        ) : null}
        <LinkButton to={closeHref}>{requestedFor ? "View request" : "Erase your data"}</LinkButton>
      </div>
    </Card>
  );
}
