import {
  createTestAccount,
  createTestApi,
  roomyPlan,
  roomyWebhooks,
  type TestApi,
} from '@signpost/testing/api.ts';
import { type Browser, createBrowser, dashboardEnv, goodPassword, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi({ ...dashboardEnv, ...roomyWebhooks });
  await api.admin('create-user', 'operator@people.example', '--operator');
});
afterAll(() => api.close());

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const tables = await api.api.db.query<{ name: string }>(
    sql(
      'all-tables',
      `select format('%I', relname) as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    ),
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await api.api.db.query<{ text: string }>(
        sql(`all-rows-of-${name}`, `select r::text as text from ${name} r`),
      );
      return rows.map(({ text }) => `${name} ${text}`).join('\n');
    }),
  );
  return texts.join('\n');
}

const planted = /planted/i;

/** Somebody who has left a word of their own wherever one can be left. */
async function plantOwner(email: string): Promise<{ owner: Browser; account: string; key: string }> {
  const owner = await signUp(api, email);
  await owner.call({ method: 'PATCH', url: '/account/me', body: { name: 'Planted Person' } });
  const account = (await owner.call({ url: '/account/me' })).body.account.id as string;
  await api.admin('set-plan', account, roomyPlan);
  const made = await owner.call({
    method: 'POST',
    url: '/account/keys',
    body: { name: 'Planted key', mode: 'live', current_password: goodPassword },
  });
  const key = made.body.key as string;
  for (const mode of ['live', 'test'] as const) {
    const body = { name: 'Planted menu', destination_url: 'https://planted.example/one' };
    const code = await owner.call({ method: 'POST', url: '/account/v1/qrcodes', mode, body });
    expect(code.status).toBe(201);
    const change = { destination_url: 'https://planted.example/two' };
    await owner.call({ method: 'PATCH', url: `/account/v1/qrcodes/${code.body.id}`, mode, body: change });
    const hook = { url: 'https://8.8.8.8/planted', description: 'Planted hook' };
    const webhook = await owner.call({ method: 'POST', url: '/account/v1/webhooks', mode, body: hook });
    expect(webhook.status).toBe(201);
  }
  const headers = { 'idempotency-key': 'planted-1' };
  const body = { name: 'Planted by a key', destination_url: 'https://planted.example/three' };
  expect((await api.call({ method: 'POST', url: '/v1/qrcodes', key, headers, body })).status).toBe(201);
  await owner.call({ method: 'POST', url: '/auth/request-reset', body: { email } });
  return { owner, account, key };
}

describe('close-account', () => {
  test('without --yes shows whose account it is and does nothing', async () => {
    const { owner, account, key } = await plantOwner('first@people.example');
    const output = await api.admin('close-account', account);
    expect(output).toMatch(
      /^acct_\w+ {2}Somebody {2}\(roomy\) {2}codes: 3\n {2}owner {3}first@people\.example {2}is deleted$/m,
    );
    expect(output).toContain(`Nothing was done. To do it: signpost admin close-account ${account} --yes`);
    expect((await api.call({ url: '/v1/qrcodes', key })).body.pagination.total).toBe(2);
    expect((await owner.call({ url: '/account/me' })).status).toBe(200);
    await api.admin('close-account', account, '--yes');
  });

  test('leaves no word of the owner in any table, and nobody with a way in', async () => {
    const { owner, account, key } = await plantOwner('planted@people.example');
    expect(await everything()).toMatch(planted);
    const output = await api.admin('close-account', account, '--yes');
    expect(output).toContain(`${account} is closed. Codes deleted: 3, webhooks: 2.`);
    expect((await everything()).split('\n').filter(row => planted.test(row))).toEqual([]);
    expect((await api.call({ url: '/v1/qrcodes', key })).status).toBe(401);
    expect((await owner.call({ url: '/account/me' })).status).toBe(401);
    const again = { email: 'planted@people.example', password: goodPassword };
    const signIn = await createBrowser(api).call({ method: 'POST', url: '/auth/sign-in', body: again });
    expect(signIn.status).toBe(401);
    expect(await api.admin('list-accounts')).toMatch(new RegExp(`${account} .* closed 20`));
    for (const args of [
      ['create-key', account, 'live'],
      ['set-plan', account, 'pro'],
    ])
      await expect(api.admin(...args)).rejects.toThrow('No account has this id');
  });

  test('keeps the short codes of a closed account from everybody, and lets the e-mail sign up anew', async () => {
    const { owner, account } = await plantOwner('returns@people.example');
    const body = { name: 'x', destination_url: 'https://example.com', short_code: 'closed-menu' };
    await owner.call({ method: 'POST', url: '/account/v1/qrcodes', body });
    await api.admin('close-account', account, '--yes');
    const back = await signUp(api, 'returns@people.example');
    const taken = await back.call({ method: 'POST', url: '/account/v1/qrcodes', body });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'short_code_taken']);
  });

  test('of a run that was cut off is finished by the next, and another one finds nothing more to do', async () => {
    const { account } = await plantOwner('planted-again@people.example');
    const { db } = api.api;
    // As far as the command gets when it is killed right after the account was closed.
    await db.query(sql('half-closed', 'update accounts set closed_at = now() where id = $1'), [
      parseId('acct', account),
    ]);
    expect(await api.admin('close-account', account, '--yes')).toContain('Codes deleted: 3, webhooks: 2.');
    expect(await everything()).not.toMatch(planted);
    expect(await api.admin('close-account', account, '--yes')).toContain('Codes deleted: 0, webhooks: 0.');
  });

  test('deletes what is made while it runs, and afterwards nothing can be made', async () => {
    const busy = await createTestAccount(api.api);
    const create = (n: number) =>
      api.call({
        method: 'POST',
        url: '/v1/qrcodes',
        key: busy.live,
        body: { name: `Busy ${n}`, destination_url: 'https://example.com' },
      });
    for (let n = 0; n < 30; n++) await create(n);
    let closed = false;
    const statuses: number[] = [];
    const making = async () => {
      while (!closed) statuses.push((await create(0)).status);
    };
    const makers = [making(), making(), making()];
    await api.admin('close-account', formatId('acct', busy.id), '--yes');
    closed = true;
    await Promise.all(makers);
    expect(statuses.at(-1)).toBe(401);
    const left = await api.api.db.query(
      sql('left', `select id from qr_codes where account_id = $1 and status <> 'deleted'`),
      [busy.id],
    );
    expect(left).toEqual([]);
  });

  test('removes edits and earlier targets some thousand at a time, however many a code has, and keeps those that are evidence', async () => {
    const { db } = api.api;
    const busy = await createTestAccount(api.api);
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) {
      const body = { name: 'x', destination_url: `https://edited.example/${i}` };
      const made = await api.call({ method: 'POST', url: '/v1/qrcodes', key: busy.live, body });
      ids.push(parseId('qr', made.body.id)!);
    }
    await db.query(
      sql(
        'plant-edits',
        `insert into code_edits (id, qr_code_id, at, by_kind, field, before, after)
         select gen_random_uuid(), id, now(), 'operator', case when n % 4 = 0 then 'name' else 'destination_url' end,
                'https://before.example/' || n, 'https://after.example/' || n
           from unnest($1::uuid[]) as code (id), generate_series(1, 400) n`,
      ),
      [ids],
    );
    await db.query(
      sql(
        'plant-removed-targets',
        `insert into removed_targets (qr_code_id, kind, label, url, host, removed_at)
         select id, 'default', '', 'https://before.example/' || n, 'before.example', now() - n * interval '1 minute'
           from unnest($1::uuid[]) as code (id), generate_series(1, 700) n`,
      ),
      [ids],
    );
    const suspended = ids.slice(0, 55);
    await db.query(
      sql(
        'plant-suspensions',
        `insert into suspensions (id, account_id, qr_code_id, cause, reason, suspended_at)
         select gen_random_uuid(), $1, unnest($2::uuid[]), 'operator', 'x', now()`,
      ),
      [busy.id, suspended],
    );
    // No statement may work on more than this, and none may be left that does not end.
    for (const text of [
      `create function bound_rows() returns trigger language plpgsql as $$
       begin
         if (select count(*) from gone) > 5000 then raise 'too many rows in one statement'; end if;
         return null;
       end $$`,
      `create trigger bound_edits after delete on code_edits referencing old table as gone
         for each statement execute function bound_rows()`,
      `create trigger bound_removed after delete on removed_targets referencing old table as gone
         for each statement execute function bound_rows()`,
      `create function bound_evidence() returns trigger language plpgsql as $$
       begin
         if (select sum(jsonb_array_length(evidence->'targets')) from kept) > 5000
         then raise 'too much evidence in one statement'; end if;
         return null;
       end $$`,
      `create trigger bound_evidence after update on suspensions referencing new table as kept
         for each statement execute function bound_evidence()`,
      // Counts that went wrong are no reason to look for codes without end.
      `update code_counts set paused = paused + 1`,
    ])
      await db.query(sql(`bound-${text.length}`, text));
    const output = await api.admin('close-account', formatId('acct', busy.id), '--yes');
    expect(output).toContain('Codes deleted: 60');
    const [left] = await db.query<{ edits: number; tallies: number; evidence: number; full: number }>(
      sql(
        'left-of-busy',
        `select (select count(*) from code_edits where qr_code_id = any($2::uuid[]))
                + (select count(*) from removed_targets where qr_code_id = any($2::uuid[])) as edits,
                (select count(*) from code_counts where account_id = $1) as tallies,
                (select count(*) from suspensions where account_id = $1) as evidence,
                (select count(*) from suspensions where account_id = $1
                    and jsonb_array_length(evidence->'targets') = 600) as full`,
      ),
      [busy.id, ids],
    );
    expect(left).toEqual({ edits: 0, tallies: 0, evidence: 55, full: 55 });
  });

  test('keeps who made a suspended code, and nothing of who made the others', async () => {
    const { owner, account } = await plantOwner('maker@people.example');
    const accountId = parseId('acct', account)!;
    const codes = (await owner.call({ url: '/account/v1/qrcodes' })).body.data;
    const made = codes.find((code: { name: string }) => code.name === 'Planted menu');
    const code = new URL(made.short_url).pathname.slice(1);
    await api.admin('suspend-code', code, '--reason', 'Phishing');
    await api.admin('close-account', account, '--yes');
    const makers = () =>
      api.api.db.query(
        sql(
          'makers-kept',
          `select evidence->>'maker' as maker from suspensions
            where account_id = $1 and qr_code_id is not null order by evidence->>'mode', evidence->>'made_by' desc`,
        ),
        [accountId],
      );
    expect(await makers()).toEqual([{ maker: 'maker@people.example' }]);

    const whole = await plantOwner('whole@people.example');
    await api.admin('suspend-account', whole.account, '--reason', 'A farm');
    await api.admin('close-account', whole.account, '--yes');
    const kept = await api.api.db.query<{ maker: string }>(
      sql(
        'makers-of-whole',
        `select evidence->>'maker' as maker from suspensions where account_id = $1 and qr_code_id is not null`,
      ),
      [parseId('acct', whole.account)],
    );
    expect(kept.filter(({ maker }) => maker === 'whole@people.example').length).toBe(2);
    expect(kept.length).toBe(3);
  });

  test('refuses one that never was', async () => {
    await expect(api.admin('close-account', `acct_${'0'.repeat(26)}`)).rejects.toThrow(
      'No account has this id',
    );
    await expect(api.admin('close-account')).rejects.toThrow(/An account id is missing/);
  });
});
