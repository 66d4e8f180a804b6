import { Button } from "#app/ui/button.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** Asks before people are erased. The list is personal data, so it is sent again instead of being in a URL. */
export function ConfirmErasure({ identifiers, lines }: { identifiers: string; lines: number }) {
  const busy = useIsPosting();
  return (
    <Form method="post" className="stack max-w-2xl">
      <input type="hidden" name="identifiers" value={identifiers} />
      <Card>
        <div className="form-grid">
          <p>
            This removes the {lines === 1 ? "person" : "people"} of {pluralize(lines, "line")} from all your audiences,
            including archived ones. You can't undo this.
          </p>
          <div className="actions">
            <Button name="intent" value="change">
              Back to the list
            </Button>
            <Button name="intent" value="erase" variant="danger" icon="user-x" busy={busy} busyLabel="Erasing...">
              Erase people
            </Button>
          </div>
        </div>
      </Card>
    </Form>
  );
}
