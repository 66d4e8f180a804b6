import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon-names.ts";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import type { HistoryLine } from "./history-lines.ts";

/**
 * What happened to a campaign, newest first, in sentences: who, what, when, through which door, and what was before.
 */
export function HistoryTimeline({ lines, now }: { lines: readonly HistoryLine[]; now: Date }) {
  const { formatDateTime, formatRelativeTime } = useTimeFormats();
  if (lines.length === 0) return <p className="hint">No activity yet.</p>;
  return (
    <ul className="timeline">
      {lines.map(({ id, at, action, text, changes, reasons, notes, entrypoint }) => (
        <li key={id}>
          <HistoryIcon action={action} />
          <div>
            <p>{text}</p>
            <ChangeDetails changes={changes} reasons={reasons} notes={notes} />
            <time dateTime={at.toISOString()} title={formatDateTime(at)}>
              {formatRelativeTime(at, now)} · {entrypoint}
            </time>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What a change changed, and what was said with a decision. */
export function ChangeDetails({ changes, reasons, notes }: Pick<HistoryLine, "changes" | "reasons" | "notes">) {
  return (
    <>
      {changes.map(({ label, was, is }) => (
        <p key={label} className="text-[13px] wrap-anywhere">
          {label}: <del className="text-muted">{was}</del> <span aria-hidden>→</span>{" "}
          <ins className="no-underline">{is}</ins>
        </p>
      ))}
      {reasons ? <p className="text-[13px]">{reasons}</p> : null}
      {notes ? <p className="text-[13px] whitespace-pre-line wrap-anywhere">“{notes}”</p> : null}
    </>
  );
}

const icons: Readonly<Record<string, IconName>> = {
  created: "circle-plus",
  changed: "pencil",
  launched: "rocket",
  sent: "rocket",
  approved: "circle-check",
  rejected: "circle-x",
  paused: "circle-pause",
  paused_with_campaign: "circle-pause",
  resumed: "circle-play",
  resumed_with_campaign: "circle-play",
  completed: "flag",
  withdrawn: "undo-2",
  archived: "archive",
  restored: "archive-arrow-up",
};

export function HistoryIcon({ action }: { action: string }) {
  return <Icon name={iconOf(action)} className={toneOf(action)} />;
}

function iconOf(action: string): IconName {
  const known = icons[action.replace(/^.*\./, "")];
  return known ?? (movesMoney.test(action) ? "wallet" : "pencil");
}

const movesMoney = /^(top_up|payout|invoice|subscription|payment_method)\./;

function toneOf(action: string): string | undefined {
  if (action.endsWith(".approved")) return "tone-good";
  if (action.endsWith(".rejected")) return "tone-bad";
  return /\.paused/.test(action) ? "tone-warn" : undefined;
}
