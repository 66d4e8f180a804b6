import { Button, LinkButton } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/link.tsx";

/** Confirms the deletion of a report, its schedule and the list of its emails. */
export function DeleteReportDialog({ name, closeTo }: { name: string; closeTo: string }) {
  return (
    <Dialog title="Delete this report?" closeTo={closeTo}>
      <p className="dialog-body wrap-anywhere">
        “{name}” is no longer emailed, and its schedule and the list of its emails are deleted. You can't undo this.
      </p>
      <Form method="post" action={closeTo} className="dialog-footer">
        <LinkButton to={closeTo} variant="ghost">
          Keep report
        </LinkButton>
        <Button name="intent" value="delete" variant="danger">
          Delete report
        </Button>
      </Form>
    </Dialog>
  );
}
