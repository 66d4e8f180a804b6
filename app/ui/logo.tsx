import { initialsOf } from "./format.ts";

/** The product's logo, two shelves of an endcap: drawn by the style sheet, as each page has it twice. */
export function Logo() {
  return <span className="logo-mark" aria-hidden />;
}

/** A company's initials; its name is beside them, so they are hidden from screen readers. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
