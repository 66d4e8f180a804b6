/** Returns a location of the router as a URL without its origin. */
export function toPath({ pathname, search, hash }: { pathname: string; search: string; hash: string }): string {
  return `${pathname}${search}${hash}`;
}
