import { parseArgs } from 'node:util';
import { checkEngineAddress } from '../../apps/server/src/kernel/addresses/engine-address.ts';
import { checkClickHouse, checkNames, toText } from './check.ts';
import { createRedaction } from './scratch.ts';

/**
 * `npm run check:clickhouse -- URL`: holds a real ClickHouse server against what Signpost relies on, in a database of its
 * own that is dropped at the end, and prints a report to paste into an issue.
 */
const usage = `Usage: npm run check:clickhouse -- http://user:password@host:8123 [--scans N] [--only NAME,NAME] [--backup-disk NAME]
The address may also be in CLICKHOUSE_URL, where other users of this machine cannot see the password.`;

const options = readArguments();
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    console.error(`\n${name}: dropping what the check has created`);
    stop.abort(new Error(`stopped by ${name}`));
  });

try {
  const isGood = await checkClickHouse(options, console.log, stop.signal);
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  console.error(createRedaction(options.url)(toText(error)));
  process.exitCode = 1;
}
// A query that nobody waits for any more would hold up the end.
process.exit();

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        scans: { type: 'string', default: '100000' },
        only: { type: 'string' },
        'backup-disk': { type: 'string' },
      },
    });
    const scans = Number(values.scans);
    if (positionals.length > 1 || !Number.isSafeInteger(scans) || scans < 1_000)
      throw new Error('Give one address, and at least 1000 scans.');
    const only = values.only?.split(',');
    const unknown = only?.find(name => !checkNames.includes(name));
    if (unknown !== undefined) throw new Error(`No check is called ${unknown}: ${checkNames.join(', ')}`);
    const url = checkEngineAddress('clickhouse', positionals[0] ?? process.env.CLICKHOUSE_URL ?? '');
    return { url, scans, only, backupDisk: values['backup-disk'] };
  } catch (error) {
    console.error(`${toText(error)}\n${usage}`);
    process.exit(1);
  }
}
