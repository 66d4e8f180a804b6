import { type ComponentType, type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useScripting } from "../form/use-scripting.ts";
import { lazyCode } from "./lazy-code.ts";

type DetailsProps<Props> = {
  className: string;
  summary: string;
  bodyClass: string;
  /** What is in the opened box if its script cannot be loaded, on a screen that was reached by a link. */
  otherwise: ReactNode;
  props: Props;
};

/**
 * Returns a closed box whose content's script is loaded when it is about to be opened; it opens once that is loaded.
 * The server renders the content (`ServerPart`, undefined in the browser), which works without scripting, and so does
 * it if its script cannot be loaded.
 */
export function lazyDetails<Props extends object>(
  ServerPart: ComponentType<Props> | undefined,
  importPart: () => Promise<ComponentType<Props>>,
): ComponentType<DetailsProps<Props>> {
  if (ServerPart) {
    return ({ className, summary, bodyClass, props }) => (
      <details className={className}>
        <summary>{summary}</summary>
        <div className={bodyClass}>
          <ServerPart {...props} />
        </div>
      </details>
    );
  }
  const code = lazyCode(importPart);
  return function LazyDetails({ className, summary, bodyClass, otherwise, props }) {
    const [isHydrated] = useState(useScripting());
    const [Part, setPart] = useState<ComponentType<Props>>();
    const details = useRef<HTMLDetailsElement>(null);
    const isOpening = useRef(false);

    const open = useCallback(() => {
      if (isOpening.current && details.current) details.current.open = true;
      isOpening.current = false;
    }, []);
    const start = useCallback(() => {
      const render = (loaded: ComponentType<Props>) => {
        // The server's form stays where someone has begun to type in it.
        const isEntered = details.current?.querySelector("div")?.contains(document.activeElement);
        if (!isEntered) setPart(() => loaded);
      };
      code.load().then(render, open);
    }, [open]);
    useEffect(() => {
      if (Part) open();
      // It was opened before hydration.
      else if (details.current?.open) start();
    }, [Part, open, start]);
    const openLater = (event: MouseEvent) => {
      if (Part || details.current?.open) return;
      event.preventDefault();
      isOpening.current = true;
      start();
    };

    return (
      <details ref={details} className={className} onToggle={start}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button. */}
        <summary onPointerOver={start} onFocus={start} onClick={openLater}>
          {summary}
        </summary>
        {Part || isHydrated ? (
          <div key="rendered" className={bodyClass}>
            {Part ? <Part {...props} /> : otherwise}
          </div>
        ) : (
          <div
            key="markup"
            className={bodyClass}
            suppressHydrationWarning
            // biome-ignore lint/security/noDangerouslySetInnerHtml: React leaves what the server wrote.
            dangerouslySetInnerHTML={serverMarkup}
          />
        )}
      </details>
    );
  };
}

const serverMarkup = { __html: "" };
