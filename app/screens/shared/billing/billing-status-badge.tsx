import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon-names.ts";

/**
 * The status badge of payments, invoices, payouts and plans: green for done, yellow for pending, red for failed,
 * otherwise gray.
 */
export function BillingStatusBadge({ status, label }: { status: string; label?: string }) {
  const { tone, icon } = looks.get(status) ?? { tone: "neutral", icon: "circle-dashed" };
  return (
    <Badge tone={tone} dot={false}>
      <Icon name={icon} />
      {label ?? status.replace(/^./, (letter) => letter.toUpperCase()).replaceAll("_", " ")}
    </Badge>
  );
}

const good: Look = { tone: "good", icon: "circle-check" };
const bad: Look = { tone: "bad", icon: "circle-x" };
type Look = { tone: BadgeTone; icon: IconName };
const looks: ReadonlyMap<string, Look> = new Map([
  ["active", good],
  ["succeeded", good],
  ["paid", good],
  ["pending", { tone: "warn", icon: "clock" }],
  ["open", { tone: "warn", icon: "clock" }],
  ["overdue", bad],
  ["failed", bad],
  ["past_due", bad],
  ["canceled", bad],
]);
