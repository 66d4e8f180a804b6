import type { ComponentProps, ReactNode } from "react";
import { Button, LinkButton } from "#app/ui/button.tsx";
import type { IconName } from "#app/ui/icon-names.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { ErrorSummary } from "#app/ui/notice.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** Confirms an irreversible action. If the action is not allowed, `act` is null and the children explain why. */
export function ConfirmAction({
  act,
  back,
  errors = [],
  children,
}: {
  act: { label: string; icon: IconName } | null;
  back: { label: string; to: string };
  errors?: ComponentProps<typeof ErrorSummary>["errors"];
  children: ReactNode;
}) {
  const busy = useIsPosting();
  return (
    <div className="stack max-w-2xl">
      <ErrorSummary errors={errors} />
      <Card>
        <div className="form-grid">
          {children}
          <div className="actions">
            <LinkButton to={back.to}>{back.label}</LinkButton>
            {act ? (
              <Form method="post">
                <Button variant="danger" icon={act.icon} busy={busy}>
                  {act.label}
                </Button>
              </Form>
            ) : null}
          </div>
        </div>
      </Card>
    </div>
  );
}
