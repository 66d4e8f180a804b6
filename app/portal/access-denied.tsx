import { Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Form } from "#app/ui/link.tsx";
import { MessagePage } from "#app/ui/message-page.tsx";
import { accessDeniedTitle, awaitingApprovalMessage } from "./denials.ts";
import { type PortalBase, portalHref } from "./portal-href.ts";

/**
 * Explains why the viewer may not enter a portal. Offers signing out, since the viewer may be signed in with another
 * account, and to a person of an account that is not approved the page of their own data.
 */
export function AccessDenied({ message, base }: { message: string; base: PortalBase }) {
  return (
    <MessagePage icon={<Icon name="shield-x" />} tone="bad" title={accessDeniedTitle}>
      <p>{message}</p>
      <div className="actions">
        <Form method="post" action="/logout">
          <Button variant="ghost">Sign Out</Button>
        </Form>
        {message === awaitingApprovalMessage ? (
          <LinkButton to={portalHref(base, "/profile/close")}>Your data</LinkButton>
        ) : null}
        <LinkButton to="/" variant="primary">
          Return Home
        </LinkButton>
      </div>
    </MessagePage>
  );
}
