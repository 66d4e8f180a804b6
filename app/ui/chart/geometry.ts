/** The plot's width in its own units, stretched to the available width; its height is in pixels. */
export const plotWidth = 1_000;

/**
 * Returns a point's position from left (0) to right (1): the first at one edge, the last at the other, a single one in
 * the middle.
 */
export function xFraction(index: number, count: number): number {
  return count < 2 ? 0.5 : index / (count - 1);
}

/** Returns the pixels from the top for a value between 0 and `top`. */
export function yPixels(value: number, top: number, height: number): number {
  return round(height * (1 - Math.min(Math.max(value / top, 0), 1)));
}

/** Which ends of a line are incomplete: its last point when it is today, its first when the period cuts it. */
export type PartialEnds = { first: boolean; last: boolean };

/** Returns the values without the incomplete ends. */
export function completePoints(values: readonly (number | null)[], { first, last }: PartialEnds): (number | null)[] {
  return values.map((value, index) => ((first && index === 0) || (last && index === values.length - 1) ? null : value));
}

/** Returns the stretches to the incomplete ends. */
export function partialPoints(values: readonly (number | null)[], { first, last }: PartialEnds): (number | null)[][] {
  const near = (isNear: (index: number) => boolean) => values.map((value, index) => (isNear(index) ? value : null));
  return [
    ...(first ? [near((index) => index < 2)] : []),
    ...(last ? [near((index) => index > values.length - 3)] : []),
  ];
}

/** Returns the path of a line through all values, interrupted where one is missing. */
export function linePath(values: readonly (number | null)[], top: number, height: number): string {
  return stretchesOf(values)
    .map((stretch) => `M${pointsOf(stretch, values.length, top, height).join("L")}`)
    .join("");
}

/** Returns the path of the area below the line. */
export function areaPath(values: readonly (number | null)[], top: number, height: number): string {
  return stretchesOf(values)
    .map((stretch) => {
      const points = pointsOf(stretch, values.length, top, height);
      const [first, last] = [stretch[0]?.index ?? 0, stretch.at(-1)?.index ?? 0];
      return `M${x(first, values.length)} ${height}L${points.join("L")}L${x(last, values.length)} ${height}Z`;
    })
    .join("");
}

/** Returns the values without neighbors: a line of one point is invisible, so they are drawn as dots. */
export function isolatedPoints(values: readonly (number | null)[]): Point[] {
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
  return stretch.map(({ index, value }) => `${x(index, count)} ${yPixels(value, top, height)}`);
}

function x(index: number, count: number): number {
  return round(xFraction(index, count) * plotWidth);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
