/** A small image at one of our own paths; a mark where there is none or it does not come. Its name stands beside it, so it is not read out. */
export function Thumbnail({ src, large = false }: { src: string | null; large?: boolean }) {
  return (
    <span className={large ? "thumbnail thumbnail-large" : "thumbnail"}>
      {src ? <img src={src} alt="" loading={large ? undefined : "lazy"} decoding="async" /> : null}
    </span>
  );
}
