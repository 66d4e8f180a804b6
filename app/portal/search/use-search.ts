import { useEffect, useState } from "react";
import type { SearchView } from "./search-view.ts";

/** Typing usually goes on for some letters. In milliseconds. */
const pauseMs = 120;

type Answer = SearchView | "unavailable";

/**
 * Returns the answer for the text, and the last one while the next is loading. Answers are remembered as long as the
 * dialog is open.
 */
export function useSearch(href: string, text: string): { answer: Answer | undefined; isCurrent: boolean } {
  const q = text.trim();
  const [answers, setAnswers] = useState<ReadonlyMap<string, SearchView>>(new Map());
  const [last, setLast] = useState<{ q: string; answer: Answer }>();
  const known = answers.get(q);
  useEffect(() => {
    if (known) return setLast({ q, answer: known });
    const leaving = new AbortController();
    const timer = setTimeout(
      async () => {
        const answer = await askSearch(href, q, leaving.signal);
        if (leaving.signal.aborted) return;
        setLast({ q, answer });
        if (answer !== "unavailable") setAnswers((before) => new Map(before).set(q, answer));
      },
      q === "" ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [href, q, known]);
  return { answer: known ?? last?.answer, isCurrent: known !== undefined || last?.q === q };
}

async function askSearch(href: string, q: string, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch(`${href}?${new URLSearchParams({ q })}`, { signal });
    const answer: unknown = response.ok ? await response.json() : undefined;
    return isSearchView(answer) ? answer : "unavailable";
  } catch {
    return "unavailable";
  }
}

function isSearchView(answer: unknown): answer is SearchView {
  return typeof answer === "object" && answer !== null && "groups" in answer && Array.isArray(answer.groups);
}
