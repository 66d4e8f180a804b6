/** A URL that a user entered: a link that opens in a new tab, or plain text if the URL is not http or https. */
export function ExternalLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span className="wrap-anywhere">{url}</span>;
  return (
    <a className="link" href={url} target="_blank" rel="noreferrer nofollow">
      {url}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
