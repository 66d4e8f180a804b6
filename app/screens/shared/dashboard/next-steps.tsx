import { Link } from "@remix-run/react";
import type { LucideIcon } from "lucide-react";
import { Card } from "#app/ui/layout.tsx";

export type NextStep = { icon: LucideIcon; title: string; words: string; to: string };

/** Ways on, each a link with what it is good for: the quick actions, and what a new account does first. */
export function NextSteps({ title, steps }: { title: string; steps: readonly NextStep[] }) {
  return (
    <Card title={title} flush>
      <ul className="ways">
        {steps.map(({ icon: Icon, title: name, words, to }) => (
          <li key={name}>
            <Link to={to} prefetch="intent">
              <span className="ways-icon">
                <Icon aria-hidden />
              </span>
              <span>
                <strong>{name}</strong>
                <small>{words}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
