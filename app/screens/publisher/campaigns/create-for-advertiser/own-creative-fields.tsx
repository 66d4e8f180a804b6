import { useRevalidator } from "@remix-run/react";
import { useState } from "react";
import type { CreativeView } from "#app/screens/shared/creatives/creative-copy.ts";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import { CreativePicker } from "#app/screens/shared/creatives/creative-picker.tsx";
import { CreativeUpload } from "#app/screens/shared/creatives/creative-upload.tsx";
import { type FieldsProps, fieldValues } from "#app/ui/form/form-values.ts";

export type OwnCreativeOptions = { creatives: readonly CreativeView[]; moreCreatives: boolean; uploadHref: string };

/** The publisher's creatives. A file uploaded here is selected, and stays available for its other campaigns. */
export function OwnCreativeFields({
  values,
  errors,
  creatives,
  moreCreatives,
  uploadHref,
}: FieldsProps & OwnCreativeOptions) {
  const { revalidate } = useRevalidator();
  const [uploaded, setUploaded] = useState<readonly string[]>([]);
  return (
    <>
      <CreativeUpload
        to={uploadHref}
        errors={errors[creativeFilesField]}
        listed={creatives}
        onUploaded={(ids) => {
          setUploaded((before) => [...before, ...ids]);
          revalidate();
        }}
      />
      <CreativePicker
        creatives={creatives}
        chosen={[...fieldValues(values, "creative_ids"), ...uploaded]}
        more={moreCreatives}
        errors={errors.creative_ids}
      />
    </>
  );
}
