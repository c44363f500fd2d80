/** The sum of all series whose names begin with `name` and that have these labels; NaN if there are none. */
export function metricValue(text: string, name: string, ...labels: readonly string[]): number {
  const values = text
    .split('\n')
    .filter(line => line.startsWith(`${name}{`) && labels.every(label => line.includes(label)))
    .map(line => Number(line.split(' ').at(-1)!.replace('+Inf', 'Infinity')));
  return values.length > 0 ? values.reduce((sum, value) => sum + value) : Number.NaN;
}

export const scrape = async (metricsUrl: string) => (await fetch(metricsUrl)).text();
