import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Link } from "#app/ui/link.tsx";
import type { ActivityLine } from "./activity-lines.ts";
import { ChangeDetails } from "./history-timeline.tsx";

type Sentence = Omit<ActivityLine, "id" | "action" | "at" | "kind" | "entrypoint">;

/** Who did what: the thing is a link while it is there; one without a name has a link behind the sentence. */
export function ActivitySentence({ line, base }: { line: Sentence; base: PortalBase }) {
  const { who, withoutActor, verb, name, rest, path, changes, reasons, notes } = line;
  const link = path && { to: portalHref(base, path), prefetch: "intent" as const };
  return (
    <>
      <p className="wrap-anywhere">
        {withoutActor ? verb : `${who} ${verb}`}{" "}
        {name && link ? (
          <Link className="font-semibold text-ink hover:underline" {...link}>
            {name}
          </Link>
        ) : (
          name
        )}
        {rest}
        {link && !name ? (
          <>
            {" "}
            <Link className="link" {...link}>
              View
            </Link>
          </>
        ) : null}
      </p>
      <ChangeDetails changes={changes} reasons={reasons} notes={notes} />
    </>
  );
}
