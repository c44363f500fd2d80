import { measureKnownLag } from '../ingest/lag/lag.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { findSoleProcess } from '../platform/process-channel.ts';
import { type Outcome, ok, problem, warning } from './finding.ts';

const lateSeconds = 30;

/** For `signpost solo`: whether it runs, and how much of its scan log is not counted, as far as PostgreSQL knows. */
export async function checkSolo(db: Database): Promise<Outcome> {
  const isRunning = (await findSoleProcess(db)) !== null;
  const { entries, seconds } = await measureKnownLag(db);
  return assessSolo({ isRunning, entries, seconds });
}

function assessSolo(state: {
  readonly isRunning: boolean;
  readonly entries: number;
  readonly seconds: number;
}): Outcome {
  const { isRunning, entries, seconds } = state;
  const found = `${entries} entries of the scan log are not counted`;
  if (!isRunning)
    return (entries > 0 ? problem : warning)(
      `no \`signpost solo\` is running; ${found}`,
      'Start it. Until then short links do not work, and scans wait on its disk.',
    );
  if (entries === 0 || seconds <= lateSeconds) return ok(found);
  return warning(
    `${found}, for ${Math.round(seconds)} s`,
    'Is PostgreSQL slow, or the disk of CLICKHOUSE_URL full? The log of the process says which. See docs/self-hosting/runbooks/ingest-behind.md.',
  );
}
