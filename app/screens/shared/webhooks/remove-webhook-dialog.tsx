import { Form } from "@remix-run/react";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { shortUrl } from "./webhook-words.tsx";

/** Asks before a webhook and what is known of its deliveries are gone. */
export function RemoveWebhookDialog({ url, closeTo }: { url: string; closeTo: string }) {
  return (
    <Dialog title="Remove this webhook?" closeTo={closeTo}>
      <p className="dialog-body wrap-anywhere">
        Nothing more is sent to {shortUrl(url)}, not even what waits, and its list of deliveries is gone. This cannot be
        undone.
      </p>
      <Form method="post" action={closeTo} className="dialog-foot">
        <LinkButton to={closeTo} variant="ghost">
          Keep it
        </LinkButton>
        <Button name="intent" value="remove" variant="danger">
          Remove webhook
        </Button>
      </Form>
    </Dialog>
  );
}
