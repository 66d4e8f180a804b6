/** A result of the search as it is shown, in a group. `id` identifies it on the page; `href` is its own page. */
type SearchItem = { id: string; href: `/${string}`; title: string; detail: string };

/** The results of one kind. `more` leads to all that match, where a list shows them. */
export type SearchItems = {
  label: string;
  items: SearchItem[];
  hasMore: boolean;
  more: { href: `/${string}`; label: string } | undefined;
};

/** What the search page and the search dialog show. Without a text: where one can go. */
export type SearchView = { q: string; groups: SearchItems[] };
