import { Link } from "@remix-run/react";
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
import { wordsOfName } from "./campaign-content-words.ts";
import { changesOf, doorOf, notesOf, sentenceOf, type Told, whoOf } from "./history-words.ts";

type Entry = Told & { id: string; at: Date; campaignId: string | null; campaignName?: string | null };

/**
 * What happened, newest first, in sentences: who, what, when, through which door, and what was before. `accountId` is
 * the reader's. With `campaignHref` each sentence names its campaign (activity over many campaigns).
 */
export function HistoryTimeline({
  entries,
  accountId,
  now,
  campaignHref,
}: {
  entries: readonly Entry[];
  accountId: string;
  now: Date;
  campaignHref?: (campaignId: string) => string;
}) {
  if (entries.length === 0) return <p className="hint">Nothing has happened yet.</p>;
  return (
    <ul className="timeline">
      {entries.map((entry) => {
        const Icon = iconOf(entry.action);
        const { verb, rest } = sentenceOf(entry, accountId);
        return (
          <li key={entry.id}>
            <Icon aria-hidden className={toneOf(entry.action)} />
            <div>
              <p>
                {whoOf(entry, accountId)} {verb} <Target entry={entry} campaignHref={campaignHref} />
                {rest}
              </p>
              <Details entry={entry} />
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

function Target({ entry, campaignHref }: { entry: Entry; campaignHref?: (campaignId: string) => string }) {
  if (!campaignHref) return "the campaign";
  if (!entry.campaignId || entry.campaignName === null || entry.campaignName === undefined) return "a deleted draft";
  return (
    <Link className="font-semibold text-ink hover:underline" to={campaignHref(entry.campaignId)} prefetch="intent">
      {wordsOfName(entry.campaignName)}
    </Link>
  );
}

function Details({ entry }: { entry: Entry }) {
  const notes = notesOf(entry);
  return (
    <>
      {changesOf(entry).map(({ label, was, is }) => (
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

function iconOf(action: string): LucideIcon {
  return icons[action.replace(/^.*\./, "")] ?? Pencil;
}

function toneOf(action: string): string | undefined {
  if (action.endsWith(".approved")) return "tone-good";
  if (action.endsWith(".rejected")) return "tone-bad";
  return /\.paused/.test(action) ? "tone-warn" : undefined;
}
