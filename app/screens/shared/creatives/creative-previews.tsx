import { isVideo } from "#app/domain/creatives/creative.ts";
import { AdFrame, type AdPreview } from "./ad-frame.tsx";
import { type CreativeView, describeCreativeFile, describeFormatMismatch } from "./creative-copy.ts";

/** Previews a campaign's creatives in its ad format. `badgeFor` returns the badge of a creative, such as New. */
export function CreativePreviews({
  creatives,
  ad,
  badgeFor,
}: {
  creatives: readonly CreativeView[];
  ad: AdPreview;
  badgeFor?: (creative: CreativeView) => string | undefined;
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
              <Mark text={badgeFor?.(creative)} />
              <small>{describeCreativeFile(creative)}</small>
              <Mismatch text={describeFormatMismatch(ad.adFormat, creative)} />
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}

function Mark({ text }: { text: string | undefined }) {
  return text ? <ins> · {text}</ins> : null;
}

function Mismatch({ text }: { text: string | undefined }) {
  return text ? <small className="text-warn">{text}</small> : null;
}

/** The file itself. With reduced motion, an animation shows its first frame. */
function CreativeMedia({ creative }: { creative: CreativeView }) {
  const { name, type, path, previewPath, width, height } = creative;
  if (isVideo(creative)) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: an advertiser's video comes without captions.
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
