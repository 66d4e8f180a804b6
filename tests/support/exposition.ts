/** The samples of a Prometheus text exposition, by name and labels as they are written there. */
export type Exposition = Map<string, number>;

/** Parses an exposition strictly: throws for a line that is none of HELP, TYPE and a sample of an announced metric. */
export function parseExposition(text: string): Exposition {
  const samples: Exposition = new Map();
  const announced = new Set<string>();
  for (const line of text.split("\n").filter(Boolean)) {
    const [, typed] = /^# (?:HELP|TYPE) (\w+) ./.exec(line) ?? [];
    if (typed) announced.add(typed);
    if (line.startsWith("#")) {
      if (!typed) throw new Error(`No HELP or TYPE: ${line}`);
      continue;
    }
    const [, name = "", labels = "", value = ""] = /^(\w+)(\{(?:\w+="[^"\\]*",?)+\})? (\S+)$/.exec(line) ?? [];
    const family = name.replace(/_(bucket|sum|count)$/, "");
    if (!announced.has(name) && !announced.has(family)) throw new Error(`No sample of a known metric: ${line}`);
    samples.set(`${name}${labels}`, Number(value));
  }
  return samples;
}

/** Returns the names of the metrics, without labels. */
export function metricNames(samples: Exposition): Set<string> {
  return new Set([...samples.keys()].map((key) => key.split("{", 1)[0] ?? ""));
}
