import type { ReactNode } from "react";
import { type CreativeView, describeCreativeFile } from "./creative-copy.ts";
import { CreativeThumbnail } from "./creative-thumbnail.tsx";

/** The field `creative_ids`: a checkbox for each of the account's creatives. */
export function CreativePicker({
  creatives,
  chosen,
  errors,
  more,
  find,
}: {
  creatives: readonly CreativeView[];
  chosen: readonly string[];
  errors?: readonly string[];
  /** Whether there are older creatives that are not listed. */
  more: boolean;
  /** The search field and the applied search, if the form has one. */
  find?: { box: ReactNode; appliedSearch: string | undefined };
}) {
  return (
    <fieldset
      className="field"
      id="creative_ids"
      tabIndex={-1}
      aria-describedby={errors?.length ? "creative_ids-error" : undefined}
    >
      <legend className="label">Your creatives</legend>
      {find?.appliedSearch || more ? find?.box : null}
      {creatives.length === 0 ? (
        <p className="hint">
          {find?.appliedSearch
            ? "No creatives found"
            : "No creatives yet. Uploads are saved here for all your campaigns."}
        </p>
      ) : (
        <ul className="creatives creatives-selectable">
          {creatives.map((creative) => (
            <li key={creative.id}>
              <label className="creative">
                <CreativeThumbnail creative={creative} />
                <span className="creative-text">
                  <input
                    type="checkbox"
                    name="creative_ids"
                    value={creative.id}
                    defaultChecked={chosen.includes(creative.id)}
                  />
                  <span>
                    <strong>{creative.name}</strong>
                    <small>{describeCreativeFile(creative)}</small>
                  </span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {more && !find ? (
        <p className="hint">
          Showing your newest creatives. To use an older one, upload it again; duplicates are stored once.
        </p>
      ) : null}
      {errors?.length ? (
        <p className="error" id="creative_ids-error">
          {errors.join(". ")}
        </p>
      ) : null}
    </fieldset>
  );
}
