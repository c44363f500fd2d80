import { ask, inParallel } from '../support/client.ts';
import type { Stage } from './stage.ts';

/** What the API tells of a code: by its summary, its series and its export. */
export type Answers = {
  readonly summary: number;
  readonly visitors: number;
  readonly series: number;
  readonly exported: number;
};

/** By the path of the short link. Whatever is not answered with 200 is a fault of the run. */
export async function readAnswers({ api, codes }: Stage): Promise<Map<string, Answers>> {
  async function read(path: string, key: string) {
    const { status, body } = await ask({ url: `${api.url}${path}`, key });
    if (status !== 200) throw new Error(`${path} answers ${status}`);
    return body;
  }
  const answers = await inParallel(codes.length, 4, async (index): Promise<[string, Answers]> => {
    const { id, path, key } = codes[index]!;
    const base = `/v1/qrcodes/${id}/analytics`;
    const [{ summary }, series, csv] = await Promise.all([
      read(base, key),
      read(`${base}/timeseries?interval=hour`, key),
      read(`${base}/export`, key),
    ]);
    return [
      path,
      {
        summary: summary.total_scans,
        visitors: summary.unique_visitors,
        series: series.data.reduce(
          (sum: number, entry: { total_scans: number }) => sum + entry.total_scans,
          0,
        ),
        // One line is the header.
        exported: csv.split('\r\n').length - 2,
      },
    ];
  });
  return new Map(answers);
}
