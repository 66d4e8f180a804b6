import { formatDate } from "#app/domain/calendar-date.ts";
import type { SuppressedPerson } from "#app/domain/notifications/feedback/find-suppression.server.ts";
import { describeSuppression, suppressionTitle } from "#app/domain/notifications/feedback/suppression-copy.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** Whose emails are held back, and why. A person confirms their own address; colleagues are told whom to ask. */
export function ReturnedEmailsCard({
  people,
  userId,
  confirmHref,
}: {
  people: readonly SuppressedPerson[];
  userId: string;
  confirmHref: string;
}) {
  if (people.length === 0) return null;
  return (
    <div className="stack mb-5">
      {people.map((person) => (
        <Notice key={person.userId} tone="warn" title={suppressionTitle(person)}>
          <p>
            {describeSuppression(person)} Since {formatDate(person.suppressedAt)} we hold emails back.
          </p>
          {person.userId === userId ? (
            <p className="mt-3">
              <LinkButton to={confirmHref}>Confirm address</LinkButton>
            </p>
          ) : (
            <p>{person.name} can confirm the address in their profile.</p>
          )}
        </Notice>
      ))}
    </div>
  );
}
