import type { ListedApiKey } from "#app/domain/api-keys/list-api-keys.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/link.tsx";

/** Confirms the revocation of a key. */
export function RevokeKeyDialog({ apiKey, closeTo }: { apiKey: Pick<ListedApiKey, "id" | "name">; closeTo: string }) {
  return (
    <Dialog title={`Revoke “${apiKey.name}”?`} closeTo={closeTo}>
      <p className="dialog-body">Requests that use this key stop working right away. You can't undo this.</p>
      <Form method="post" action={closeTo} className="dialog-footer">
        <input type="hidden" name="id" value={apiKey.id} />
        <LinkButton to={closeTo} variant="ghost">
          Keep key
        </LinkButton>
        <Button name="intent" value="revoke-key" variant="danger">
          Revoke key
        </Button>
      </Form>
    </Dialog>
  );
}
