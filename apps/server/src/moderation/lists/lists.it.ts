import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { runCommand } from '@signpost/testing/server.ts';
import { fillTargets } from '@signpost/testing/targets.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds, parseId } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';
import type { ReleasedCode, SuspendedCode } from '../suspensions/suspension.ts';
import { createListJobs } from './daily-check.ts';
import { importList } from './import-list.ts';
import { createListCheck, firstTarget } from './list-check.ts';
import { createListedFinder, findListed, noListsMs } from './listed.ts';
import { deleteDroppedGenerations } from './store.ts';

let api: TestApi;
let owner: TestAccount;
const directory = mkdtempSync(join(tmpdir(), 'signpost-lists-'));

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.account();
});
afterAll(() => api.close());

const run = (text: string, values: unknown[] = []) =>
  api.api.db.query<Record<string, unknown>>(
    sql(`lists-it-${text.length}-${text.slice(0, 30)}`, text),
    values,
  );

function fileOf(...lines: string[]): string {
  const file = join(directory, `${Math.random()}.txt`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
const load = (name: string, format: string, lines: string[], ...more: string[]) =>
  api.admin('import-list', fileOf(...lines), '--name', name, '--format', format, ...more);
const create = async (destination_url: string, more: object = {}, key = owner.live) =>
  api.call({ method: 'POST', url: '/v1/qrcodes', key, body: { name: 'x', destination_url, ...more } });
const listedBy = (list: string) => ({
  status: 403,
  body: {
    error: {
      code: 'destination_blocked',
      param: 'destination_url',
      message: expect.stringMatching(new RegExp(`on the blocklist ${list}.*ask the operator.*mistake`)),
    },
  },
});
const suspensions = () =>
  run(
    `select qr_code_id, source, cause, reason, url, released_at is null as open from suspensions order by suspended_at, source`,
  );

beforeEach(async () => {
  for (const table of ['lists', 'list_generations', 'listed_hosts', 'listed_urls', 'suspensions'])
    await run(`delete from ${table}`);
});

describe('import-list', () => {
  test('refuses what it lists from then on: the exact host, the exact URL, and no more', async () => {
    expect(
      await load('blocklist', 'hosts', ['# of today', '', '0.0.0.0 evil.example', 'bad.example']),
    ).toMatch(/blocklist is in force: hosts: 2, URLs: 0, from 4 lines\.[\s\S]*Done: codes suspended: 0/);
    await load('urlhaus', 'csv:3', ['"1","x","https://shared.example/phish?a=1"', 'id,date,url']);
    for (const url of ['https://evil.example', 'http://EVIL.example.:8080/any?x#y', 'https://bad.example/'])
      expect(await create(url)).toMatchObject(listedBy('blocklist'));
    for (const url of ['https://shared.example/phish?a=1', 'https://Shared.example.:443/phish?a=1#top'])
      expect(await create(url)).toMatchObject(listedBy('urlhaus'));
    for (const url of [
      'https://www.evil.example',
      'https://shared.example/phish',
      'https://shared.example/phish?a=2',
      'http://shared.example/phish?a=1',
    ])
      expect((await create(url)).status, url).toBe(201);
  });

  test('refuses one of many alone, with atomic all and each by its number, and an edit', async () => {
    await load('some', 'hosts', ['evil.example', 'bad.example']);
    const item = (destination_url: string, more = {}) => ({ name: 'x', destination_url, ...more });
    const items = [
      item('https://fine.example'),
      item('https://evil.example'),
      item('nonsense'),
      item('https://bad.example/x'),
    ];
    const bulk = (body: object) =>
      api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: owner.live, body });
    const some = await bulk({ items });
    expect(some.body).toMatchObject({ created: 1, failed: 3 });
    expect(some.body.data[1]).toMatchObject({
      error: { code: 'destination_blocked', param: 'destination_url' },
    });
    const all = await bulk({ items, atomic: true });
    expect(all.status).toBe(400);
    expect(all.body.error.errors).toMatchObject([
      { index: 1, code: 'destination_blocked', param: 'items.1.destination_url' },
      { index: 2, code: 'invalid_url' },
      { index: 3, code: 'destination_blocked', param: 'items.3.destination_url' },
    ]);
    const { body: code } = await create('https://fine.example');
    const edit = (body: object) =>
      api.call({ method: 'PATCH', url: `/v1/qrcodes/${code.id}`, key: owner.live, body });
    expect(await edit({ name: 'y', destination_url: 'https://evil.example/' })).toMatchObject(
      listedBy('some'),
    );
    expect((await edit({ name: 'z' })).body).toMatchObject({
      name: 'z',
      destination_url: 'https://fine.example',
    });
  });

  test('replaces the whole list, without a moment in which it is empty, and removes the old rows', async () => {
    const { db } = api.api;
    const many = (word: string) => Array.from({ length: 12_000 }, (_, n) => `${word}${n}.example`);
    await load('big', 'hosts', ['always.example', ...many('old')]);
    let looked = 0;
    let replaced = false;
    const lookOn = async () => {
      while (!replaced) {
        const found = await findListed(db, ['https://always.example/']);
        expect(found).toEqual(new Map([['https://always.example/', 'big']]));
        looked++;
      }
    };
    await Promise.all([
      lookOn(),
      load('big', 'hosts', [...many('new'), 'always.example']).finally(() => {
        replaced = true;
      }),
    ]);
    expect(looked).toBeGreaterThan(10);
    expect(await findListed(db, ['https://old7.example', 'https://new7.example'])).toEqual(
      new Map([['https://new7.example', 'big']]),
    );
    expect(
      await run('select count(*) as rows, count(distinct generation) as generations from listed_hosts'),
    ).toEqual([{ rows: 12_001, generations: 1 }]);
    expect(await run('select count(*) as n from list_generations')).toEqual([{ n: 1 }]);
  });

  test('tells of lines that it cannot read, the first five with their numbers', async () => {
    const bad = Array.from({ length: 7 }, (_, n) => `not a host ${n}\u001b[31m`);
    const said = await load('half', 'hosts', ['evil.example', ...bad, 'evil.example']);
    expect(said).toContain('hosts: 1, URLs: 0, from 9 lines');
    expect(said).toContain('could not be read: 7');
    expect(said).toContain('  line 2: not a host 0\\u{1b}[31m');
    expect(said.match(/ line \d+:/g)).toHaveLength(5);
  });

  test('a file without one good line leaves the list as it was, unless that is meant', async () => {
    await load('kept', 'hosts', ['evil.example']);
    for (const lines of [[''], ['<html>', '<p>Too many requests</p>'], ['# nothing today']])
      await expect(load('kept', 'hosts', lines)).rejects.toThrow('kept was not changed');
    expect(await create('https://evil.example')).toMatchObject(listedBy('kept'));
    expect(await run('select count(*) as n from list_generations')).toEqual([{ n: 1 }]);
    await load('kept', 'hosts', [''], '--allow-empty');
    expect((await create('https://evil.example')).status).toBe(201);
  });

  test('says what is wrong with a name, a format, a time and a file', async () => {
    const file = fileOf('evil.example');
    const refused = (...args: string[]) => expect(api.admin('import-list', ...args)).rejects;
    await refused(file, '--format', 'hosts').toThrow('--name');
    await refused(file, '--name', 'A b', '--format', 'hosts').toThrow('cannot be the name of a list');
    await refused(file, '--name', 'a', '--format', 'xml').toThrow('csv:N');
    await refused(file, '--name', 'a', '--format', 'hosts', '--expires', 'soon').toThrow('12h or 7d');
    await refused('/nowhere/at/all', '--name', 'a', '--format', 'hosts').toThrow('no such file');
    await refused().toThrow('Name the file');
    expect(await run('select count(*) as n from list_generations')).toEqual([{ n: 0 }]);
  });

  test('reads what is piped in, as a command', async () => {
    const { config } = api;
    const env = {
      DATABASE_URL: config.databaseUrl,
      REDIS_URL: config.redisUrl,
      NATS_URL: config.natsUrl,
      CLICKHOUSE_URL: config.clickhouseUrl,
    };
    const args = ['admin', 'import-list', '-', '--name', 'piped', '--format', 'urls'];
    const { code, output } = await runCommand(args, env, undefined, 'https://piped.example/a\n');
    expect([code, output]).toEqual([0, expect.stringContaining('piped is in force: hosts: 0, URLs: 1')]);
    expect(await create('https://piped.example/a')).toMatchObject(listedBy('piped'));
  });

  test('what an import that was killed has left behind is removed later, and never counts', async () => {
    const { db } = api.api;
    const stuck = async function* () {
      yield 'evil.example\n'.repeat(6000);
      throw new Error('the pipe broke');
    };
    const options = { name: 'cut', format: 'hosts', expiresAfterMs: null, allowEmpty: false };
    await expect(importList({ db, clock: systemClock }, stuck(), options, () => {})).rejects.toThrow(
      'the pipe broke',
    );
    expect(await run('select count(*) as n from list_generations')).toEqual([{ n: 0 }]);
    // One that had no time to clean up.
    await run(
      `insert into list_generations (list, touched_at) values ('cut', now() - interval '61 minutes')`,
    );
    await run(`insert into listed_hosts select 'evil.example', max(id) from list_generations`);
    await load('other', 'hosts', ['fine.example']);
    expect(await findListed(db, ['https://evil.example'])).toEqual(new Map());
    await deleteDroppedGenerations(db);
    expect(await run(`select count(*) as n from listed_hosts where host = 'evil.example'`)).toEqual([
      { n: 0 },
    ]);
    expect(await run('select count(*) as n from list_generations')).toEqual([{ n: 1 }]);
  });
});

test('a list that has expired counts no more, and says so', async () => {
  await load('weekly', 'hosts', ['evil.example'], '--expires', '7d');
  expect(await api.admin('list-lists')).toMatch(/weekly {2}hosts {2}hosts: 1, URLs: 0 {2}until 20/);
  expect(await create('https://evil.example')).toMatchObject(listedBy('weekly'));
  await run(`update lists set expires_at = now() - interval '1 second'`);
  expect((await create('https://evil.example')).status).toBe(201);
  expect(await api.admin('list-lists')).toMatch(/weekly .* expired 20/);
});

test('remove-list lets codes lead there again', async () => {
  await load('gone', 'hosts', ['evil.example']);
  expect(await api.admin('remove-list', 'gone')).toContain('gone is removed');
  expect((await create('https://evil.example')).status).toBe(201);
  expect(await api.admin('remove-list', 'gone')).toContain('There is no list gone');
  expect(await api.admin('list-lists')).toContain('There are no lists');
  expect(await run('select count(*) as n from listed_hosts')).toEqual([{ n: 0 }]);
});

test('where there are no lists, a look-up asks once a second and no more', async () => {
  const { db } = api.api;
  let [now, asked] = [0, 0];
  const query: typeof db.query = (...args) => {
    asked++;
    return db.query(...args);
  };
  const counted = { ...db, query };
  const finder = createListedFinder(() => now);
  const look = () => finder.find(counted, ['https://evil.example']);
  for (let n = 0; n < 100; n++) expect(await look()).toEqual(new Map());
  expect(asked).toBe(1);
  await load('first', 'hosts', ['evil.example']);
  now += noListsMs;
  expect(await look()).toEqual(new Map([['https://evil.example', 'first']]));
  expect(await look()).toEqual(new Map([['https://evil.example', 'first']]));
  expect(asked).toBe(3);
});

describe('codes that were there before the list', () => {
  const ids = createIds(systemClock);
  const dropped: string[] = [];
  const published: SuspendedCode[] = [];
  const released: ReleasedCode[] = [];
  const parts = () => ({
    db: api.api.db,
    ids,
    clock: systemClock,
    links: {
      invalidate: async (keys: readonly string[]) => void dropped.push(...keys),
      notify: async () => {},
    },
    publisher: {
      suspended: async (_: unknown, codes: readonly SuspendedCode[]) => void published.push(...codes),
      released: async (_: unknown, codes: readonly ReleasedCode[]) => void released.push(...codes),
    },
  });

  test('are suspended by the import, of every account and mode, and nothing else; a second import changes nothing', async () => {
    const other = await api.account();
    const made = [
      await create('https://scam.example/a'),
      await create('https://scam.example', {}, owner.test),
      await create('https://scam-shared.example/x', { status: 'draft' }, other.live),
    ].map(({ body }) => body);
    await create('https://fine.example');
    const { body: deleted } = await create('https://scam.example/b');
    await fillTargets(api.api.db);
    await api.call({ method: 'DELETE', url: `/v1/qrcodes/${deleted.id}`, key: owner.live });
    expect(await load('two', 'csv:1', ['scam.example', 'https://scam-shared.example/x'])).toMatch(
      /Done: codes suspended: 3, destinations checked: \d+/,
    );
    const expected = made.map(code => ({
      qr_code_id: parseId('qr', code.id),
      cause: 'list',
      source: 'two',
      reason: 'Its destination is on the blocklist two.',
      url: code.destination_url,
      open: true,
    }));
    const byUrl = (a: { url?: unknown }, b: { url?: unknown }) => (String(a.url) < String(b.url) ? -1 : 1);
    expect((await suspensions()).sort(byUrl)).toEqual(expected.sort(byUrl));
    expect(await load('two', 'csv:1', ['scam.example', 'https://scam-shared.example/x'])).toContain(
      'codes suspended: 0,',
    );
    // A list that no longer has them, or is gone, releases nothing.
    await load('two', 'csv:1', ['elsewhere.example']);
    expect(await api.admin('remove-list', 'two')).toContain('Codes it suspended stay suspended');
    expect((await suspensions()).filter(one => one.open)).toHaveLength(3);
  });

  test('what is released stays so while it leads to the same URL, and is stopped again with another', async () => {
    const { body: code } = await create('https://released.example/first');
    await fillTargets(api.api.db);
    await load('one', 'hosts', ['released.example']);
    await run('update suspensions set released_at = now()');
    expect(await load('one', 'hosts', ['released.example'])).toContain('codes suspended: 0,');
    await run(`update qr_codes set destination_url = 'https://released.example/second' where id = $1`, [
      parseId('qr', code.id),
    ]);
    await fillTargets(api.api.db);
    expect(await load('one', 'hosts', ['released.example'])).toContain('codes suspended: 1,');
  });

  test('what was released from one list is stopped by another', async () => {
    await create('https://second-opinion.example/a');
    await fillTargets(api.api.db);
    await load('one', 'hosts', ['second-opinion.example']);
    await run('update suspensions set released_at = now()');
    expect(await load('one', 'hosts', ['second-opinion.example'])).toContain('codes suspended: 0,');
    expect(await load('two', 'hosts', ['second-opinion.example'])).toContain('codes suspended: 1,');
  });

  test('what was released with its list is stopped again by any list that has it', async () => {
    await create('https://back-again.example/a');
    await fillTargets(api.api.db);
    for (const name of ['one', 'two', 'one']) {
      expect(await load(name, 'hosts', ['back-again.example'])).toContain('codes suspended: 1,');
      expect(await api.admin('remove-list', name, '--release')).toContain('Codes released: 1.');
      expect((await suspensions()).filter(one => one.open)).toEqual([]);
    }
  });

  test('are released with the list that stopped them, and stay stopped by another', async () => {
    await create('https://both.example/both');
    await create('https://both-too.example/one');
    await fillTargets(api.api.db);
    await load('one', 'hosts', ['both.example', 'both-too.example']);
    await load('two', 'hosts', ['both.example']);
    expect(await api.admin('remove-list', 'one', '--release')).toMatch(/Codes released: 2\./);
    const open = (await suspensions()).filter(one => one.open);
    expect(new Set(open.map(one => one.source))).toEqual(new Set(['two']));
  });

  test('the redirects and whoever is told hear of each once, in the transaction that suspends', async () => {
    const { body: code } = await create('https://told.example/told', { short_code: 'Told-Once' });
    await fillTargets(api.api.db);
    await load('a', 'hosts', ['nothing.example']);
    const { generation } = (await run(`select generation from lists where name = 'a'`))[0]!;
    await run(
      `insert into listed_urls (hash, generation) select url_hash, $1 from code_targets where url = $2`,
      [generation, 'https://told.example/told'],
    );
    const checking = createListCheck(parts());
    expect(await checking.step(firstTarget)).toMatchObject({ suspended: 1, next: null });
    expect(await checking.step(firstTarget)).toMatchObject({ suspended: 0 });
    expect(dropped).toEqual(['told-once']);
    expect(published).toEqual([
      {
        qrCodeId: parseId('qr', code.id),
        accountId: owner.id,
        mode: 'live',
        reason: 'Its destination is on the blocklist a.',
        suspendedAt: expect.any(Date),
      },
    ]);
    await run('delete from suspensions');
    const failing = {
      ...parts(),
      publisher: { suspended: () => Promise.reject(new Error('no room')), released: async () => {} },
    };
    await expect(createListCheck(failing).step(firstTarget)).rejects.toThrow('no room');
    expect(await suspensions()).toEqual([]);
  });

  test('are found once a day by one process of several, at the same time of day', async () => {
    await create('https://nightly.example/nightly');
    await fillTargets(api.api.db);
    await load('n', 'hosts', ['nothing.example']);
    await run(`insert into listed_hosts select 'nightly.example', generation from lists`);
    await run(`update list_checks set due_at = '2026-01-01T03:17:42Z'`);
    published.length = 0;
    const logger = { warn: () => {}, info: () => {} };
    const processes = [1, 2, 3].map(() => createListJobs({ ...parts(), logger: logger as never }));
    for (const one of processes) one.start();
    const due = async () =>
      (
        await run(`select due_at > now() as later, to_char(due_at at time zone 'UTC', 'HH24:MI:SS') as time,
                         due_at < now() + interval '1 day' as within_a_day, claimed_at from list_checks`)
      )[0]!;
    await waitUntil('the check is done', async () => (await due()).later === true);
    await Promise.all(processes.map(one => one.stop()));
    expect(await due()).toEqual({ later: true, time: '03:17:42', within_a_day: true, claimed_at: null });
    // Which of them it was, the API of this test among them, is all the same.
    expect((await suspensions()).filter(one => one.source === 'n').map(one => one.url)).toEqual([
      'https://nightly.example/nightly',
    ]);
    expect(new Set(published.map(one => one.qrCodeId)).size).toBe(published.length);
  });
});
