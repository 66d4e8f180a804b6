import { useLocation } from "@remix-run/react";
import { type ReactNode, useContext, useRef, useState } from "react";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { openOnClick } from "#app/portal/search/search-field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import { Avatar } from "#app/ui/logo.tsx";
import { DocumentRequestContext } from "#app/web/request-id.ts";
import { useDismiss } from "./use-dismiss.ts";

/** The menu of the person and company: a `<details>`, so that it opens without scripting. */
export function AccountMenu({
  base,
  viewer,
  onShortcuts,
  children,
}: {
  base: PortalBase;
  viewer: { name: string; email: string; companyName: string; timeZone: string };
  onShortcuts: () => void;
  children: ReactNode;
}) {
  const element = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => {
    if (element.current) element.current.open = false;
  };
  useDismiss(element, isOpen, close);
  return (
    <details className="account-menu" ref={element} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary aria-label={`${viewer.companyName}: account`}>
        <span>{viewer.companyName}</span>
        <Avatar name={viewer.companyName} />
      </summary>
      <div className="popover account-panel">
        <p>
          <strong>{viewer.name}</strong>
          <small>{viewer.email}</small>
        </p>
        <ul className="nav-list">
          <li>
            <Link to={portalHref(base, "/profile")} prefetch="intent">
              <Icon name="user" />
              Profile
            </Link>
          </li>
          <li>
            <Link to={portalHref(base, "/profile?section=mails")}>
              <Icon name="clock" />
              <span>
                Time zone and emails
                <small>{viewer.timeZone.replaceAll("_", " ")}</small>
              </span>
            </Link>
          </li>
          <li>
            <Link
              to={portalHref(base, "/help#shortcuts")}
              onClick={(event) => {
                // The sheet returns the focus to what had it, and this link is about to disappear.
                element.current?.querySelector("summary")?.focus();
                openOnClick(event, onShortcuts);
                close();
              }}
            >
              <Icon name="keyboard" />
              Keyboard shortcuts
            </Link>
          </li>
          <li>
            <Link to={portalHref(base, "/help")}>
              <Icon name="circle-question-mark" />
              Help
            </Link>
          </li>
        </ul>
        <ThemeForm base={base} />
        {children}
      </div>
    </details>
  );
}

function ThemeForm({ base }: { base: PortalBase }) {
  const { pathname, search } = useLocation();
  const { theme = "system" } = useContext(DocumentRequestContext);
  return (
    <Form method="post" action={portalHref(base, "/preferences")} className="theme-form">
      <input type="hidden" name="back" value={pathname + search} />
      <span id="theme-label">Theme</span>
      {/* biome-ignore lint/a11y/useSemanticElements: A fieldset's legend cannot be in a line with its buttons. */}
      <div role="group" aria-labelledby="theme-label">
        {choices.map(({ value, label }) => (
          <button key={value} name="theme" value={value} type="submit" aria-pressed={value === theme}>
            {label}
          </button>
        ))}
      </div>
    </Form>
  );
}

const choices = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;
