import { CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon } from "lucide-react";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";

/** The status badge of payments, invoices, payouts and plans: green for done, yellow for pending, red for failed, otherwise gray. */
export function BillingStatusBadge({ status, label }: { status: string; label?: string }) {
  const { tone, icon: Icon } = looks.get(status) ?? { tone: "neutral", icon: CircleDashed };
  return (
    <Badge tone={tone} dot={false}>
      <Icon aria-hidden />
      {label ?? status.replace(/^./, (letter) => letter.toUpperCase()).replaceAll("_", " ")}
    </Badge>
  );
}

const good: Look = { tone: "good", icon: CircleCheck };
const bad: Look = { tone: "bad", icon: CircleX };
type Look = { tone: BadgeTone; icon: LucideIcon };
const looks: ReadonlyMap<string, Look> = new Map([
  ["active", good],
  ["succeeded", good],
  ["paid", good],
  ["pending", { tone: "warn", icon: Clock }],
  ["open", { tone: "warn", icon: Clock }],
  ["overdue", bad],
  ["failed", bad],
  ["past_due", bad],
  ["canceled", bad],
]);
