import {
  CircleCheck,
  CirclePause,
  CirclePlay,
  CirclePlus,
  CircleX,
  Flag,
  type LucideIcon,
  Pencil,
  Rocket,
  Undo2,
} from "lucide-react";
import { formatAgo, formatInstant } from "#app/ui/format.ts";
import { changesOf, doorOf, notesOf, sentenceOf, type Told, whoOf } from "./history-words.ts";

type Entry = Told & { id: string; at: Date };

/**
 * What happened to a campaign, newest first, in sentences: who, what, when, through which door, and what was before. `accountId` is
 * the reader's.
 */
export function HistoryTimeline({
  entries,
  accountId,
  now,
}: {
  entries: readonly Entry[];
  accountId: string;
  now: Date;
}) {
  if (entries.length === 0) return <p className="hint">Nothing has happened yet.</p>;
  return (
    <ul className="timeline">
      {entries.map((entry) => {
        const { verb, rest } = sentenceOf(entry, accountId);
        return (
          <li key={entry.id}>
            <HistoryIcon action={entry.action} />
            <div>
              <p>
                {whoOf(entry, accountId)} {verb} the campaign
                {rest}
              </p>
              <ChangeDetails changes={changesOf(entry)} notes={notesOf(entry)} />
              <time dateTime={entry.at.toISOString()} title={formatInstant(entry.at)}>
                {formatAgo(entry.at, now)} · {doorOf(entry)}
              </time>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** What a change changed, and what was said with a decision. */
export function ChangeDetails({ changes, notes }: { changes: ReturnType<typeof changesOf>; notes: string }) {
  return (
    <>
      {changes.map(({ label, was, is }) => (
        <p key={label} className="text-[13px] wrap-anywhere">
          {label}: <del className="text-muted">{was}</del> <span aria-hidden>→</span>{" "}
          <ins className="no-underline">{is}</ins>
        </p>
      ))}
      {notes ? <p className="text-[13px] whitespace-pre-line wrap-anywhere">“{notes}”</p> : null}
    </>
  );
}

const icons: Readonly<Record<string, LucideIcon>> = {
  created: CirclePlus,
  changed: Pencil,
  launched: Rocket,
  sent: Rocket,
  approved: CircleCheck,
  rejected: CircleX,
  paused: CirclePause,
  paused_with_campaign: CirclePause,
  resumed: CirclePlay,
  resumed_with_campaign: CirclePlay,
  completed: Flag,
  withdrawn: Undo2,
};

export function HistoryIcon({ action }: { action: string }) {
  const Icon = iconOf(action);
  return <Icon aria-hidden className={toneOf(action)} />;
}

function iconOf(action: string): LucideIcon {
  return icons[action.replace(/^.*\./, "")] ?? Pencil;
}

function toneOf(action: string): string | undefined {
  if (action.endsWith(".approved")) return "tone-good";
  if (action.endsWith(".rejected")) return "tone-bad";
  return /\.paused/.test(action) ? "tone-warn" : undefined;
}
