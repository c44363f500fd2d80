import { randomBytes } from 'node:crypto';
import { createAccounts } from '../../../apps/server/src/accounts/service.ts';
import { createAccountStore } from '../../../apps/server/src/accounts/store.ts';
import { systemClock } from '../../../apps/server/src/kernel/clock.ts';
import { createIds, type Uuid } from '../../../apps/server/src/kernel/ids.ts';
import { type Database, sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import { openAccount } from '../../../apps/server/src/users/members/member.ts';
import { setPassword } from '../../../apps/server/src/users/recovery/recovery-store.ts';
import { insertUser } from '../../../apps/server/src/users/sign-in/new-user.ts';
import { scryptPasswords } from '../../../apps/server/src/users/sign-in/passwords.ts';

export type Demo = {
  readonly email: string;
  readonly password: string;
  readonly userId: Uuid;
  readonly accountId: Uuid;
  readonly testTag: string;
};

const email = 'demo@signpost.example';

/** Creates the owner of the example, or resets the password. It works on the stores directly, so no limits apply. */
export async function ensureDemo(db: Database): Promise<Demo> {
  const ids = createIds(systemClock);
  const at = systemClock.now();
  const password = randomBytes(12).toString('base64url');
  const credential = { id: ids.next(), hash: await scryptPasswords.hash(password) };
  await db.transaction(async tx => {
    const [known] = await tx.query<{ user_id: Uuid }>(memberOf, [email]);
    if (known) return await setPassword(tx, { ...credential, userId: known.user_id, at });
    const owner = { id: ids.next(), name: 'Demo', email, at };
    await insertUser(tx, owner, credential);
    await openAccount(tx, {
      id: ids.next(),
      name: owner.name,
      plan: 'business',
      ownerId: owner.id,
      createdAt: at,
    });
  });
  const [row] = await db.query<{ user_id: Uuid; account_id: Uuid; test_tag: string }>(memberOf, [email]);
  if (!row) throw new Error(`${email} has no account`);
  const accounts = createAccounts({
    store: createAccountStore(db),
    keyInvalidator: { invalidate: async () => undefined },
    ids,
    clock: systemClock,
  });
  await accounts.setPlan(row.account_id, 'business');
  for (const [mode, name] of [
    ['live', 'Web shop'],
    ['test', 'Continuous integration'],
  ] as const) {
    const known = await accounts.keys(row.account_id);
    if (!known.some(key => key.name === name)) await accounts.createKey(row.account_id, mode, { name });
  }
  const { user_id: userId, account_id: accountId, test_tag: testTag } = row;
  return { email, password, userId, accountId, testTag };
}

const memberOf = sql(
  'seed-member',
  `select m.user_id, m.account_id, a.test_tag
     from members m join auth_users u on u.id = m.user_id join accounts a on a.id = m.account_id
    where u.email = $1 order by m.created_at, m.account_id limit 1`,
);
