import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { type MailId, parseId } from "#app/domain/ids.ts";
import { findMail, type ListedMail, listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { env } from "#app/env.server.ts";
import { isDevMailboxEnabled } from "#app/mail/dev-mailbox.ts";
import { mailTitle } from "#app/mail/mail-subject.ts";
import { discardAttachment, previewMail } from "#app/mail/preview-mail.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatRelativeTime } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { cursorParam, parseSearchParams } from "#app/web/search-params.server.ts";
import { visitorCtx } from "#app/web/sign-in/sign-in.server.ts";

const pageSize = 25;
/** Notifications collected for the daily digest are not mails yet. */
const listedStates = mailStates.filter((state) => state !== "awaiting_digest" && state !== "in_digest");
const searchSchema = z.object({ mail: z.string().optional().catch(undefined), cursor: cursorParam });

/** Lists the mails that would have been sent, while no mail server is configured. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!isDevMailboxEnabled(env())) throw new Response("Not Found", { status: 404, statusText: "Not Found" });
  const ctx = visitorCtx(context);
  const { mail: requested, cursor } = parseSearchParams(request, searchSchema);
  const { rows, nextCursor, previousCursor } = await listMails(ctx, { limit: pageSize, cursor, states: listedStates });
  const id = parseId<MailId>(requested) ?? rows[0]?.id;
  const mail = id && (await findMail(ctx, id));
  const listed = rows.map((row) => ({
    id: row.id,
    address: row.address,
    createdAt: row.createdAt,
    subject: mailTitle(row),
    state: mailboxState(row),
  }));
  return { listed, shown: mail && (await show(ctx, mail)), cursor, nextCursor, previousCursor, now: ctx.clock() };
}

/** Says what became of a mail beyond being kept: that it is held back, or what a mail server reported. */
function mailboxState({ lastError, feedback }: ListedMail): string | undefined {
  return lastError ?? (feedback ? `Reported: ${feedback}` : undefined);
}

async function show(ctx: VisitorCtx, mail: ListedMail) {
  const outgoing = await previewMail(ctx, mail);
  discardAttachment(outgoing);
  const { to, subject, text, attachment } = outgoing;
  return { id: mail.id, state: mailboxState(mail), to, subject, text, attachment: attachment?.name };
}

export default function Mailbox() {
  const { listed, shown } = useLoaderData<typeof loader>();
  return (
    <main className="site-container mailbox">
      <PageHeader title="Mailbox" subtitle="No mail server is configured. Outgoing emails are kept here." />
      {shown ? (
        <div className="mailbox-panes">
          <List />
          <Shown />
        </div>
      ) : (
        <Card>
          <EmptyState icon="inbox" title="No emails yet">
            {listed.length === 0
              ? "Emails that the portals would send appear here."
              : "This email no longer exists. Choose another from the list."}
          </EmptyState>
        </Card>
      )}
    </main>
  );
}

function List() {
  const { listed, shown, cursor, nextCursor, previousCursor, now } = useLoaderData<typeof loader>();
  const query = (changes: Record<string, string | null | undefined>) => {
    const headers = Object.entries(changes).filter((pair): pair is [string, string] => Boolean(pair[1]));
    return headers.length === 0 ? undefined : `?${new URLSearchParams(headers)}`;
  };
  return (
    <Card title="Emails" flush>
      <ul className="mailbox-list">
        {listed.map(({ id, address, createdAt, subject, state }) => (
          <li key={id}>
            <Link
              to={query({ cursor, mail: id }) ?? ""}
              aria-current={id === shown?.id ? "true" : undefined}
              preventScrollReset
            >
              <strong>{subject}</strong>
              <small>
                {address} · {formatRelativeTime(createdAt, now)}
              </small>
              {state ? (
                <span>
                  <Badge tone="warn">{state}</Badge>
                </span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
      <Pagination
        shown={`${listed.length} shown`}
        previous={query({ cursor: previousCursor })}
        next={query({ cursor: nextCursor })}
      />
    </Card>
  );
}

function Shown() {
  const { shown } = useLoaderData<typeof loader>();
  if (!shown) return null;
  return (
    <Card title={shown.subject}>
      <p className="hint">
        {shown.state ? <>{shown.state} · </> : null}To {shown.to.name} &lt;{shown.to.address}&gt;
      </p>
      {shown.attachment ? (
        <p className="mailbox-attachment">
          <Icon name="paperclip" />
          <a href={`/dev/mailbox/${shown.id}/attachment`}>{shown.attachment}</a>
        </p>
      ) : null}
      <iframe
        className="mailbox-frame"
        title={`Preview of “${shown.subject}”`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        src={`/dev/mailbox/${shown.id}/mail.html`}
      />
      <h3>Plain text</h3>
      <pre className="mailbox-text">{shown.text}</pre>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Mailbox") }];
