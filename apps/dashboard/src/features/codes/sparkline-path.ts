/** The line through some counts, from left to right, with room for its stroke at the top and the bottom. */
export function sparklinePath(counts: readonly number[], width: number, height: number): string {
  const most = Math.max(1, ...counts);
  const step = width / Math.max(1, counts.length - 1);
  const points = counts.map((count, at) => {
    const y = height - 1 - (count / most) * (height - 2);
    return `${round(at * step)} ${round(y)}`;
  });
  return `M${points.join('L')}`;
}

const round = (value: number) => Math.round(value * 10) / 10;
