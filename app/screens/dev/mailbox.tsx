import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Inbox } from "lucide-react";
import { z } from "zod";
import { type MailId, parseId } from "#app/domain/ids.ts";
import { findMail, listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { pageTitle } from "#app/domain/product.ts";
import { env } from "#app/env.server.ts";
import { titleOf } from "#app/mail/mail-subject.ts";
import { isMailboxOpen } from "#app/mail/mailbox.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import { formatAgo } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { Pagination } from "#app/ui/table.tsx";
import { cursorParam, readSearch } from "#app/web/search-params.server.ts";
import { visitorCtx } from "#app/web/sign-in.server.ts";

const pageSize = 25;
/** What waits for the daily mail is none yet. */
const shownStates = mailStates.filter((state) => state !== "gathering" && state !== "gathered");
const searchSchema = z.object({ mail: z.string().optional().catch(undefined), cursor: cursorParam });

/** What would have been sent, while there is no mail server. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!isMailboxOpen(env())) throw new Response("Not Found", { status: 404, statusText: "Not Found" });
  const ctx = visitorCtx(context);
  const { mail: asked, cursor } = readSearch(request, searchSchema);
  const { rows, nextCursor, previousCursor } = await listMails(ctx, { limit: pageSize, cursor, states: shownStates });
  const id = parseId<MailId>(asked) ?? rows[0]?.id;
  const mail = id && (await findMail(ctx, id));
  const listed = rows.map((row) => ({
    id: row.id,
    address: row.address,
    createdAt: row.createdAt,
    subject: titleOf(row),
  }));
  const shown = mail && { id: mail.id, ...(await renderMail(mail)), html: undefined };
  return { listed, shown, cursor, nextCursor, previousCursor, now: ctx.clock() };
}

export default function Mailbox() {
  const { listed, shown } = useLoaderData<typeof loader>();
  return (
    <main className="shell mailbox">
      <PageHeader title="Mailbox" subtitle="No mail server is set: what would be sent is kept here" />
      {shown ? (
        <div className="mailbox-panes">
          <List />
          <Shown />
        </div>
      ) : (
        <Card>
          <EmptyState icon={Inbox} title="No mails yet">
            {listed.length === 0 ? "What happens in the portals is told here first." : "That mail is not here."}
          </EmptyState>
        </Card>
      )}
    </main>
  );
}

function List() {
  const { listed, shown, cursor, nextCursor, previousCursor, now } = useLoaderData<typeof loader>();
  const query = (changes: Record<string, string | null | undefined>) => {
    const given = Object.entries(changes).filter((pair): pair is [string, string] => Boolean(pair[1]));
    return given.length === 0 ? undefined : `?${new URLSearchParams(given)}`;
  };
  return (
    <Card title="Mails" flush>
      <ul className="mailbox-list">
        {listed.map(({ id, address, createdAt, subject }) => (
          <li key={id}>
            <Link
              to={query({ cursor, mail: id }) ?? ""}
              aria-current={id === shown?.id ? "true" : undefined}
              preventScrollReset
            >
              <strong>{subject}</strong>
              <small>
                {address} · {formatAgo(createdAt, now)}
              </small>
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
        To {shown.to.name} &lt;{shown.to.address}&gt;
      </p>
      <iframe
        className="mailbox-frame"
        title={`The mail “${shown.subject}” as it looks`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        src={`/dev/mailbox/${shown.id}/mail.html`}
      />
      <h3>As text</h3>
      <pre className="mailbox-text">{shown.text}</pre>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Mailbox") }];
