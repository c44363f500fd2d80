import { maxShareLinks } from '@signpost/contract';
import { createTestApi, type Reply, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { dashboardEnv, signUp } from '@signpost/testing/people.ts';
import { scanOf } from '@signpost/testing/scan-ledger.ts';
import { storeScans } from '@signpost/testing/store-scans.ts';
import { openTestStore, type TestStore } from '@signpost/testing/test-store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';

/** Two processes on the same engines. */
let store: TestStore;
let api: TestApi;
let other: TestApi;
let nextAddress = 0;
beforeAll(async () => {
  store = await openTestStore();
  const env = { ...dashboardEnv, ...store.env };
  api = await createTestApi(env);
  const { databaseUrl } = api.config;
  other = await createTestApi({ ...env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl });
});
afterAll(async () => {
  await Promise.all([api?.close(), other?.close()]);
  await store?.close();
});

const menu = { name: 'Spring menu', destination_url: 'https://example.com/menu' };

async function createCode(account: TestAccount, more: object = {}): Promise<string> {
  const { status, body, text } = await api.call({
    method: 'POST',
    url: '/v1/qrcodes',
    key: account.live,
    body: { ...menu, ...more },
  });
  expect(status, text).toBe(201);
  return body.id;
}

const share = (account: TestAccount, body: object = {}, code?: string, key = account.live): Promise<Reply> =>
  api.call({
    method: 'POST',
    url: code === undefined ? '/v1/share-links' : `/v1/qrcodes/${code}/share-links`,
    key,
    body,
  });

async function suspend(account: TestAccount, code: string): Promise<void> {
  const { body } = await api.call({ url: `/v1/qrcodes/${code}`, key: account.live });
  await api.admin('suspend-code', body.short_code, '--reason', 'Phishing');
}

/** Each time from another address, so that only the test of the limit reaches it. */
const open = (path: string, on = api) =>
  on.call({ url: path, address: `10.${++nextAddress >> 8}.${nextAddress & 255}.1` });
const pathOf = ({ body }: Reply) => new URL(body.url).pathname;

/** What of an answer may tell something. */
const shown = ({ status, headers, text }: Reply) => {
  const { date: _, 'x-request-id': __, ...rest } = headers;
  return { status, headers: rest, text };
};

type Past = { readonly city: string; readonly country: string; readonly visitors: readonly number[] };

/** A scan by each of the visitors, of today. */
async function addScans(account: TestAccount, code: string, places: readonly Past[]): Promise<void> {
  const subject = { id: parseId('qr', code)!, accountId: account.id };
  const atMs = Date.now() - 1000;
  const window = new Date(atMs).toISOString().slice(0, 7);
  const scans = places.flatMap(({ city, country, visitors }) =>
    visitors.map(visitor => scanOf(subject, visitor, { city, country, atMs, window })),
  );
  await storeScans(api, store.rows(api.api.db), scans);
}
const people = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

describe('the API', () => {
  test('a link of a code has the defaults, is shown once, and is listed without its URL', async () => {
    const account = await api.account();
    const code = await createCode(account);
    const created = await share(account, {}, code);
    expect(created.status, created.text).toBe(201);
    const { url, ...rest } = created.body;
    expect(url).toMatch(/^https:\/\/api\.signpost\.example\/s\/[0-9a-z]{32}$/);
    expect(rest).toMatchObject({
      qr_id: code,
      tag: null,
      title: null,
      sections: ['chart', 'map'],
      days: 30,
      start_date: null,
      end_date: null,
      timezone: 'UTC',
      expires_at: null,
      expired: false,
      last_four: url.slice(-4),
    });
    const list = await api.call({ url: '/v1/share-links', key: account.live });
    expect(list.body).toEqual({ data: [rest] });
    expect(list.text).not.toContain(url.slice(-32));
  });

  test('the token is stored as a hash alone, and a repeated request keeps no copy of it', async () => {
    const account = await api.account();
    const { body } = await api.call({
      method: 'POST',
      url: '/v1/share-links',
      key: account.live,
      body: {},
      headers: { 'idempotency-key': 'once' },
    });
    const token = body.url.slice(-32);
    const dump = await api.api.db.query(
      sql('test-dump', 'select to_jsonb(s)::text as row from share_links s'),
    );
    const stored = await api.api.db.query(sql('test-stored', 'select body from idempotency_keys'));
    expect(dump.length).toBeGreaterThan(0);
    expect(JSON.stringify([dump, stored])).not.toContain(token);
    expect(api.log.join('')).not.toContain(token);
  });

  test('links of a tag, of a code by its external id, and of the account are listed apart', async () => {
    const account = await api.account();
    const code = await createCode(account, { tags: ['Menu'], external_id: 'menu-1' });
    const ofTag = await share(account, { tag: 'mENU', sections: ['codes'] });
    const ofCode = await share(account, { sections: ['placements', 'destinations'] }, 'ext:menu-1');
    const ofAccount = await share(account);
    expect([ofTag.body.tag, ofCode.body.qr_id, ofAccount.body.qr_id]).toEqual(['Menu', code, null]);
    const list = async (query: string) =>
      (await api.call({ url: `/v1/share-links${query}`, key: account.live })).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list('')).toEqual([ofAccount.body.id, ofCode.body.id, ofTag.body.id]);
    expect(await list('?tag=menu')).toEqual([ofTag.body.id]);
    expect(await list(`?qr_id=${code}`)).toEqual([ofCode.body.id]);
    expect(await list('?tag=unknown')).toEqual([]);
    expect(await list('?qr_id=qr_00000000000000000000000000')).toEqual([]);
    expect((await share(account, { tag: 'unknown' })).status).toBe(404);
  });

  const refused: readonly (readonly [object, string])[] = [
    [{ days: 7, start_date: '2026-01-01' }, 'days'],
    [{ end_date: '2026-01-01' }, 'end_date'],
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ start_date: '2026-02-02', end_date: '2026-02-01' }, 'end_date'],
    [{ timezone: 'Europe/Nowhere' }, 'timezone'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ sections: ['placements'] }, 'sections'],
    [{ sections: [] }, 'sections'],
    [{ days: 367 }, 'days'],
    [{ title: ' ' }, 'title'],
  ];
  test.each(refused)('%j is refused', async (body, param) => {
    const { status, body: answer } = await share(await api.account(), body);
    expect([status, answer.error.param]).toEqual([400, param]);
  });

  test('the limit holds under concurrent creates, and each mode has its own', async () => {
    const account = await api.account();
    for (let n = 0; n < maxShareLinks - 3; n++) expect((await share(account)).status).toBe(201);
    const answers = await Promise.all(people(0, 8).map(() => share(account)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const full = answers.find(({ status }) => status !== 201)!;
    expect(full.body.error).toMatchObject({
      code: 'quota_exceeded',
      limit: maxShareLinks,
      used: maxShareLinks,
    });
    expect((await share(account, {}, undefined, account.test)).status).toBe(201);
    const { body } = await api.call({ url: '/v1/account', key: account.live });
    expect(body.limits.share_links).toBe(maxShareLinks);
  });

  test('an account that waits for its owner to confirm the address shares nothing', async () => {
    const person = await signUp(api);
    const held = await person.call({ method: 'POST', url: '/account/v1/share-links', body: {} });
    const { held: isHeld } = (await person.call({ url: '/account/me' })).body.account;
    expect([held.status, isHeld]).toEqual(isHeld ? [403, true] : [201, false]);
    await api.api.db.query(sql('test-hold', 'update accounts set held_at = now()'));
    const refusedNow = await person.call({ method: 'POST', url: '/account/v1/share-links', body: {} });
    await api.api.db.query(sql('test-unhold', 'update accounts set held_at = null'));
    expect([refusedNow.status, refusedNow.body.error.message]).toEqual([
      403,
      expect.stringContaining('Confirm your e-mail address'),
    ]);
  });
});

describe('the page', () => {
  test('has the figures of the API, and names no city with fewer than 5 visitors', async () => {
    const account = await api.account();
    const code = await createCode(account);
    await addScans(account, code, [
      { city: 'Hamburg', country: 'DE', visitors: people(0, 9) },
      // Many scans of few people.
      { city: 'Lübeck', country: 'DE', visitors: people(0, 30).map(n => 20 + (n % 4)) },
      { city: 'Lyon', country: 'FR', visitors: people(40, 5) },
      { city: 'Wedel', country: 'DE', visitors: people(50, 4) },
      { city: '', country: 'XX', visitors: people(60, 2) },
    ]);
    const { body } = await api.call({ url: `/v1/qrcodes/${code}/analytics`, key: account.live });
    const page = await open(pathOf(await share(account, { title: 'Our <menu>' }, code)));
    expect(page.status).toBe(200);
    expect(body.summary).toMatchObject({ total_scans: 50, unique_visitors: 24 });
    const text = readText(page.text);
    expect(text).toContain('Our <menu>');
    expect(text).toContain('Scans 50 Visitors 24 Scans per day 1.7');
    expect(text).toContain('Germany 43 86%');
    expect(text).toContain('Hamburg, Germany 9 18% Lyon, France 5 10% Other 36 72%');
    for (const hidden of ['Lübeck', 'Wedel', 'qr_', 'scan_', 'shr_', 'acct_', code.slice(3), '<menu>'])
      expect(page.text).not.toContain(hidden);
    expect(page.text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(page.headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(page.text).not.toContain('<script');
  });

  test('the other cities are left out where they alone would tell of few people', async () => {
    const account = await api.account();
    const code = await createCode(account);
    await addScans(account, code, [
      { city: 'Hamburg', country: 'DE', visitors: people(0, 9) },
      { city: 'Wedel', country: 'DE', visitors: people(20, 4) },
    ]);
    const text = readText((await open(pathOf(await share(account, {}, code)))).text);
    expect(text).toContain('Hamburg, Germany 9');
    expect(text).not.toMatch(/Other|Wedel/);
  });

  test('of a code shows its placements and destinations, and of a tag its codes, without suspended ones', async () => {
    const account = await api.account();
    const code = await createCode(account, { tags: ['Menu'] });
    const bad = await createCode(account, { name: 'Win a prize', tags: ['Menu'] });
    const place = { key: 'window', name: 'Shop window' };
    await api.call({
      method: 'POST',
      url: `/v1/qrcodes/${code}/placements`,
      key: account.live,
      body: place,
    });
    await addScans(account, code, [{ city: 'Hamburg', country: 'DE', visitors: people(0, 3) }]);
    await addScans(account, bad, [{ city: 'Hamburg', country: 'DE', visitors: people(0, 3) }]);
    const ofCode = await open(
      pathOf(await share(account, { sections: ['placements', 'destinations'] }, code)),
    );
    const codeText = readText(ofCode.text);
    expect(codeText).toContain('No placement 3 100% Shop window 0 0%');
    expect(codeText).toContain('example.com/menu 3 100%');
    expect(codeText).not.toMatch(/Hamburg|Scans per day 21/);
    const { body } = await share(account, { tag: 'Menu', sections: ['codes'] });
    const path = new URL(body.url).pathname;
    const ofTag = readText((await open(path)).text);
    expect(ofTag).toContain('2 QR codes with the tag Menu');
    expect(ofTag).toMatch(/Win a prize 3 50%/);
    await suspend(account, bad);
    for (const process of [api, other]) expect((await open(path, process)).text).not.toContain('Win a prize');
  });

  test('in test mode says so, and shows nothing of live mode', async () => {
    const account = await api.account();
    const code = await createCode(account);
    await addScans(account, code, [{ city: 'Hamburg', country: 'DE', visitors: people(0, 9) }]);
    const page = await open(pathOf(await share(account, {}, undefined, account.test)));
    const text = readText(page.text);
    expect(text).toContain('Test data');
    expect(text).toContain('Scans 0');
    expect(text).not.toContain('Hamburg');
  });

  test('the chart is a picture that is saved under the period, and draws what the API counts', async () => {
    const account = await api.account();
    const code = await createCode(account);
    await addScans(account, code, [{ city: 'Hamburg', country: 'DE', visitors: people(0, 7) }]);
    const path = pathOf(await share(account, { days: 7, title: 'A & B' }, code));
    const file = await open(`${path}/chart.svg`);
    expect(file.headers).toMatchObject({ 'content-type': 'image/svg+xml; charset=utf-8' });
    expect(file.headers['content-disposition']).toMatch(
      /^attachment; filename="scans-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.svg"$/,
    );
    expect(file.text).toContain('A &amp; B');
    const { body } = await api.call({
      url: `/v1/qrcodes/${code}/analytics/timeseries?start_date=${file.headers['content-disposition']!.slice(28, 38)}`,
      key: account.live,
    });
    const drawn = [...file.text.matchAll(/<title>[^<]*: (\d+)<\/title>/g)].map(([, scans]) => Number(scans));
    expect(drawn).toEqual(body.data.map(({ total_scans: scans }: { total_scans: number }) => scans));
  });

  test('200 guessed and mutated tokens get the same 404, as soon as a link that is revoked', async () => {
    const account = await api.account();
    const created = await share(account);
    const path = pathOf(created);
    const token = path.slice(3);
    const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
    const random = () => Array.from({ length: 32 }, () => alphabet[Math.floor(Math.random() * 32)]).join('');
    const mutated = people(0, 64).map(n => {
      const at = n % 32;
      return (
        token.slice(0, at) +
        alphabet[(alphabet.indexOf(token[at]!) + 1 + (n >> 5)) % 32] +
        token.slice(at + 1)
      );
    });
    const odd = [
      ...[
        '',
        '/',
        token.slice(1),
        `${token}x`,
        `${token}/`,
        ` ${token}`,
        token.toUpperCase(),
        `${token}/chart`,
      ],
      ...['..%2f', '%00', encodeURIComponent('é'), "'", 'x'.repeat(2000), created.body.id],
    ];
    const guesses = [...mutated, ...odd, ...people(0, 130).map(random)];
    expect(guesses.length).toBeGreaterThan(200);
    expect((await open(path)).status).toBe(200);
    await api.call({ method: 'DELETE', url: `/v1/share-links/${created.body.id}`, key: account.live });
    const gone = shown(await open(path));
    expect(gone.status).toBe(404);
    for (const guess of guesses)
      for (const end of ['', '/chart.svg'])
        expect(shown(await open(`/s/${guess.replaceAll(' ', '%20')}${end}`)), guess).toEqual(gone);
    expect(shown(await open('/s', other))).toEqual(gone);
  });

  test('answers one client a limited number of times', async () => {
    const account = await api.account();
    const path = pathOf(await share(account));
    const statuses: number[] = [];
    for (let n = 0; n < 125; n++) statuses.push((await api.call({ url: path, address: '192.0.2.9' })).status);
    expect(statuses.filter(status => status === 429)).toHaveLength(5);
    const refused = await api.call({ url: path, address: '192.0.2.9' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await open(path)).status).toBe(200);
  });

  test('asks the store once for many readers at a time', async () => {
    const account = await api.account();
    const path = pathOf(await share(account, { sections: ['chart', 'map', 'codes'] }));
    const answers = await Promise.all(people(0, 40).map(() => open(path)));
    expect(answers.map(({ status }) => status)).toEqual(people(0, 40).map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

/** Makes a page, and ends it in some way. */
const endings: Readonly<
  Record<
    string,
    (account: TestAccount, parts: { readonly code: string; readonly id: string }) => Promise<unknown>
  >
> = {
  'it is revoked': (account, { id }) =>
    api.call({ method: 'DELETE', url: `/v1/share-links/${id}`, key: account.live }),
  'its code is deleted': (account, { code }) =>
    api.call({ method: 'DELETE', url: `/v1/qrcodes/${code}`, key: account.live }),
  'its code is suspended': (account, { code }) => suspend(account, code),
  'its account is suspended': account =>
    api.admin('suspend-account', formatId('acct', account.id), '--reason', 'Phishing'),
  'its account is closed': account => api.admin('close-account', formatId('acct', account.id), '--yes'),
  'its end has come': (_account, { id }) =>
    api.api.db.query(
      sql('test-expire', `update share_links set expires_at = now() - interval '1 second' where id = $1`),
      [parseId('shr', id)],
    ),
};

test.each(Object.entries(endings))(
  'the page is gone on both processes within a second when %s',
  async (_what, end) => {
    const account = await api.account();
    const code = await createCode(account);
    const created = await share(account, {}, code);
    const path = pathOf(created);
    for (const process of [api, other]) expect((await open(path, process)).status).toBe(200);
    await end(account, { code, id: created.body.id });
    const began = performance.now();
    for (const process of [api, other]) {
      expect((await open(path, process)).status).toBe(404);
      expect((await open(`${path}/chart.svg`, process)).status).toBe(404);
    }
    expect(performance.now() - began).toBeLessThan(1000);
  },
);

test('deleted codes, deleted tags and closed accounts leave no link behind', async () => {
  const account = await api.account();
  const code = await createCode(account, { tags: ['Menu'] });
  const rows = async () =>
    (
      await api.api.db.query(sql('test-left', 'select id from share_links where account_id = $1'), [
        account.id,
      ])
    ).length;
  await share(account, {}, code);
  await share(account, { tag: 'Menu' });
  await share(account);
  expect(await rows()).toBe(3);
  await api.call({ method: 'DELETE', url: `/v1/qrcodes/${code}`, key: account.live });
  expect(await rows()).toBe(2);
  await api.call({ method: 'DELETE', url: '/v1/tags/menu', key: account.live });
  expect(await rows()).toBe(1);
  await api.admin('close-account', formatId('acct', account.id), '--yes');
  expect(await rows()).toBe(0);
});

test('a link that is created while its code is deleted goes with it', async () => {
  const account = await api.account();
  const code = await createCode(account);
  const answers = await Promise.all([
    ...people(0, 5).map(() => share(account, {}, code)),
    api.call({ method: 'DELETE', url: `/v1/qrcodes/${code}`, key: account.live }),
    ...people(0, 5).map(() => share(account, {}, code)),
  ]);
  for (const { status } of answers) expect([200, 201, 404]).toContain(status);
  const list = await api.call({ url: '/v1/share-links', key: account.live });
  expect(list.body.data).toEqual([]);
});

/** The words of a page in their order, as a reader gets them. */
function readText(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, ' ')
    .replace(/<svg.*?<\/svg>/gs, ' ')
    .replace(/<\/(?:span|th|td|dt|dd|p|h\d|a)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}
