import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { MailCheck, MailQuestion, MailX } from "lucide-react";
import { endMails, findMailReader } from "#app/domain/notifications/end-mails.server.ts";
import { mailKinds } from "#app/domain/notifications/mail-kinds.ts";
import { pageTitle } from "#app/domain/product.ts";
import { readUnsubscribe } from "#app/mail/unsubscribe-link.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { visitorCtx } from "#app/web/sign-in.server.ts";

/** Asks before mails end: whoever looks at a link beforehand, such as a scanner, must change nothing. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const asked = await read(request, context);
  if (!asked) return data({ what: undefined, address: undefined, choose: undefined }, { status: 404 });
  const { ended, reader } = asked;
  const what = ended.event ? `“${mailKinds[ended.event].label}”` : "all that you can do without";
  return data({ what, address: reader.address, choose: `/${reader.type}/profile#mails` });
}

/**
 * Ends them: for the button, and for mail programs, which post here by themselves (RFC 8058), without a cookie and from any
 * site. The signed link is the right to it, and all that it can do.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const asked = await read(request, context);
  const isDone = asked !== undefined && (await endMails(visitorCtx(context), asked.ended));
  return data({ isDone }, { status: isDone ? 200 : 404 });
}

async function read(request: Request, context: LoaderFunctionArgs["context"]) {
  const ended = readUnsubscribe(new URL(request.url).searchParams.get("token") ?? "");
  const reader = ended && (await findMailReader(visitorCtx(context), ended));
  return reader && { ended, reader };
}

export default function Unsubscribe() {
  const { what, address, choose } = useLoaderData<typeof loader>();
  const isDone = useActionData<typeof action>()?.isDone;
  if (what === undefined) {
    return (
      <Panel icon={<MailQuestion aria-hidden />} tone="bad" title="This link is not whole">
        <p>
          It does not say which e-mails are to end. Open it again from the e-mail, or choose your e-mails on your
          profile.
        </p>
        <div className="actions">
          <LinkButton to="/" variant="primary">
            Return Home
          </LinkButton>
        </div>
      </Panel>
    );
  }
  if (isDone) {
    return (
      <Panel icon={<MailCheck aria-hidden />} tone="good" title="You get no more of these">
        <p>
          We send {address} no more e-mails about {what}. Your notifications page still says what happens.
        </p>
        <div className="actions">
          <LinkButton to={choose} variant="primary">
            Choose your e-mails
          </LinkButton>
        </div>
      </Panel>
    );
  }
  return (
    <Panel icon={<MailX aria-hidden />} title="Get no more of these e-mails?">
      <p>
        We send {address} e-mails about {what}. Without them your notifications page still says what happens.
      </p>
      <Form method="post" className="actions">
        <Button variant="primary">Unsubscribe</Button>
        <LinkButton to={choose} variant="ghost">
          Choose your e-mails
        </LinkButton>
      </Form>
    </Panel>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Unsubscribe") }, { name: "robots", content: "noindex" }];
