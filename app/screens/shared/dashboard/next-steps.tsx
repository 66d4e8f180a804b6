import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon-names.ts";
import { Link } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

export type NextStep = { icon: IconName; title: string; text: string; to: string };

/** Links with a short explanation. */
export function NextSteps({ title, steps }: { title: string; steps: readonly NextStep[] }) {
  return (
    <Card title={title} flush>
      <ul className="next-steps">
        {steps.map(({ icon, title: name, text, to }) => (
          <li key={name}>
            <Link to={to} prefetch="intent">
              <span className="next-steps-icon">
                <Icon name={icon} />
              </span>
              <span>
                <strong>{name}</strong>
                <small>{text}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
