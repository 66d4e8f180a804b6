import { urlWithoutScheme } from "#app/screens/shared/webhooks/webhook-badges.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/link.tsx";

/** Confirms the deletion of a webhook and its delivery history. */
export function RemoveWebhookDialog({ url, closeTo }: { url: string; closeTo: string }) {
  return (
    <Dialog title="Remove this webhook?" closeTo={closeTo}>
      <p className="dialog-body wrap-anywhere">
        We stop sending events to {urlWithoutScheme(url)}, including pending ones, and delete its delivery history. You
        can't undo this.
      </p>
      <Form method="post" action={closeTo} className="dialog-footer">
        <LinkButton to={closeTo} variant="ghost">
          Keep webhook
        </LinkButton>
        <Button name="intent" value="remove" variant="danger">
          Remove webhook
        </Button>
      </Form>
    </Dialog>
  );
}
