/** A result of the search as it is shown, in a group. `id` identifies it on the page; `href` is its own page. */
type SearchItem = { id: string; href: `/${string}`; title: string; detail: string };

/**
 * The results of one kind. `count` is the number of all that match, such as `37` or `100+`, if there are more than the
 * items; `more` leads to them, where a list shows them.
 */
export type SearchItems = {
  label: string;
  items: SearchItem[];
  count: string | undefined;
  more: { href: `/${string}`; label: string } | undefined;
};

/** What the search page and the search dialog show. Without a text: where one can go. */
export type SearchView = { q: string; groups: SearchItems[] };
