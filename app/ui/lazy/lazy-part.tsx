import { type ComponentType, useEffect, useRef, useState } from "react";
import { useScripting } from "../form/use-scripting.ts";
import { LaterRoot } from "./later-root.tsx";
import { type LazyCode, lazyCode } from "./lazy-code.ts";
import { isPageHydrated } from "./page-hydration.ts";
import { PartFailure } from "./part-failure.tsx";

/**
 * A part of a page that only shows something, such as a chart. The server renders it (`ServerPart`, undefined in the
 * browser). The browser loads its script and hydrates it when the pointer or focus enters it, or its data changes; on a
 * screen that was reached by a link it is rendered with the others.
 *
 * The part is a root of its own: its components use no context, so no links, forms or time zone, and not `useId`.
 */
export function lazyPart<Props extends object>(
  ServerPart: ComponentType<Props> | undefined,
  importPart: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  if (ServerPart) {
    return (props) => (
      <div className="contents">
        <ServerPart {...props} />
      </div>
    );
  }
  const code = lazyCode(importPart);
  return function LazyPart(props) {
    const [isHydrated] = useState(useScripting());
    return isHydrated ? <RenderedNow code={code} props={props} /> : <HydratedLater code={code} props={props} />;
  };
}

type Shown<Props> = { code: LazyCode<Props>; props: Props };

function HydratedLater<Props extends object>({ code, props }: Shown<Props>) {
  const place = useRef<HTMLDivElement>(null);
  const [root] = useState(() => new LaterRoot(code, props));
  useEffect(() => (place.current ? root.watch(place.current) : undefined), [root]);
  useEffect(() => root.show(props));
  return (
    <div
      ref={place}
      className="contents"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: React leaves what the server wrote.
      dangerouslySetInnerHTML={serverMarkup}
    />
  );
}

const serverMarkup = { __html: "" };

/** Rendering waits for the script, so that a link shows the whole screen at once. */
function RenderedNow<Props extends object>({ code, props }: Shown<Props>) {
  const [, setIsTried] = useState(false);
  const { Part, hasFailed } = code;
  useEffect(() => {
    const rerender = () => setIsTried(true);
    if (!code.Part) code.load().then(rerender, rerender);
  }, [code]);
  if (!Part && !hasFailed && isPageHydrated()) throw code.load();
  return (
    <div className="contents">
      {Part ? <Part {...props} /> : null}
      {hasFailed ? <PartFailure /> : null}
    </div>
  );
}
