import { Check, Copy } from "lucide-react";
import { useState } from "react";

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
          {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
        </button>
      </figcaption>
      <pre>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
