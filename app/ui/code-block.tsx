import { useState } from "react";
import { Icon } from "./icon.tsx";

/** Text to copy; long lines wrap. With scripting a button copies it. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <figure className="code">
      <figcaption>
        <span className="label">{label}</span>
        <button
          type="button"
          className="button js-only"
          onClick={() => navigator.clipboard.writeText(code).then(() => setCopied(true))}
        >
          {copied ? <Icon name="check" /> : <Icon name="copy" />}
          <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
        </button>
      </figcaption>
      <pre>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
