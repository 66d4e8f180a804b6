/** An address that somebody typed: a link that opens beside, or plain text where it is none of the web's, whatever let it in. */
export function OutsideLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span className="wrap-anywhere">{url}</span>;
  return (
    <a className="link" href={url} target="_blank" rel="noreferrer nofollow">
      {url}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
