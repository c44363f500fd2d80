import { randomBytes } from 'node:crypto';
import { passwordLength } from '@signpost/contract';
import { createAccounts } from '../../apps/server/src/accounts/service.ts';
import { createAccountStore } from '../../apps/server/src/accounts/store.ts';
import type { Config } from '../../apps/server/src/config.ts';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { createIds, type Uuid } from '../../apps/server/src/kernel/ids.ts';
import { createPool, type Postgres, sql } from '../../apps/server/src/platform/postgres.ts';
import { createEngine } from '../../apps/server/src/users/engine.ts';
import { createUsers } from '../../apps/server/src/users/service.ts';

export type Demo = {
  readonly email: string;
  readonly password: string;
  readonly userId: Uuid;
  readonly accountId: Uuid;
};

const email = 'demo@signpost.example';

/** The owner of the example: made anew, or given a new password. It works on the stores, so no limit is in its way. */
export async function ensureDemo(config: Config, db: Postgres): Promise<Demo> {
  const ids = createIds(systemClock);
  const pool = createPool({ ...config, databasePoolSize: 2 }, () => undefined);
  const password = randomBytes(12).toString('base64url');
  let token = '';
  const engine = createEngine({
    pool,
    ids,
    secret: config.authSecret,
    publicUrl: config.publicUrl,
    sessionDays: config.sessionDays,
    password: passwordLength,
    nameDevice: () => 'seed',
    sendReset: async (_user, sent) => {
      token = sent;
    },
    logger: { error: (...words: unknown[]) => console.error(...words) },
  });
  const users = createUsers({
    ...config,
    db,
    engine,
    ids,
    clock: systemClock,
    signUp: 'open',
    attempts: { take: async () => async () => undefined },
    onResetFailed: () => undefined,
  });
  try {
    await engine.requestReset(email);
    if (token !== '') await engine.reset(token, password);
    else await users.signUp({ name: 'Demo', email, password }, { headers: new Headers(), address: '' });
    const [row] = await db.query<{ user_id: Uuid; account_id: Uuid }>(memberOf, [email]);
    if (!row) throw new Error(`${email} has no account`);
    const accounts = createAccounts({
      store: createAccountStore(db),
      forgetter: { forget: async () => undefined },
      ids,
      clock: systemClock,
    });
    await accounts.setPlan(row.account_id, 'business');
    for (const [mode, name] of [
      ['live', 'Web shop'],
      ['test', 'Continuous integration'],
    ] as const) {
      const known = await accounts.keys(row.account_id);
      if (!known.some(key => key.name === name)) await accounts.createKey(row.account_id, mode, name);
    }
    return { email, password, userId: row.user_id, accountId: row.account_id };
  } finally {
    await pool.end();
  }
}

const memberOf = sql(
  'seed-member',
  'select m.user_id, m.account_id from members m join auth_users u on u.id = m.user_id where u.email = $1',
);
