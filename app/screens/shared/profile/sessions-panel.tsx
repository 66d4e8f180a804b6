import { Form } from "@remix-run/react";
import { LogOut } from "lucide-react";
import { Button } from "#app/ui/button.tsx";
import { Card, Facts } from "#app/ui/layout.tsx";

/** Who one is, and the way out everywhere at once. In test mode nobody is signed in. */
export function SessionsPanel({ person, signedIn }: { person: { name: string; email: string }; signedIn: boolean }) {
  return (
    <Card title="You">
      <div className="stack">
        <Facts
          facts={[
            { label: "Name", value: person.name, wide: true },
            { label: "E-mail", value: person.email, wide: true },
          ]}
        />
        {signedIn ? (
          <Form method="post" action="/logout" className="grid gap-2">
            <Button name="intent" value="everywhere" icon={LogOut}>
              Sign out everywhere
            </Button>
            <p className="hint">Ends your sessions on all devices, this one too.</p>
          </Form>
        ) : (
          <p className="hint">In test mode you act as the demo account; there is no session to end.</p>
        )}
      </div>
    </Card>
  );
}
