import { Form } from "@remix-run/react";
import { ShieldX } from "lucide-react";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { accessDenied } from "./refusal.ts";

/** Why one is not let into a portal. Signing out is there for people who are here as somebody else. */
export function RefusalPanel({ message }: { message: string }) {
  return (
    <Panel icon={<ShieldX aria-hidden />} tone="bad" title={accessDenied}>
      <p>{message}</p>
      <div className="actions">
        <LinkButton to="/" variant="primary">
          Return Home
        </LinkButton>
        <Form method="post" action="/logout">
          <Button variant="ghost">Sign Out</Button>
        </Form>
      </div>
    </Panel>
  );
}
