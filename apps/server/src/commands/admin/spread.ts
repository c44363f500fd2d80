import { parseArgs } from 'node:util';
import { formatId } from '../../kernel/ids.ts';
import {
  nextSpreadStart,
  listSpreads as readSpreads,
  setSpread as writeSpread,
} from '../../scans/log/spreads.ts';
import { requireId, usageError } from './arguments.ts';
import type { AdminCommand } from './context.ts';

export const spreadUsage = `signpost admin set-spread ACCOUNT SHARDS [--now]
                                         spreads its scans over several shards of the log, from the next visitor window
                                         on; with --now, at once
signpost admin list-spreads`;

export const setSpread: AdminCommand = async (args, { accounts, engines: { config, db, clock }, print }) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { now: { type: 'boolean', default: false } },
  });
  const [id = '', text = ''] = positionals;
  const account = await accounts.get(requireId('acct', id, spreadUsage));
  const shards = Number(text);
  const { scanShards, visitorWindow } = config;
  if (!Number.isInteger(shards) || shards < 1 || shards > scanShards)
    throw usageError(`SHARDS must be a whole number from 1 to ${scanShards} (SCAN_SHARDS).`, spreadUsage);
  const now = clock.now();
  const from = values.now ? now : nextSpreadStart(now.getTime(), visitorWindow);
  await writeSpread(db, { accountId: account.id, from, shards });
  print(`${formatId('acct', account.id)} uses ${formatShards(shards)} from ${from.toISOString()} on.`);
  if (values.now)
    print('Redirects read this within half a minute. Visitors of this window still count once.');
};

export const listSpreads: AdminCommand = async (_args, { engines: { db }, print }) => {
  const spreads = await readSpreads(db);
  for (const { accountId, from, shards } of spreads)
    print(`${formatId('acct', accountId)}  ${from.toISOString()}  ${formatShards(shards)}`);
  if (spreads.length === 0) print('No account is spread: each has one shard.');
};

const formatShards = (shards: number) => (shards === 1 ? '1 shard' : `${shards} shards`);
