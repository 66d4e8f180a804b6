import type { AccountType } from "#app/domain/accounts/account.ts";
import { pageKey, pageShortcuts } from "./shortcuts.ts";

/** The shortcuts of a portal, by group. */
export function ShortcutList({ portal, heading: Heading }: { portal: AccountType; heading: "h2" | "h3" }) {
  return (
    <div className="shortcut-groups">
      {shortcutGroups(portal).map(({ label, shortcuts }) => (
        <section key={label}>
          <Heading>{label}</Heading>
          <dl className="shortcut-list">
            {shortcuts.map((shortcut) => (
              <div key={shortcut.keys.join()}>
                <dt>{shortcut.label}</dt>
                <dd>
                  {shortcut.keys.map((key, place) => (
                    <span key={key}>
                      {place > 0 ? ` ${shortcut.between ?? "then"} ` : null}
                      <kbd>{key}</kbd>
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** `between` is the word between two keys; without one they are pressed in turn. */
type Shown = { keys: readonly string[]; label: string; between?: string };

/** Search opens by both also while single keys are off; which of them depends on the keyboard. */
const general: readonly Shown[] = [
  { keys: ["Ctrl K", "⌘ K"], label: "Search", between: "or" },
  { keys: ["/"], label: "Search, with one key" },
  { keys: ["?"], label: "Show these shortcuts" },
];

function shortcutGroups(portal: AccountType): { label: string; shortcuts: readonly Shown[] }[] {
  const opening = pageShortcuts(portal);
  const pages = opening.filter(({ keys }) => keys[0] === pageKey);
  return [
    { label: "Everywhere", shortcuts: [...general, ...opening.filter(({ keys }) => keys[0] !== pageKey)] },
    { label: "Go to a page", shortcuts: pages },
  ];
}
