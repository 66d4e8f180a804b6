import { useState } from "react";
import {
  type ChannelType,
  channelLabels,
  channelsByType,
  channelTypeLabels,
  channelTypes,
} from "#app/domain/campaigns/campaign.ts";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldText, fieldValues } from "#app/ui/form/form-values.ts";

const hints: Record<ChannelType, string> = {
  dsp: "Demand-side platforms, across the open web",
  walled_garden: "Large platforms with their own audiences",
};

/**
 * The fields `channel_type` and `channels`. The page contains the channels of both types, and the style sheet shows
 * those of the selected type, so that no script is needed. With scripting, selecting a type also clears the previous
 * channels.
 */
export function ChannelFields({ values, errors }: FieldsProps) {
  const saved = channelTypes.find((type) => type === fieldText(values, "channel_type")) ?? "dsp";
  const [resets, setResets] = useState(0);
  const chosen = resets === 0 ? fieldValues(values, "channels") : [];
  return (
    <div className="channel-fields form-grid">
      <div onChange={() => setResets(resets + 1)}>
        <ChoiceField
          type="radio"
          variant="cards"
          name="channel_type"
          label="Channel type"
          options={channelTypes.map((value) => ({ value, label: channelTypeLabels[value], hint: hints[value] }))}
          selected={[saved]}
          errors={errors.channel_type}
        />
      </div>
      {channelTypes.map((type) => (
        <div key={`${type}${resets}`} data-channels={type}>
          <ChoiceField
            type="checkbox"
            name="channels"
            id={type === saved ? "channels" : `channels-${type}`}
            label={`${channelTypeLabels[type]} channels`}
            required
            columns
            options={channelsByType[type].map((value) => ({
              value,
              label: channelLabels[value],
              mark: <BrandMark brand={value} />,
            }))}
            selected={type === saved ? chosen : []}
            errors={type === saved ? errors.channels : undefined}
          />
        </div>
      ))}
    </div>
  );
}
