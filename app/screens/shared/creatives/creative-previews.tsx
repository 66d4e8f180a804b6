import { isFilm } from "#app/domain/creatives/creative.ts";
import { AdFrame, type ShownAd } from "./ad-frame.tsx";
import { type ShownCreative, wordsOfFile, wordsOfMismatch } from "./creative-words.ts";

/** How a campaign's creatives look in its ad format. `markOf` says what is to be said of one, such as that it is new. */
export function CreativePreviews({
  creatives,
  ad,
  markOf,
}: {
  creatives: readonly ShownCreative[];
  ad: ShownAd;
  markOf?: (creative: ShownCreative) => string | undefined;
}) {
  if (creatives.length === 0) return null;
  return (
    <ul className="previews">
      {creatives.map((creative) => (
        <li key={creative.id}>
          <figure className="preview">
            <AdFrame ad={ad}>
              <CreativeMedia creative={creative} />
            </AdFrame>
            <figcaption>
              <strong>{creative.name}</strong>
              <Mark words={markOf?.(creative)} />
              <small>{wordsOfFile(creative)}</small>
              <Mismatch words={wordsOfMismatch(ad.adFormat, creative)} />
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}

function Mark({ words }: { words: string | undefined }) {
  return words ? <ins> · {words}</ins> : null;
}

function Mismatch({ words }: { words: string | undefined }) {
  return words ? <small className="text-warn">{words}</small> : null;
}

/** The file itself. Who wants things to stand still sees an animation's first picture. */
function CreativeMedia({ creative }: { creative: ShownCreative }) {
  const { name, type, path, previewPath, width, height } = creative;
  if (isFilm(creative)) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: an advertiser's film comes without captions.
      <video
        src={path}
        width={width}
        height={height}
        controls
        preload="metadata"
        playsInline
        aria-label={`Creative ${name}`}
      />
    );
  }
  const image = <img src={path} alt={`Creative ${name}`} width={width} height={height} decoding="async" />;
  if (type !== "image/gif" || previewPath === null) return image;
  return (
    <picture>
      <source media="(prefers-reduced-motion: reduce)" srcSet={previewPath} />
      {image}
    </picture>
  );
}
