/**
 * A small picture from somewhere on the web, shown by the browser alone; a mark where there is none or it does not come.
 * Its name stands beside it, so it is not read out.
 */
export function Thumbnail({ url, large = false }: { url: string | null; large?: boolean }) {
  return (
    <span className={large ? "thumbnail thumbnail-large" : "thumbnail"}>
      {url?.startsWith("https://") ? (
        <img src={url} alt="" loading={large ? undefined : "lazy"} decoding="async" referrerPolicy="no-referrer" />
      ) : null}
    </span>
  );
}
