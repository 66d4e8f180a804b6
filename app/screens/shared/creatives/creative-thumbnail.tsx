import { isVideo } from "#app/domain/creatives/creative.ts";
import { Icon } from "#app/ui/icon.tsx";
import { type CreativeView, formatDuration } from "./creative-copy.ts";

/** A small still image of a creative. Its name is beside it, so the image is hidden from screen readers. */
export function CreativeThumbnail({ creative }: { creative: CreativeView }) {
  const { path, previewPath, width, height, durationMs } = creative;
  return (
    <span className={isVideo(creative) ? "creative-thumbnail creative-video" : "creative-thumbnail"} aria-hidden="true">
      {isVideo(creative) ? (
        <>
          {/* Loads only the first frame of the video. */}
          <video src={`${path}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} />
          <span className="creative-badge">
            <Icon name="play" />
            {durationMs === null ? null : formatDuration(durationMs)}
          </span>
        </>
      ) : (
        <img src={previewPath ?? path} alt="" width={width} height={height} loading="lazy" decoding="async" />
      )}
      {creative.type === "image/gif" ? <span className="creative-badge">GIF</span> : null}
    </span>
  );
}
