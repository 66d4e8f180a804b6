import { useLocation } from "@remix-run/react";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";

/** Turns single-key shortcuts off or on, for people whose speech input or keyboard presses keys by accident. */
export function SingleKeysForm({ base, singleKeys }: { base: PortalBase; singleKeys: boolean }) {
  const { pathname, search, hash } = useLocation();
  return (
    <Form method="post" action={portalHref(base, "/preferences")} preventScrollReset className="single-keys-form">
      <input type="hidden" name="back" value={pathname + search + hash} />
      <p>
        Single-key shortcuts are <strong>{singleKeys ? "on" : "off"}</strong> in this browser. They never fire while you
        type in a field.
      </p>
      <Button name="shortcuts" value={singleKeys ? "off" : "on"}>
        {singleKeys ? "Turn off single keys" : "Turn on single keys"}
      </Button>
    </Form>
  );
}
