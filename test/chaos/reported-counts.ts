import { setTimeout as pause } from 'node:timers/promises';
import { ask, inParallel } from '@signpost/testing/client.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import type { Cluster } from './cluster.ts';

/** What the API reports for a code in its summary, its series and its export. */
export type ReportedCounts = {
  readonly summary: number;
  readonly visitors: number;
  readonly series: number;
  readonly exported: number;
};

/** An account whose share of queries is in use is refused for a moment: on a slow machine that happens here. */
const [maxRefusals, refusedPauseMs] = [30, 1_000];

/** By the path of the short link. Any other status than 200 fails the run. */
export async function readReportedCounts({
  api,
  codes,
}: Pick<Cluster, 'codes'> & { readonly api: Pick<TestServer, 'url'> }): Promise<Map<string, ReportedCounts>> {
  async function read(path: string, key: string) {
    for (let refusals = 0; ; refusals++) {
      const { status, body } = await ask({ url: `${api.url}${path}`, key });
      if (status === 200) return body;
      if (status !== 429 || refusals === maxRefusals) throw new Error(`${path} answers ${status}`);
      await pause(refusedPauseMs);
    }
  }
  const counts = await inParallel(codes.length, 4, async (index): Promise<[string, ReportedCounts]> => {
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
  return new Map(counts);
}
