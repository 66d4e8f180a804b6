import { Form } from "@remix-run/react";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Card } from "#app/ui/layout.tsx";
import { ErrorSummary } from "#app/ui/notice.tsx";

/**
 * Asks before what cannot be taken back: what it means, the button that does it, and the way back. Where it is not possible there
 * is no button (`act` is null), and what is said is why.
 */
export function AskFirst({
  act,
  back,
  errors = [],
  children,
}: {
  act: { label: string; icon: LucideIcon } | null;
  back: { label: string; to: string };
  errors?: ComponentProps<typeof ErrorSummary>["errors"];
  children: ReactNode;
}) {
  return (
    <div className="stack max-w-2xl">
      <ErrorSummary errors={errors} />
      <Card>
        <div className="form-grid">
          {children}
          <div className="actions">
            {act ? (
              <Form method="post">
                <Button variant="danger" icon={act.icon}>
                  {act.label}
                </Button>
              </Form>
            ) : null}
            <LinkButton to={back.to}>{back.label}</LinkButton>
          </div>
        </div>
      </Card>
    </div>
  );
}
