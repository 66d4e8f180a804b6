/** The plot is this wide in its own units and stretched to the room there is; its height is in pixels. */
export const plotWidth = 1_000;

/** Where the point stands from left (0) to right (1): the first at the edge, the last at the other, a single one between. */
export function positionOf(index: number, count: number): number {
  return count < 2 ? 0.5 : index / (count - 1);
}

/** Pixels from the top for a value between 0 and `top`. */
export function heightOf(value: number, top: number, height: number): number {
  return round(height * (1 - Math.min(Math.max(value / top, 0), 1)));
}

/** The values but for the last, which is of a day not over; and the last step alone. */
export function closedPart(values: readonly (number | null)[]): (number | null)[] {
  return values.map((value, index) => (index === values.length - 1 ? null : value));
}

export function openStep(values: readonly (number | null)[]): (number | null)[] {
  return values.map((value, index) => (index < values.length - 2 ? null : value));
}

/** A line through all values, broken where one is missing. */
export function linePath(values: readonly (number | null)[], top: number, height: number): string {
  return stretchesOf(values)
    .map((stretch) => `M${pointsOf(stretch, values.length, top, height).join("L")}`)
    .join("");
}

/** What lies below that line. */
export function areaPath(values: readonly (number | null)[], top: number, height: number): string {
  return stretchesOf(values)
    .map((stretch) => {
      const points = pointsOf(stretch, values.length, top, height);
      const [first, last] = [stretch[0]?.index ?? 0, stretch.at(-1)?.index ?? 0];
      return `M${x(first, values.length)} ${height}L${points.join("L")}L${x(last, values.length)} ${height}Z`;
    })
    .join("");
}

/** Values that have none beside them: a line of one point cannot be seen, so they are drawn as dots. */
export function lonePoints(values: readonly (number | null)[]): Point[] {
  return stretchesOf(values).flatMap((stretch) => (stretch.length === 1 ? stretch : []));
}

type Point = { index: number; value: number };

function stretchesOf(values: readonly (number | null)[]): Point[][] {
  const stretches: Point[][] = [];
  let current: Point[] | undefined;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      current = undefined;
    } else if (current) {
      current.push({ index, value });
    } else {
      current = [{ index, value }];
      stretches.push(current);
    }
  }
  return stretches;
}

function pointsOf(stretch: readonly Point[], count: number, top: number, height: number): string[] {
  return stretch.map(({ index, value }) => `${x(index, count)} ${heightOf(value, top, height)}`);
}

function x(index: number, count: number): number {
  return round(positionOf(index, count) * plotWidth);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
