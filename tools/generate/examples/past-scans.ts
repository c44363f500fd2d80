import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { parseId } from '../../../apps/server/src/kernel/ids.ts';
import { createNats } from '../../../apps/server/src/platform/nats/nats.ts';
import { sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import { encodeBatch } from '../../../apps/server/src/scans/log/format/batch.ts';
import { createScanLog } from '../../../apps/server/src/scans/log/scan-log.ts';
import type { Scan } from '../../../apps/server/src/scans/scan.ts';
import type { ExampleCode } from '../../dev/seed/codes.ts';
import { createRandom } from '../../dev/seed/random.ts';
import { scansOf } from '../../dev/seed/scans.ts';
import type { Installation } from './installation.ts';

/** How often a code was scanned in the weeks before the story goes on. */
export type ScannedCode = {
  readonly id: string;
  readonly perDay: number;
  readonly hours: ExampleCode['hours'];
};

/**
 * Four weeks of scans up to this time, the same every time, appended to the scan log as a redirect does. Resolves when they are
 * counted and stored.
 */
export async function addPastScans(
  { fixture }: Installation,
  accountId: string,
  codes: readonly ScannedCode[],
  until: string,
): Promise<void> {
  const random = createRandom(20_260_323);
  const owner = { accountId, mode: 'live', windowKind: 'month' } as const;
  const scans = codes
    .flatMap(({ id, perDay, hours }) => {
      const code = { name: '', destination: '', style: {}, made: 28, perDay, hours };
      return scansOf(code, parseId('qr', id)!, owner, Date.parse(until), random);
    })
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((scan, index): Scan => ({ ...scan, id: fixedId(scan.atMs, index, random.hex(8)) }));
  const nats = createNats(fixture.env.NATS_URL!, () => undefined);
  await waitUntil('NATS answers', () => nats.connection() !== null);
  // One batch: a visitor of a window that is long past is then counted in one go.
  await createScanLog({ nats })
    .appender(0)
    .append(encodeBatch({ id: fixedId(Date.parse(until), 0, '0123456789abcdef'), scans }), 5_000);
  await waitUntil('the scans are counted and stored', async () => {
    const [row] = await fixture.db.query<{ total: number; waiting: number }>(progress);
    return row!.total === scans.length && row!.waiting === 0;
  });
  await nats.close();
}

const progress = sql(
  'examples-progress',
  `select (select coalesce(sum(total_scans), 0) from scan_counts)::float8 as total,
          (select count(*) from ingest_groups)::float8 as waiting`,
);

/** A UUIDv7 of this time. */
export function fixedId(atMs: number, counter: number, hex: string): string {
  const time = atMs.toString(16).padStart(12, '0');
  const head = (0x7000 | (counter & 0xfff)).toString(16);
  const variant = ((Number.parseInt(hex[0]!, 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${head}-${variant}${hex.slice(1, 4)}-${hex.slice(4, 16)}`;
}
