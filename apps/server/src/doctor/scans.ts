import { findStore, type StoreName } from '../scans/stores/claim.ts';
import { estimateRows } from '../scans/stores/postgres/stored-rows.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, problem, warning } from './finding.ts';

/** PostgreSQL alone is meant for up to five million scans: this leaves time to prepare. */
const manyScans = 3_000_000;

/** Whether the settings name the store that has the scans, and whether it is still the right one. */
export async function checkScans({ config, postgres }: DoctorContext): Promise<Outcome> {
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  const { db } = postgres;
  const configured = config.clickhouseUrl === '' ? 'postgres' : 'clickhouse';
  try {
    return assessScans({ store: await findStore(db), configured, rows: await estimateRows(db) });
  } catch (error) {
    return warning(describeError(error), 'Run `signpost migrate`, then run this again.');
  }
}

export function assessScans({
  store,
  configured,
  rows,
}: {
  readonly store: StoreName | null;
  readonly configured: StoreName;
  readonly rows: number;
}): Outcome {
  if (store === null) return ok('none are stored yet');
  if (store !== configured)
    return problem(
      `they are in ${names[store]}, and these settings say ${names[configured]}`,
      store === 'clickhouse'
        ? 'Set CLICKHOUSE_URL to the address of that ClickHouse, and restart every process except redirects.'
        : 'Remove CLICKHOUSE_URL, or copy them with `signpost move-scans`.',
    );
  if (store === 'clickhouse')
    return rows > 0
      ? warning(
          `they are in ClickHouse, and PostgreSQL still has a copy of about ${rows}`,
          'When every process has been restarted: `signpost move-scans --drop`.',
        )
      : ok('they are in ClickHouse');
  const found = `PostgreSQL stores about ${rows}`;
  if (rows < manyScans) return ok(found);
  return warning(
    `${found}, and is meant for up to 5000000`,
    'With a ClickHouse server, figures of long periods take a fraction of the time, and a scan a tenth of the space: `signpost move-scans` copies them while everything runs. See docs/self-hosting/README.md.',
  );
}

const names: Readonly<Record<StoreName, string>> = { postgres: 'PostgreSQL', clickhouse: 'ClickHouse' };
