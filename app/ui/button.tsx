import { Link } from "@remix-run/react";
import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { RowIcon, type RowIconName } from "./row-icon.tsx";

type ButtonVariant = "primary" | "secondary" | "danger" | "ghost";
const variants: Record<ButtonVariant, string> = {
  primary: "button button-primary",
  secondary: "button",
  danger: "button button-danger",
  ghost: "button button-ghost",
};

type Looks = { variant?: ButtonVariant; icon?: LucideIcon; children: ReactNode };

/** A button of a form. `busy` says with words that it works (`busyLabel`) and takes no second click. */
export function Button({
  variant = "secondary",
  icon: Icon,
  busy = false,
  busyLabel,
  children,
  ...rest
}: Looks & { busy?: boolean; busyLabel?: string } & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className">) {
  return (
    <button type="submit" {...rest} className={variants[variant]} aria-disabled={busy || undefined}>
      {Icon ? <Icon aria-hidden /> : null}
      {busy && busyLabel ? busyLabel : children}
    </button>
  );
}

/** A link that looks like a button; prefetches when one is about to click. */
export function LinkButton({
  to,
  variant = "secondary",
  icon: Icon,
  children,
  ...rest
}: Looks & { to: string; preventScrollReset?: boolean }) {
  return (
    <Link to={to} prefetch="intent" className={variants[variant]} {...rest}>
      {Icon ? <Icon aria-hidden /> : null}
      {children}
    </Link>
  );
}

/** A button of a row: an icon, its name `label`, and what it acts on (`of`) for those who hear it. */
export function IconButton({
  label,
  of,
  icon,
  ...rest
}: { label: string; of: string; icon: RowIconName } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  "className" | "children"
>) {
  return (
    <button type="submit" {...rest} className="button button-icon" aria-label={`${label} ${of}`} title={label}>
      <RowIcon name={icon} />
    </button>
  );
}

/** The same as a link. */
export function IconLink({ to, label, of, icon }: { to: string; label: string; of: string; icon: RowIconName }) {
  return (
    <Link to={to} prefetch="intent" className="button button-icon" aria-label={`${label} ${of}`} title={label}>
      <RowIcon name={icon} />
    </Link>
  );
}
