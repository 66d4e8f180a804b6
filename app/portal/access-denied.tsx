import { Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Form } from "#app/ui/link.tsx";
import { MessagePage } from "#app/ui/message-page.tsx";
import { accessDeniedTitle } from "./denials.ts";

/** Explains why the viewer may not enter a portal. Offers signing out, since the viewer may be signed in with another account. */
export function AccessDenied({ message }: { message: string }) {
  return (
    <MessagePage icon={<Icon name="shield-x" />} tone="bad" title={accessDeniedTitle}>
      <p>{message}</p>
      <div className="actions">
        <Form method="post" action="/logout">
          <Button variant="ghost">Sign Out</Button>
        </Form>
        <LinkButton to="/" variant="primary">
          Return Home
        </LinkButton>
      </div>
    </MessagePage>
  );
}
