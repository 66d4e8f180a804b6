import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";

/** Who is signed in, and a button to sign out everywhere. In test mode nobody is signed in. */
export function SessionsCard({ person, signedIn }: { person: { name: string; email: string }; signedIn: boolean }) {
  return (
    <Card title="Your sign-in">
      <div className="stack">
        <DescriptionList
          facts={[
            { label: "Name", value: person.name, wide: true },
            { label: "Email", value: person.email, wide: true },
          ]}
        />
        {signedIn ? (
          <Form method="post" action="/logout" className="grid gap-2">
            <Button name="intent" value="everywhere" icon="log-out">
              Sign out everywhere
            </Button>
            <p className="hint">Signs you out on all devices, including this one.</p>
          </Form>
        ) : (
          <p className="hint">In test mode you use the demo account, so there is no session to end.</p>
        )}
      </div>
    </Card>
  );
}
