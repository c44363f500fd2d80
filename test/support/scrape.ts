/** The series of a scrape whose names begin with a name and that have all these labels, added up; NaN where there is none. */
export function told(text: string, name: string, ...labels: readonly string[]): number {
  const values = text
    .split('\n')
    .filter(line => line.startsWith(`${name}{`) && labels.every(label => line.includes(label)))
    .map(line => Number(line.split(' ').at(-1)!.replace('+Inf', 'Infinity')));
  return values.length > 0 ? values.reduce((sum, value) => sum + value) : Number.NaN;
}

export const scrape = async (metricsUrl: string) => (await fetch(metricsUrl)).text();
