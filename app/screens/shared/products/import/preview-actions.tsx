import { useNavigation } from "@remix-run/react";
import { Button } from "#app/ui/button.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Form } from "#app/ui/link.tsx";
import type { LoadedImport } from "./load-import.server.ts";

/** The buttons of a preview. */
export function PreviewActions({ shown, isComplete }: { shown: LoadedImport["shown"]; isComplete: boolean }) {
  const products = shown.created + shown.updated;
  const intent = useNavigation().formData?.get("intent");
  return (
    <Form method="post" className="actions">
      <Button name="intent" value="discard" variant="ghost">
        Discard
      </Button>
      {isComplete && products > 0 ? (
        <Button
          name="intent"
          value="commit"
          variant="primary"
          icon="check"
          busy={intent === "commit"}
          busyLabel="Importing..."
        >
          {`Import ${pluralize(products, "product")}`}
        </Button>
      ) : null}
    </Form>
  );
}
