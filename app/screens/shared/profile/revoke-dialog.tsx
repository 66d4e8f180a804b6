import { Form } from "@remix-run/react";
import type { ListedApiKey } from "#app/domain/api-keys/list-api-keys.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

/** Asks before a key stops working. */
export function RevokeDialog({ apiKey, closeTo }: { apiKey: Pick<ListedApiKey, "id" | "name">; closeTo: string }) {
  return (
    <Dialog title={`Revoke “${apiKey.name}”?`} closeTo={closeTo}>
      <p className="dialog-body">
        Programs that use this key are refused from the next call on. This cannot be undone.
      </p>
      <Form method="post" action={closeTo} className="dialog-foot">
        <input type="hidden" name="id" value={apiKey.id} />
        <LinkButton to={closeTo} variant="ghost">
          Keep it
        </LinkButton>
        <Button name="intent" value="revoke-key" variant="danger">
          Revoke key
        </Button>
      </Form>
    </Dialog>
  );
}
