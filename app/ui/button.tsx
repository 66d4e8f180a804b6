import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-names.ts";
import { Link } from "./link.tsx";
import { type RowIconName, rowIcon } from "./row-icon.tsx";

type ButtonVariant = "primary" | "secondary" | "danger" | "ghost";
const variants: Record<ButtonVariant, string> = {
  primary: "button button-primary",
  secondary: "button",
  danger: "button button-danger",
  ghost: "button button-ghost",
};

type ButtonAppearance = {
  variant?: ButtonVariant;
  icon?: IconName;
  /** Shows the icon after the text: for an arrow that leads on. */
  iconAtEnd?: boolean;
  children: ReactNode;
};

/** A button of a form. `busy` shows `busyLabel` and prevents a second click. */
export function Button({
  variant = "secondary",
  icon,
  iconAtEnd = false,
  busy = false,
  busyLabel,
  children,
  ...rest
}: ButtonAppearance & { busy?: boolean; busyLabel?: string } & Omit<
    ButtonHTMLAttributes<HTMLButtonElement>,
    "className"
  >) {
  return (
    <button type="submit" {...rest} className={variants[variant]} aria-disabled={busy || undefined}>
      {icon && !iconAtEnd ? <Icon name={icon} /> : null}
      {busy && busyLabel ? busyLabel : children}
      {icon && iconAtEnd ? <Icon name={icon} /> : null}
    </button>
  );
}

/** A link that looks like a button; prefetches on intent. */
export function LinkButton({
  to,
  variant = "secondary",
  icon,
  iconAtEnd = false,
  children,
  ...rest
}: ButtonAppearance & { to: string; preventScrollReset?: boolean }) {
  return (
    <Link to={to} prefetch="intent" className={variants[variant]} {...rest}>
      {icon && !iconAtEnd ? <Icon name={icon} /> : null}
      {children}
      {icon && iconAtEnd ? <Icon name={icon} /> : null}
    </Link>
  );
}

/** An icon button of a row: its accessible name is `label` and the row's name (`itemName`). */
export function IconButton({
  label,
  itemName,
  icon,
  ...rest
}: { label: string; itemName: string; icon: RowIconName } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  "className" | "children"
>) {
  return (
    <button
      type="submit"
      {...rest}
      className={`button button-icon ${rowIcon(icon)}`}
      title={label}
      aria-label={`${label} ${itemName}`}
    />
  );
}

/** The same as a link. */
export function IconLink({
  to,
  label,
  itemName,
  icon,
}: {
  to: string;
  label: string;
  itemName: string;
  icon: RowIconName;
}) {
  return (
    <Link
      to={to}
      prefetch="intent"
      className={`button button-icon ${rowIcon(icon)}`}
      title={label}
      aria-label={`${label} ${itemName}`}
    />
  );
}
