/** An axis from 0 to `top` with a line at each of `ticks`, which are `step` apart. */
export type Axis = { top: number; step: number; ticks: readonly number[] };

export type AxisRange = { max: number; whole: boolean };

/** The possible numbers of steps, in order of preference. */
const counts = [4, 5, 3, 2, 1];
const roundDigits = [1, 2, 2.5, 5, 10];
const nothing: Axis = { top: 1, step: 1, ticks: [0] };

/**
 * Returns the axes of one chart: the same number of steps on each, all steps round (1, 2, 2.5 or 5 times a power of
 * ten), and as little room above the largest values as possible. Without a value above 0, an axis has only its
 * baseline.
 */
export function niceAxes(needs: readonly AxisRange[]): Axis[] {
  const real = needs.filter(({ max }) => max > 0);
  let best = { count: 4, waste: Number.POSITIVE_INFINITY };
  for (const count of counts) {
    const waste = real.reduce((product, need) => (product * roundStep(need, count) * count) / need.max, 1);
    if (waste < best.waste - 1e-9) best = { count, waste };
  }
  return needs.map((need) => (need.max > 0 ? axisOf(roundStep(need, best.count), best.count) : nothing));
}

function axisOf(step: number, count: number): Axis {
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
  return { top: ticks.at(-1) ?? step, step, ticks };
}

/** Returns the smallest round step of which `count` reach the largest value. */
function roundStep({ max, whole }: AxisRange, count: number): number {
  const least = max / count;
  if (whole && least <= 1) return 1;
  const exponent = Math.floor(Math.log10(least));
  for (const digits of roundDigits) {
    const step = Number(`${digits}e${exponent}`);
    if (step >= least * (1 - 1e-9) && (!whole || Number.isInteger(step))) return step;
  }
  return Number(`1e${exponent + 1}`);
}
