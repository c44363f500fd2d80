import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { dashboardEnv, signUp } from '@signpost/testing/people.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLinkNames } from '../../kernel/addresses/link-names.ts';
import { formatId, parseId, type Uuid } from '../../kernel/ids.ts';
import { type Database, type Statement, sql } from '../../platform/postgres/postgres.ts';
import * as evidenceStatements from '../evidence-statements.ts';
import { selectTargets } from '../targets.ts';
import * as hostStatements from './host-statements.ts';
import * as view from './operator-view.ts';
import * as statements from './statements.ts';

const linkNames = createLinkNames('https://sign.example');
let api: TestApi;
let db: Database;
let owner: TestAccount;

beforeAll(async () => {
  api = await createTestApi(dashboardEnv);
  db = api.api.db;
  owner = await api.account();
  await api.admin('create-user', 'operator@people.example', '--operator');
});
afterAll(() => api.close());

const create = async (destination_url: string, more: object = {}, key = owner.live) => {
  const body = { name: 'x', destination_url, ...more };
  return (await api.call({ method: 'POST', url: '/v1/qrcodes', key, body })).body;
};

describe('who', () => {
  test('leads from a short link to the code, its account and the other codes of it', async () => {
    const browser = await signUp(api, 'thief@people.example');
    const account = (await browser.call({ url: '/account/me' })).body.account.id as string;
    const make = (destination_url: string, short_code: string) =>
      browser.call({
        method: 'POST',
        url: '/account/v1/qrcodes',
        body: { name: 'Parking fine', destination_url, short_code },
      });
    await make('https://pay.thief.example/1', 'Fine-1');
    await make('https://pay.thief.example/2', 'fine-2');
    const output = await api.admin('who', 'https://sign.example/FINE-1?utm_source=qr');
    expect(output).toContain('https://sign.example/Fine-1\n  leads to https://pay.thief.example/1\n');
    expect(output).toMatch(/created 20\S+ in the dashboard/);
    expect(output).toContain('scans: 0');
    expect(output).toContain(account);
    expect(output).toContain('  owner  thief@people.example (not confirmed)');
    expect(output).toMatch(
      /codes: live 2, test 0, suspended 0\n.*fine-2 {2}active {2}https:\/\/pay\.thief\.example\/2/,
    );

    const suspended = await api.admin('suspend-code', 'fine-1', '--reason', 'Reported as phishing');
    expect(suspended).toMatch(/^Fine-1 is suspended on all redirects \(\d+\.\d\d s\)\./);
    expect(await api.admin('who', 'fine-1')).toContain('by the operator: Reported as phishing');
    expect(await api.admin('suspend-account', account, '--reason', 'A thief')).toContain('is suspended');
    expect(await api.admin('who', 'fine-2')).toMatch(new RegExp(`${account} .* suspended\n`));
    const listed = await api.admin('list-suspensions');
    expect(listed).toMatch(
      new RegExp(`${account}  operator  A thief\n.*Fine-1  operator  Reported as phishing`),
    );
    expect(await api.admin('list-suspensions', '--appealed')).toBe('There are no appeals.');
    const link = 'https://sign.example/FINE-1+';
    expect(await api.admin('suspend-code', link, '--reason', 'Another')).toContain(
      'It was already suspended, 20',
    );
    expect(await api.admin('release-code', link)).toMatch(
      new RegExp(`^fine-1 is released.*\\nIts link stays stopped: its account is suspended .*${account}`),
    );
    await api.admin('suspend-code', link, '--reason', 'Once more');
    expect(await api.admin('release-account', account)).toMatch(
      /is released on all redirects.*\n1 code stays suspended by itself/,
    );
    expect(await api.admin('release-code', link)).toContain('Its link works again.');
    await api.admin('suspend-code', link, '--reason', 'Once more');
    await api.admin('pause-code', 'sign.example/fine-1');
    expect(await api.admin('release-code', link)).toContain('the code is paused, and its owner can');
    const hold = sql('hold-account-of-who', 'update accounts set held_at = now() where id = $1');
    await db.query(hold, [parseId('acct', account)]);
    await api.admin('suspend-code', link, '--reason', 'Once more');
    expect(await api.admin('release-code', link)).toContain('confirms their e-mail address');
    expect(await api.admin('list-suspensions')).toBe('Nothing is suspended.');
  });

  test('finds the codes that lead to a host or below it, newest first, and no others', async () => {
    const codes = [];
    for (const url of ['https://a.lure.example/1', 'https://LURE.example./2', 'https://lure.example/3'])
      codes.push((await create(url)).id);
    await create('https://notlure.example');
    await create('https://lure.example.org');
    const found = await view.findCodes(db, 'https://lure.example/any', linkNames);
    expect(found.map(({ id }) => formatId('qr', id))).toEqual(codes.reverse());
    expect(found[0]).toMatchObject({
      account: { id: owner.id, suspended: false, held: false },
      madeBy: 'api',
    });
    expect(await api.admin('who', 'https://lure.example/')).toContain(
      'Codes that lead there: 3, accounts: 1',
    );
    await expect(api.admin('who', 'unheard-of.example')).rejects.toThrow(/none leads there/);
    await expect(api.admin('who')).rejects.toThrow(/Say what to look for/);
  });

  test('says that there may be more than the newest 50', async () => {
    for (let i = 0; i < 51; i++) await create(`https://many.example/${i}`);
    const output = await api.admin('who', 'https://many.example');
    expect(output).toMatch(/^The newest 50 codes that lead there; there may be more\.\n/);
    expect(output).toContain('https://many.example/50');
  });

  test('finds codes by id, deleted ones included', async () => {
    const { id } = await create('https://gone.example');
    await api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key: owner.live });
    const [found] = await view.findCodesById(db, [parseId('qr', id)!]);
    expect(found).toMatchObject({ status: 'deleted', destinationUrl: '', account: { id: owner.id } });
  });

  test('says what is missing, and suspends nothing without a reason', async () => {
    await expect(api.admin('suspend-code', 'menu')).rejects.toThrow(/Give a reason/);
    await expect(api.admin('suspend-code')).rejects.toThrow(/Name the code/);
    await expect(api.admin('suspend-account', 'x', '--reason', 'y')).rejects.toThrow(
      'x is not an account id. Ids look like acct_…; signpost admin list-accounts shows them',
    );
    await expect(api.admin('suspend-code', 'https://other.example/x', '--reason', 'y')).rejects.toThrow(
      'https://other.example/x is not a short link of this service. Short links begin with https://sign.example/',
    );
    await expect(api.admin('release-code', 'never-was')).rejects.toThrow(/No code has the short link/);
  });
});

describe('the codes of an account', () => {
  test('are of both modes, page by page, newest first', async () => {
    const some = await api.account();
    const made: string[] = [];
    for (let i = 0; i < 7; i++)
      made.unshift((await create(`https://list.example/${i}`, {}, i % 3 === 0 ? some.test : some.live)).id);
    const pages = await Promise.all(
      [1, 2, 3, 4].map(page => view.listCodes(db, some.id, { page, limit: 3 })),
    );
    expect(pages.flatMap(({ items }) => items.map(({ id }) => formatId('qr', id)))).toEqual(made);
    expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7]);
    expect(await view.findAccount(db, some.id)).toMatchObject({ liveCodes: 4, testCodes: 3, people: [] });
  });
});

/** Codes of which each has a target and an open suspension, enough of them that reading all costs more than an index. */
const many = 5000;

test('no statement of suspensions reads a large table from end to end', async () => {
  const client = new pg.Client({ connectionString: await createTestDatabase() });
  await client.connect();
  try {
    const id: Uuid = '01900000-0000-7000-8000-000000000000';
    await client.query(fillMany);
    await client.query('analyze');
    const asked: readonly (readonly [Statement, unknown[]])[] = [
      [statements.findSuspension, [id]],
      [statements.findOpenOfAccount, [id]],
      [statements.findOfCode, [id]],
      [statements.listOpen, [0, 20]],
      [statements.listAppealed, [0, 20]],
      [statements.lockCodeById, [id]],
      [statements.lockCodeByKey, ['abc']],
      [statements.suspendCode, [id, id, 'x', new Date()]],
      [statements.releaseOne, [id, new Date()]],
      [statements.releaseCode, [id, new Date()]],
      [statements.releaseAccount, [id, new Date()]],
      [statements.findOwnCode, [id, id, 'live']],
      [statements.ownOfCode, [id]],
      [statements.ownOfAccount, [id]],
      [statements.appealCode, [id, 'x', new Date()]],
      [statements.appealAccount, [id, 'x', new Date()]],
      [hostStatements.findLeadingTo, ['rare.example', id, 50_000]],
      [hostStatements.lockTargets, ['rare.example', [id]]],
      [hostStatements.suspendByHost, ['rare.example', [id], 'x', new Date()]],
      [hostStatements.releaseByHost, ['rare.example', new Date(), 2000]],
      [evidenceStatements.concernsCodes, [id, [id]]],
      [evidenceStatements.keepEvidence, [id, [id], new Date(), ['[]']]],
      [
        evidenceStatements.markBlocked,
        [id, [id], ['rare.example'], ['x'], ['https://e.example'], new Date()],
      ],
      [statements.blockedTarget, [id]],
      [selectTargets, [[id], 20, 'rare.example']],
      [evidenceStatements.lockOfCodes, [[id]]],
      [evidenceStatements.openOfCodes, [id, id, 1000]],
      [evidenceStatements.saveMakers, [[id]]],
      [evidenceStatements.deleteReleasedOfCodes, [id, [id]]],
      [evidenceStatements.keepAccountEvidence, [id, new Date()]],
      [evidenceStatements.deleteReleasedOfAccount, [id]],
      [evidenceStatements.removeEvidence, [new Date(0), 1000]],
      [evidenceStatements.readEvidence, [id]],
    ];
    const scanned: string[] = [];
    for (const [{ name, text }, given] of asked) {
      const { rows } = await client.query(`explain (format json) ${text}`, given);
      for (const table of scannedTables(rows[0]['QUERY PLAN'])) scanned.push(`${name}: ${table}`);
    }
    expect(scanned).toEqual([]);
  } finally {
    await client.end();
  }
});

const fillMany = `
  with a as (insert into accounts (id, name, plan, created_at)
             select gen_random_uuid(), 'x', 'free', now() from generate_series(1, 500) returning id),
       numbered as (select id, row_number() over () - 1 as n from a),
       c as (insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style,
                                   created_at, updated_at)
             select gen_random_uuid(), numbered.id, 'live', i, 'active', 'api', 'f-' || i, 'f-' || i, 'x', 'https://e.example', '{}',
                    now(), now()
               from generate_series(1, ${many}) i join numbered on numbered.n = i % 500 returning id, account_id, number),
       t as (insert into code_targets (qr_code_id, kind, url, host, url_hash)
             select id, 'default', 'https://e.example', 'h' || number || '.example', substr(sha256(id::text::bytea), 1, 16)
               from c),
       r as (insert into removed_targets (qr_code_id, kind, label, url, host, removed_at)
             select id, 'default', '', 'https://e.example', 'h' || number || '.example', now() from c)
  insert into suspensions (id, account_id, qr_code_id, cause, source, reason, suspended_at)
  select gen_random_uuid(), account_id, id, 'host', 'h' || number || '.example', 'x', now() - number * interval '1 second'
    from c`;

const large = ['qr_codes', 'code_targets', 'removed_targets', 'suspensions'];

function scannedTables(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(scannedTables);
  if (typeof node !== 'object' || node === null) return [];
  const plan = node as Record<string, unknown>;
  const table = String(plan['Relation Name']);
  const own = plan['Node Type'] === 'Seq Scan' && large.includes(table) ? [table] : [];
  return [...own, ...Object.values(plan).flatMap(scannedTables)];
}
