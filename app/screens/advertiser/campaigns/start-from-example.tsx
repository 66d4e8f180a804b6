import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";

/**
 * Creates a draft with example values, for an advertiser without campaigns. Sent twice with one key, it creates one
 * draft.
 */
export function StartFromExample({ base, idempotencyKey }: { base: PortalBase; idempotencyKey: string }) {
  return (
    <Form method="post" action={portalHref(base, "/campaigns/create")}>
      <input type="hidden" name="idempotency_key" value={idempotencyKey} />
      <Button name="intent" value="example" icon="copy">
        Start from an example
      </Button>
    </Form>
  );
}
