import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { mailKinds } from "#app/domain/notifications/mail-kinds.ts";
import { findMailRecipient, unsubscribeFromMails } from "#app/domain/notifications/unsubscribe-from-mails.server.ts";
import { parseUnsubscribeToken } from "#app/mail/unsubscribe-link.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Form } from "#app/ui/link.tsx";
import { MessagePage } from "#app/ui/message-page.tsx";
import { visitorCtx } from "#app/web/sign-in/sign-in.server.ts";

/** Asks for confirmation, because link scanners that open the URL must not change anything. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const subscription = await read(request, context);
  if (!subscription) return data({ what: undefined, address: undefined, choose: undefined }, { status: 404 });
  const { ended, reader } = subscription;
  const what = ended.event ? `“${mailKinds[ended.event].label}”` : "all optional notifications";
  return data({ what, address: reader.address, choose: `/${reader.type}/profile?section=mails` });
}

/**
 * Unsubscribes: from the button, and from mail clients, which post here without a cookie and from any site (RFC 8058).
 * The signed link authorizes this action and nothing else.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const subscription = await read(request, context);
  const isDone = subscription !== undefined && (await unsubscribeFromMails(visitorCtx(context), subscription.ended));
  return data({ isDone }, { status: isDone ? 200 : 404 });
}

async function read(request: Request, context: LoaderFunctionArgs["context"]) {
  const ended = parseUnsubscribeToken(new URL(request.url).searchParams.get("token") ?? "");
  const reader = ended && (await findMailRecipient(visitorCtx(context), ended));
  return reader && { ended, reader };
}

export default function Unsubscribe() {
  const { what, address, choose } = useLoaderData<typeof loader>();
  const isDone = useFormResponse<typeof action>()?.isDone;
  if (what === undefined) {
    return (
      <MessagePage icon={<Icon name="mail-question-mark" />} tone="bad" title="This link is incomplete">
        <p>
          We can't tell which emails to stop. Open the link from the email again, or change your email settings in your
          profile.
        </p>
        <div className="actions">
          <LinkButton to="/" variant="primary">
            Return Home
          </LinkButton>
        </div>
      </MessagePage>
    );
  }
  if (isDone) {
    return (
      <MessagePage icon={<Icon name="mail-check" />} tone="good" title="You are unsubscribed">
        <p>
          We no longer send {address} emails about {what}. You can still see these updates on your notifications page.
        </p>
        <div className="actions">
          <LinkButton to={choose} variant="primary">
            Manage email settings
          </LinkButton>
        </div>
      </MessagePage>
    );
  }
  return (
    <MessagePage icon={<Icon name="mail-x" />} title="Unsubscribe from these emails?">
      <p>
        We send {address} emails about {what}. If you unsubscribe, you can still see these updates on your notifications
        page.
      </p>
      <Form method="post" className="actions">
        <LinkButton to={choose} variant="ghost">
          Manage email settings
        </LinkButton>
        <Button variant="primary">Unsubscribe</Button>
      </Form>
    </MessagePage>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Unsubscribe") }, { name: "robots", content: "noindex" }];
