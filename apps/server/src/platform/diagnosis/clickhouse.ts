import { access, constants, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatAddresses } from '../../kernel/addresses/engine-address.ts';
import { TimeoutError } from '../../kernel/running/with-timeout.ts';
import { clickHouseError } from '../clickhouse/clickhouse-errors.ts';
import { type Diagnosis, misconfiguration, outage } from './diagnosis.ts';
import { errorText, firstSentence } from './error-text.ts';

export function diagnoseClickHouse(error: unknown, server: string): Diagnosis | null {
  const refusal = clickHouseError(error);
  const { message } = errorText(error);
  if (/Port \d+ is for clickhouse/.test(message))
    return misconfiguration(
      `${server} is its port for native clients`,
      'Put the port of its HTTP interface into CLICKHOUSE_URL: 8123, or 8443 with https.',
    );
  if (refusal === null) return null;
  const quote = `${server} says: ${firstSentence(message) || refusal.type}`;
  if ([192, 193, 194, 291, 497, 516].includes(refusal.code))
    return misconfiguration(
      quote,
      'Correct the user and the password in CLICKHOUSE_URL, and grant the user access to its database.',
    );
  if (refusal.code === 81)
    return misconfiguration(
      quote,
      'Create it (`create database NAME`), or correct the name after the last / of CLICKHOUSE_URL.',
    );
  return outage(quote, 'Check its log, and try again.');
}

/** The engine inside this process. */
export async function diagnoseChdb(address: string, error: unknown): Promise<Diagnosis> {
  const { code, message, name } = errorText(error);
  if (code === 'ERR_MODULE_NOT_FOUND' || /Cannot find (package|module)/.test(message))
    return misconfiguration(
      'the engine inside the process, chdb, is not installed',
      'Run `npm ci` without `--omit=optional` (the image `small` has it), or use a ClickHouse server.',
    );
  if (error instanceof TimeoutError || name === 'TimeoutError')
    return outage(
      'the engine inside the process does not answer in time',
      'Check the load of this machine, and the space on its disk.',
    );
  if (code !== 'CHDB_CONNECTION')
    return outage(
      `the engine inside the process says: ${firstSentence(message || String(error))}`,
      'Check the lines above, and try again.',
    );
  const dir = formatAddresses('clickhouse', address);
  const isWritable = await access(dir, constants.W_OK | constants.X_OK).then(
    async () => (await stat(dir)).isDirectory(),
    () => false,
  );
  if (!isWritable)
    return misconfiguration(
      `this user cannot write to the directory ${dir}`,
      'Create it and make this user its owner, or name another in CLICKHOUSE_URL.',
    );
  const holder = await lockHolder(join(dir, 'status'));
  if (holder === null)
    return misconfiguration(
      `the engine inside the process says: ${firstSentence(message)}`,
      `Check the engine's line above, and the space on its disk. \`Code: 76\` means that another process has it open, maybe in another container: ${oneAtATime}`,
    );
  return misconfiguration(
    `the directory ${dir} is in use by another process (PID ${holder})`,
    `Only one process at a time can open it: ${oneAtATime}`,
  );
}

const oneAtATime =
  'stop the running `signpost all`, run this, and start it again. With a ClickHouse server (http://…) both run side by side.';

/** The process that has locked a file, as far as Linux shows it. The engine's own error does not say why it could not open. */
async function lockHolder(path: string): Promise<string | null> {
  try {
    const [{ ino }, locks] = await Promise.all([stat(path), readFile('/proc/locks', 'utf8')]);
    return new RegExp(`WRITE (\\d+) [\\da-f]+:[\\da-f]+:${ino} `).exec(locks)?.[1] ?? null;
  } catch {
    // There is no such file, or the system is not Linux.
    return null;
  }
}
