import { useNavigate } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { portalHref } from "#app/portal/portal-href.ts";
import type { OverlayProps } from "#app/portal/topbar/overlay-props.ts";
import { pluralize } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import type { SearchItems } from "./search-view.ts";
import { useSearch } from "./use-search.ts";

/** The search over any page: a combobox whose list has the results by kind. Enter opens the marked one. */
export default function SearchDialog({ base, endTyping, onClose }: OverlayProps) {
  const element = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [marked, setMarked] = useState(0);
  const { answer, isCurrent } = useSearch(portalHref(base, "/search/results"), text);
  const view = answer === "unavailable" ? undefined : answer;
  const groups = (view?.groups ?? []).map((group, place) => ({ ...group, place, options: optionsOf(group) }));
  const options = groups.flatMap((group) => group.options);
  const active = options[Math.min(marked, options.length - 1)];
  const page = portalHref(base, `/search?${new URLSearchParams({ q: text.trim() })}`);
  // A layout effect, because only a dialog that is still in the document returns the focus when it closes.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    const typed = endTyping();
    if (typed) setText(typed);
    return () => dialog?.close();
  }, [endTyping]);
  useEffect(() => {
    if (active) document.getElementById(active.id)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const open = (href: string) => {
    onClose();
    navigate(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options.length > 0) {
      event.preventDefault();
      setMarked((Math.min(marked, options.length - 1) + step + options.length) % options.length);
    }
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way and comes as the cancel event.
    <dialog
      ref={element}
      className="dialog search-dialog"
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <Form
        role="search"
        className="search-dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          open(isCurrent && active ? active.href : page);
        }}
      >
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search"
          aria-expanded={options.length > 0}
          aria-controls="search-options"
          aria-activedescendant={active?.id}
          aria-autocomplete="list"
          placeholder="Search campaigns, audiences, products, pages"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setMarked(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className="button button-icon" aria-label="Close search" onClick={onClose}>
          <Icon name="x" />
        </button>
      </Form>
      <div
        className="search-options"
        id="search-options"
        role="listbox"
        aria-label="Results"
        data-stale={!isCurrent || undefined}
      >
        {groups.map(({ label, place, options: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: A fieldset cannot be in a listbox.
          <div role="group" key={label} aria-labelledby={`search-group-${place}`}>
            <div className="search-group" id={`search-group-${place}`}>
              {label}
            </div>
            {own.map(({ id, href, title, detail }) => (
              <Link
                key={id}
                id={id}
                role="option"
                aria-selected={id === active?.id}
                tabIndex={-1}
                to={href}
                onClick={onClose}
                onPointerMove={() => setMarked(options.findIndex((option) => option.id === id))}
              >
                <span>{title}</span>
                <small>{detail}</small>
              </Link>
            ))}
          </div>
        ))}
      </div>
      <p className={options.length > 0 ? "sr-only" : "search-message"} role="status">
        {isCurrent ? message(answer === "unavailable", options.length) : ""}
      </p>
      <p className="search-keys" aria-hidden>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> to move
        </span>
        <span>
          <kbd>↵</kbd> to open
        </span>
        <span>
          <kbd>esc</kbd> to close
        </span>
      </p>
    </dialog>
  );
}

function optionsOf({ label, items, count, more }: SearchItems) {
  const results = items.map((item) => ({ ...item, id: `option-${item.id}` }));
  return count && more
    ? [...results, { id: `option-all-${label}`, href: more.href, title: more.label, detail: "" }]
    : results;
}

function message(isUnavailable: boolean, found: number): string {
  if (isUnavailable) return "Search is unavailable right now. Press Enter to open the search page.";
  return found === 0 ? "No results" : pluralize(found, "result");
}
