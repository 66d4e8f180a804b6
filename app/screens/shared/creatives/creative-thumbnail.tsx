import { Play } from "lucide-react";
import { isFilm } from "#app/domain/creatives/creative.ts";
import { type ShownCreative, wordsOfDuration } from "./creative-words.ts";

/** A small still of a creative. Its name stands beside it, so it is not read out. */
export function CreativeThumbnail({ creative }: { creative: ShownCreative }) {
  const { path, previewPath, width, height, durationMs } = creative;
  return (
    <span className={isFilm(creative) ? "creative-thumbnail creative-film" : "creative-thumbnail"} aria-hidden="true">
      {isFilm(creative) ? (
        <>
          {/* The first picture of the film; no more of it is loaded. */}
          <video src={`${path}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} />
          <span className="creative-mark">
            <Play />
            {durationMs === null ? null : wordsOfDuration(durationMs)}
          </span>
        </>
      ) : (
        <img src={previewPath ?? path} alt="" width={width} height={height} loading="lazy" decoding="async" />
      )}
      {creative.type === "image/gif" ? <span className="creative-mark">GIF</span> : null}
    </span>
  );
}
