import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** Says on an archived campaign's page what that means, with a button that ends it. */
export function ArchivedNotice({
  campaign: { id, archivedAt },
  idField = "campaign",
}: {
  campaign: { id: string; archivedAt: Date | null };
  /** The name under which the form has the campaign's ID. */
  idField?: string;
}) {
  if (!archivedAt) return null;
  return (
    <Notice title="This campaign is archived">
      <p>Your lists leave it out. Its figures and payments are kept. Restore it to change it.</p>
      <Form method="post" className="mt-3">
        <input type="hidden" name={idField} value={id} />
        <Button name="intent" value="restore" icon="archive-arrow-up">
          Restore campaign
        </Button>
      </Form>
    </Notice>
  );
}
