import type { ReactNode } from "react";
import { CreativeThumbnail } from "./creative-thumbnail.tsx";
import { type ShownCreative, wordsOfFile } from "./creative-words.ts";

/** `creative_ids`: the account's creatives, each to be ticked. */
export function CreativeChoices({
  creatives,
  chosen,
  errors,
  more,
  find,
}: {
  creatives: readonly ShownCreative[];
  chosen: readonly string[];
  errors?: readonly string[];
  /** There are older ones that are not listed. */
  more: boolean;
  /** Where the form has one: the search for others, and what was searched for. */
  find?: { box: ReactNode; sought: string | undefined };
}) {
  return (
    <fieldset
      className="field"
      id="creative_ids"
      tabIndex={-1}
      aria-describedby={errors?.length ? "creative_ids-error" : undefined}
    >
      <legend className="label">Your creatives</legend>
      {find?.sought || more ? find?.box : null}
      {creatives.length === 0 ? (
        <p className="hint">
          {find?.sought
            ? "No creatives found"
            : "None yet. What you upload is kept here, for your other campaigns too."}
        </p>
      ) : (
        <ul className="creatives creatives-to-choose">
          {creatives.map((creative) => (
            <li key={creative.id}>
              <label className="creative">
                <CreativeThumbnail creative={creative} />
                <span className="creative-words">
                  <input
                    type="checkbox"
                    name="creative_ids"
                    value={creative.id}
                    defaultChecked={chosen.includes(creative.id)}
                  />
                  <span>
                    <strong>{creative.name}</strong>
                    <small>{wordsOfFile(creative)}</small>
                  </span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {more && !find ? (
        <p className="hint">The newest are listed. An older one is found by uploading it again: it is kept once.</p>
      ) : null}
      {errors?.length ? (
        <p className="error" id="creative_ids-error">
          {errors.join(". ")}
        </p>
      ) : null}
    </fieldset>
  );
}
