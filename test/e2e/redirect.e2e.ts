import type { TestAccount } from '@signpost/testing/api.ts';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { rawGet } from '@signpost/testing/raw-get.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: Fixture;
let all: TestServer;
let edge: TestServer;
let owner: TestAccount;

beforeAll(async () => {
  fixture = await createFixture({ SHORT_BASE_URL: 'https://sign.example' });
  [all, edge] = [
    await fixture.server({}, 'all'),
    await fixture.server({ UNKNOWN_CODES_PER_MINUTE: '20' }, 'redirect'),
  ];
  owner = await fixture.account();
});
afterAll(() => fixture.close());

const both = () => [all, edge];

async function create(more: object = {}, key = owner.live) {
  const body = { name: 'Menu', destination_url: 'https://example.com/menu', ...more };
  const made = await ask({ method: 'POST', url: `${all.url}/v1/qrcodes`, key, body });
  expect(made.status).toBe(201);
  return made.body;
}

const scan = (server: TestServer, code: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask({ method, url: `${server.url}/${code}`, headers });

const pathOf = (shortUrl: string) => shortUrl.replace('https://sign.example/', '');

describe('a short link', () => {
  test('of an active code is 302 to the destination, and must not be cached', async () => {
    const { short_code } = await create();
    for (const server of both()) {
      const { status, headers, body } = await scan(server, short_code);
      expect(status).toBe(302);
      expect(headers).toMatchObject({
        location: 'https://example.com/menu',
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      });
      expect(headers).not.toHaveProperty('x-signpost-mode');
      expect(body).toBe('');
    }
  });

  test('is found in upper and lower case, with a trailing slash and with a query', async () => {
    await create({ short_code: 'Front-Desk' });
    const queries = [
      'utm_source=poster',
      'from=x&size=9999&format=gif',
      'page=0&page=x',
      '%00=%0d%0a',
      '%ff',
    ];
    for (const path of [
      'front-desk',
      'FRONT-DESK',
      'Front-Desk/',
      ...queries.map(query => `front-desk?${query}`),
    ]) {
      for (const server of both()) {
        const { status, headers } = await scan(server, path);
        expect(status, path).toBe(302);
        expect(headers).not.toHaveProperty('x-signpost-warning');
      }
    }
  });

  test('of a test code redirects too, only on its own path, in upper and lower case, with a header that says so', async () => {
    const { short_code, short_url } = await create({}, owner.test);
    const path = pathOf(short_url);
    expect(path).toMatch(/^t\/[23456789bcdfghjkmnpqrstvwxyz]{8}\/./);
    for (const server of both()) {
      for (const spelling of [path, path.toUpperCase(), `${path}/`, `${path}?utm_source=poster`]) {
        const { status, headers } = await scan(server, spelling);
        expect([status, headers.location]).toEqual([302, 'https://example.com/menu']);
        expect(headers).toMatchObject({ 'x-signpost-mode': 'test' });
      }
      expect((await scan(server, short_code)).status).toBe(404);
    }
  });

  test('of a compact code, all in upper case but the scheme, leads where the usual one does', async () => {
    const style = { compact: true };
    const { id, short_url } = await create({ short_code: 'Menu-Card', style });
    const test = await create({ short_code: 'Menu-Card', style }, owner.test);
    const placement = { key: 'window-2', name: 'Window' };
    const url = `${all.url}/v1/qrcodes/${id}/placements`;
    expect((await ask({ method: 'POST', url, key: owner.live, body: placement })).status).toBe(201);
    const paths = [short_url, `${short_url}.window-2`, test.short_url].map(pathOf);
    for (const server of both()) {
      for (const path of paths) {
        const { status, headers } = await scan(server, path.toUpperCase(), { host: 'SIGN.EXAMPLE' });
        expect([path, status, headers.location]).toEqual([path, 302, 'https://example.com/menu']);
        const preview = await scan(server, `${path.toUpperCase()}+`, { host: 'SIGN.EXAMPLE' });
        expect([path, preview.status]).toEqual([path, 200]);
      }
    }
  });

  test('with the same short code leads to the destination of each owner, live and in the test modes of two accounts', async () => {
    const other = await fixture.account();
    const made = [];
    for (const [n, key] of [owner.live, owner.test, other.test].entries()) {
      const destination_url = `https://example.com/of/${n}`;
      const { short_url } = await create({ short_code: 'One-Name', destination_url }, key);
      made.push({ path: pathOf(short_url), destination_url });
    }
    expect(made[0]!.path).toBe('One-Name');
    for (const server of both()) {
      for (const { path, destination_url } of made)
        expect((await scan(server, path)).headers.location).toBe(destination_url);
    }
  });

  test('of a deleted test code is 410 until its account uses the short code again, and redirects at once from then on', async () => {
    for (let round = 0; round < 5; round++) {
      const destination_url = `https://example.com/round/${round}`;
      const { id, short_url } = await create({ short_code: 'reused', destination_url }, owner.test);
      const path = pathOf(short_url);
      for (const server of both()) {
        const { status, headers } = await scan(server, path);
        expect([status, headers.location]).toEqual([302, destination_url]);
      }
      await ask({ method: 'DELETE', url: `${all.url}/v1/qrcodes/${id}`, key: owner.test });
      for (const server of both()) expect((await scan(server, path)).status).toBe(410);
      // Short codes of other accounts and of live codes are not affected.
      if (round === 2) await create({ short_code: 'reused' });
      for (const server of both()) expect((await scan(server, path)).status).toBe(410);
    }
  });

  test('of a deleted live code is 410 until its account reclaims the short code, and redirects at once on three processes from then on', async () => {
    const servers = [...both(), await fixture.server({}, 'redirect')];
    for (let round = 0; round < 10; round++) {
      const destination_url = `https://example.com/live-round/${round}`;
      const { id } = await create({ short_code: 'reclaimed', destination_url, reclaim: round > 0 });
      for (const server of servers) {
        const { status, headers } = await scan(server, 'reclaimed');
        expect([status, headers.location]).toEqual([302, destination_url]);
      }
      await ask({ method: 'DELETE', url: `${all.url}/v1/qrcodes/${id}`, key: owner.live });
      for (const server of servers) expect((await scan(server, 'reclaimed')).status).toBe(410);
    }
  });

  test('of an archived code redirects and counts as before', async () => {
    const { id, short_code } = await create();
    const url = `${all.url}/v1/qrcodes/${id}`;
    const total = async () => (await ask({ url, key: owner.live })).body.total_scans;
    const { body } = await ask({ method: 'PATCH', url, key: owner.live, body: { archived: true } });
    expect(body.archived).toBe(true);
    for (const server of both()) expect((await scan(server, short_code)).status).toBe(302);
    await waitUntil('both scans are counted', async () => (await total()) === 2);
  });

  test('of a paused, draft, unknown and deleted code shows a page, and is not stored', async () => {
    const [paused, draft, deleted] = [await create(), await create({ status: 'draft' }), await create()];
    await ask({
      method: 'PATCH',
      url: `${all.url}/v1/qrcodes/${paused.id}`,
      key: owner.live,
      body: { active: false },
    });
    await ask({ method: 'DELETE', url: `${all.url}/v1/qrcodes/${deleted.id}`, key: owner.live });
    for (const server of both()) {
      for (const [code, status, reason, text] of [
        [paused.short_code, 404, 'paused', /paused/],
        [draft.short_code, 404, 'unknown', /doesn’t exist/],
        ['never-was', 404, 'unknown', /doesn’t exist/],
        [deleted.short_code, 410, 'deleted', /removed it permanently/],
      ] as const) {
        const page = await scan(server, code, { accept: 'text/html' });
        expect([page.status, page.headers['cache-control']]).toEqual([status, 'no-store']);
        expect(page.headers['content-type']).toContain('text/html');
        expect(page.body).toMatch(text);
        const json = await scan(server, code, { accept: 'application/json' });
        const word = status === 410 ? 'gone' : 'not_found';
        expect([json.status, json.body.error.code, json.body.error.reason]).toEqual([status, word, reason]);
      }
      const [unknown, drafted] = [await scan(server, 'never-was'), await scan(server, draft.short_code)];
      const [shown, other] = [unknown, drafted].map(({ body, headers }) =>
        body.replace(String(headers['x-request-id']), ''),
      );
      expect(other).toBe(shown);
    }
  });

  test('has its own request id in every response, and the whole error object in JSON; the caller’s id is not used', async () => {
    const { short_code } = await create();
    const seen = new Set<string>();
    for (const server of both()) {
      for (const [code, method, status] of [
        [short_code, 'GET', 302],
        [short_code, 'HEAD', 302],
        ['never-was', 'GET', 404],
        ['never-was', 'HEAD', 404],
        ['no/such/path', 'GET', 404],
        [short_code, 'POST', 405],
      ] as const) {
        const planted = { accept: 'application/json', 'x-request-id': 'req_planted' };
        const answer = await scan(server, code, planted, method);
        const id = String(answer.headers['x-request-id']);
        expect([answer.status, id]).toEqual([status, expect.stringMatching(/^req_[0-9a-hjkmnp-tv-z]{26}$/)]);
        expect(seen.has(id)).toBe(false);
        seen.add(id);
        if (status === 302 || method === 'HEAD') continue;
        const word = status === 405 ? 'method_not_allowed' : 'not_found';
        expect(answer.body.error).toEqual({
          code: word,
          message: expect.any(String),
          ...(status === 405 ? {} : { reason: 'unknown' }),
          request_id: id,
          doc_url: expect.stringMatching(new RegExp(`^http.*/docs#error-${word}$`)),
        });
        const page = await scan(server, code, { accept: 'text/html' }, method);
        expect(page.body).toContain(`<small>Reference: ${page.headers['x-request-id']}</small>`);
      }
    }
  });

  test('answers HEAD like GET without a body, and no other method', async () => {
    const { short_code } = await create();
    for (const server of both()) {
      expect(await scan(server, short_code, {}, 'HEAD')).toMatchObject({ status: 302, body: '' });
      expect((await scan(server, 'never-was', {}, 'HEAD')).status).toBe(404);
      const post = await scan(server, short_code, {}, 'POST');
      expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  test('shares its port with the API in one process', async () => {
    expect((await ask({ url: `${all.url}/v1/qrcodes`, key: owner.live })).status).toBe(200);
    expect((await ask({ url: `${all.url}/docs` })).status).toBe(200);
    expect((await ask({ url: `${edge.url}/v1/qrcodes`, key: owner.live })).status).toBe(404);
  });
});

test('guessing is limited by address, while codes in memory keep redirecting', async () => {
  const { short_code } = await create();
  for (let i = 0; i < 5; i++) expect((await scan(edge, short_code)).status).toBe(302);
  const answers = [];
  for (let i = 0; i < 40; i++) answers.push(await scan(edge, `guess-${i}`));
  const busy = answers.filter(answer => answer.status === 429);
  expect(busy.length).toBeGreaterThanOrEqual(20);
  expect(busy[0]!.headers['retry-after']).toBe('60');
  expect(busy[0]!.headers['x-request-id']).toMatch(/^req_/);
  expect((await scan(edge, short_code)).status).toBe(302);
});

test('5,000 hostile paths and destinations: Location is the destination in ASCII, and nothing is reflected', async () => {
  const server = all;
  const nasty = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '%0d%0aX-Injected: 1',
      '\u0085',
      '\u2028',
      '"><script>',
      '../../etc',
      '%00',
      '日本語/é',
      '\\..\\x',
    ),
  );
  const destinations = fc.sample(nasty, 1500).map(text => `https://example.com/${text}`);
  let redirected = 0;
  for (let at = 0; at < destinations.length; at += 250) {
    const chunk = destinations.slice(at, at + 250);
    const items = chunk.map(destination_url => ({ name: 'x', destination_url }));
    const made = await ask({
      method: 'POST',
      url: `${server.url}/v1/qrcodes/bulk`,
      key: owner.live,
      body: { items },
    });
    for (const entry of made.body.data) {
      if (entry.status === 'failed') {
        expect(entry.error.code).toBe('invalid_url');
        continue;
      }
      const answer = await rawGet(server.url, `/${entry.qr_code.short_code}`);
      expect(answer.statusLine).toContain('302');
      const destination = chunk[entry.index]!;
      const locations = answer.headers.filter(([name]) => name.toLowerCase() === 'location');
      expect(locations).toEqual([['Location', expect.stringMatching(/^[ -~]+$/)]]);
      const [[, location]] = locations as unknown as [[string, string]];
      if (/^[ -~]+$/.test(destination)) expect(location).toBe(destination);
      expect(new URL(location).href).toBe(new URL(destination).href);
      expect(answer.headers.map(([name]) => name.toLowerCase()).sort()).toEqual([
        'cache-control',
        'connection',
        'content-length',
        'date',
        'location',
        'x-request-id',
        'x-robots-tag',
      ]);
      redirected++;
    }
  }
  expect(redirected).toBeGreaterThan(300);
  const paths = fc.sample(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 80 }), 3500);
  // A request id holds no u, so a response has the mark only if it reflects the path.
  const mark = 'zqu';
  for (const [n, path] of paths.entries()) {
    const target = `/${['', '', 't/', 't/bcdfghjk/'][n % 4]}${encodeURI(path)}${mark}`;
    const answer = await rawGet(server.url, target);
    expect(answer.statusLine).toMatch(/ (30[0-9]|40[0-9]|410|414|429) /);
    expect(answer.text).not.toContain(mark);
  }
  expect((await ask({ url: `${server.url}/healthz` })).status).toBe(200);
});
