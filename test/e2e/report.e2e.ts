import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { TestAccount } from '@signpost/testing/api.ts';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { walkByTab } from '@signpost/testing/dashboard/keyboard.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';

let fixture: Fixture;
let all: TestServer;
let edge: TestServer;
let owner: TestAccount;

const base = 'https://sign.example';

beforeAll(async () => {
  fixture = await createFixture({
    SHORT_BASE_URL: base,
    PUBLIC_URL: 'https://api.sign.example',
    ABUSE_CONTACT: 'abuse@sign.example',
    TRUSTED_PROXIES: '127.0.0.0/8',
    // Another one each time: what other runs have counted is not found under it.
    AUTH_SECRET: randomBytes(24).toString('hex'),
    UNKNOWN_CODES_PER_MINUTE: '20',
  });
  [all, edge] = [await fixture.server({}, 'all'), await fixture.server({}, 'redirect')];
  owner = await fixture.account();
});
afterAll(() => fixture.close());

const both = () => [all, edge];

async function create(more: object = {}, key = owner.live) {
  const body = { name: 'Menu', destination_url: 'https://example.com/menu', ...more };
  const made = await ask({ method: 'POST', url: `${all.url}/v1/qrcodes`, key, body });
  expect(made.status).toBe(201);
  return { ...made.body, path: new URL(made.body.short_url).pathname };
}

let lastAddress = 0;
/** In a network of nobody before. */
const newAddress = () => {
  lastAddress++;
  return `198.${18 + (lastAddress >> 8)}.${lastAddress & 255}.1`;
};

type Fields = { readonly link?: string; readonly kind?: string; readonly text?: string };

async function report(fields: Fields, address = newAddress(), headers: Record<string, string> = {}) {
  const answer = await fetch(`${all.url}/report`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'x-forwarded-for': address, ...headers },
  });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

const preview = (server: TestServer, path: string, headers: Record<string, string> = {}) =>
  ask({ url: server.url + path, headers: { 'x-forwarded-for': newAddress(), ...headers } });

type Kept = { count: number; texts: string[]; kinds: string[] };

async function kept(shortCode: string): Promise<Kept | undefined> {
  const [row] = await fixture.db.query<Kept>(
    sql(
      'kept-reports',
      `select r.count, array_agg(m.text order by m.at, m.id) as texts, array_agg(m.kind order by m.at, m.id) as kinds
         from reports r join qr_codes c on c.id = r.qr_code_id join report_messages m on m.report_id = r.id
        where c.short_code = $1 group by r.count`,
    ),
    [shortCode],
  );
  return row;
}

const strict =
  /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action '(self|none)'; frame-ancestors 'none'$/;

describe('the report page', () => {
  test('is a form without script, kept by no cache and found by no search engine', async () => {
    const { status, headers, body } = await ask({ url: `${all.url}/report?link=abc` });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(strict),
    });
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect(headers['set-cookie']).toBeUndefined();
    expect(body).not.toMatch(/<script|javascript:|\son\w+=/i);
    expect((await ask({ method: 'HEAD', url: `${all.url}/report` })).status).toBe(200);
  });

  test('keeps the link of the preview that it was opened from, and nothing else of its address', async () => {
    const filledIn = async (query: string) =>
      /name="link"[^>]*? value="([^"]*)"/.exec((await ask({ url: `${all.url}/report?${query}` })).body)?.[1];
    const { short_url, path } = await create();
    const page = await preview(all, `${path}+`);
    const [, query = ''] = /href="[^"]*\/report\?([^"]*)"/.exec(page.body) ?? [];
    expect(await filledIn(query)).toBe(short_url);
    expect(await filledIn(`link=${encodeURIComponent(`${short_url}+`)}`)).toBe(short_url);
    for (const other of ['https://evil.example/abcdef', '"><script>alert(1)</script>', '', 'a'.repeat(600)])
      expect(await filledIn(`link=${encodeURIComponent(other)}`), other).toBeUndefined();
    expect(await filledIn('link=abcdef&link=ghijkl')).toBeUndefined();
  });

  test('takes a report of a live code and of a test code, in any form of the link', async () => {
    const live = await create();
    const trial = await create({}, owner.test);
    const links = [live.short_url, live.short_code.toUpperCase(), `${live.short_url}+?x=1`];
    for (const link of links) {
      const { status, body } = await report({ link, kind: 'phishing' });
      expect([status, body]).toEqual([200, expect.stringContaining('Thank you')]);
    }
    expect(await kept(live.short_code)).toEqual({
      count: 3,
      texts: ['', '', ''],
      kinds: Array(3).fill('phishing'),
    });
    // A report stops nothing: that is for an operator to decide.
    expect((await ask({ url: edge.url + live.path })).status).toBe(302);
    expect((await report({ link: trial.path.slice(1), kind: 'malware', text: 'why' })).status).toBe(200);
    expect(await kept(trial.short_code)).toEqual({ count: 1, texts: ['why'], kinds: ['malware'] });
  });

  test('a link that is not ours, a code that never was, a draft and a deleted code are not taken', async () => {
    const deleted = await create();
    await ask({ method: 'DELETE', url: `${all.url}/v1/qrcodes/${deleted.id}`, key: owner.live });
    const draft = await create({ status: 'draft' });
    const foreign = await report({ link: 'https://other.example/abcdef', kind: 'scam' });
    expect([foreign.status, foreign.body]).toEqual([
      400,
      expect.stringContaining('not one of our short links'),
    ]);
    const answers = [];
    for (const link of ['never-was-1', deleted.short_code, draft.short_code])
      answers.push(await report({ link, kind: 'scam' }));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers[0]!.body).toContain('There is no such code');
    // The same bytes: the form does not tell which codes there are.
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await kept(deleted.short_code)).toBeUndefined();
    expect(await kept(draft.short_code)).toBeUndefined();
  });

  test('HTML and line breaks in a text stay text', async () => {
    const { short_code: link } = await create();
    const text = '<img src=x onerror=alert(1)>\r\nSecond line\n\n"quoted" & \u202Eturned';
    expect((await report({ link, kind: 'other', text })).status).toBe(200);
    expect((await kept(link))!.texts).toEqual([
      '<img src=x onerror=alert(1)>\nSecond line\n\n"quoted" & \u202Eturned',
    ]);
  });

  test('nothing of a request is in any answer', async () => {
    const { short_code } = await create();
    const mark = 'Mark5f1c';
    const headers = {
      'user-agent': mark,
      referer: `https://${mark}.example`,
      cookie: `a=${mark}`,
      origin: `https://${mark}.example`,
      'accept-language': mark,
      'x-request-id': mark,
      'x-forwarded-host': mark,
    };
    const fields = { link: `${mark}"><b>`, kind: mark, text: mark, [mark]: mark };
    const address = newAddress();
    const answers = [
      await report(fields, address, headers),
      await report({ ...fields, kind: 'scam', link: `${base}/${mark}` }, address, headers),
      await report({ ...fields, kind: 'scam', link: short_code, text: mark.repeat(200) }, address, headers),
      await report({ ...fields, kind: 'scam', link: `${short_code}?${mark}` }, address, headers),
      await report({ ...fields, text: mark.repeat(5000) }, address, headers),
      await report(fields, address, { ...headers, 'content-type': `text/plain; x=${mark}` }),
    ];
    for (let i = 0; i < 6; i++)
      answers.push(await report({ ...fields, kind: 'scam', link: short_code }, address, headers));
    expect(answers.map(({ status }) => status)).toEqual([
      ...[400, 400, 400, 200, 413, 415],
      ...[200, 200, 200, 200, 429, 429],
    ]);
    const foreign = encodeURIComponent(`https://${mark}.example/"><b>`);
    const gets = [`/report?link=${foreign}&${mark}=${mark}`, `/${short_code}+?${mark}=${mark}`, `/${mark}+`];
    for (const path of gets) {
      const { status, headers: got, body } = await ask({ url: all.url + path, headers });
      answers.push({ status, headers: new Headers(got), body: String(body) });
    }
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers: got, body } = await ask({ method, url: `${all.url}/report?${mark}`, headers });
      expect([status, got.allow]).toEqual([405, 'GET, HEAD, POST']);
      answers.push({ status, headers: new Headers(got), body });
    }
    for (const { headers: got, body } of answers) {
      expect(body.toLowerCase()).not.toContain(mark.toLowerCase());
      expect(JSON.stringify([...got]).toLowerCase()).not.toContain(mark.toLowerCase());
      expect(got.get('content-security-policy')).toMatch(strict);
      expect([got.get('cache-control'), got.get('x-robots-tag')]).toEqual(['no-store', 'noindex']);
    }
  });

  test('five an hour are taken from one address, and of IPv6 from one /64', async () => {
    const { short_code: link } = await create();
    const [ipv4, other] = [newAddress(), newAddress()];
    const from = async (address: string) => (await report({ link, kind: 'scam' }, address)).status;
    // At once, so that nobody gets in between.
    const statuses = await inParallel(9, 9, () => from(ipv4));
    expect(statuses.filter(status => status === 200).length).toBe(5);
    expect(statuses.filter(status => status === 429).length).toBe(4);
    const refused = await report({ link, kind: 'scam' }, ipv4);
    expect(refused.body).toContain('We have received many reports from your network');
    expect(refused.body).toContain('mailto:abuse@sign.example');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    expect(await from(other)).toBe(200);
    for (let i = 0; i < 5; i++) expect(await from(`2001:db8:5:1::${i + 1}`)).toBe(200);
    expect(await from('2001:db8:5:1:ffff::1')).toBe(429);
    expect(await from('2001:db8:5:2::1')).toBe(200);
    expect((await kept(link))!.count).toBe(12);
    // Whoever guesses at codes is stopped too, and learns no more.
    const guesser = newAddress();
    for (let i = 0; i < 30; i++)
      expect((await report({ link: `guess-${i}`, kind: 'scam' }, guesser)).status).toBe(400);
    expect((await report({ link, kind: 'scam' }, guesser)).status).toBe(429);
  });

  test('50 a day are taken from one IPv6 /48 and from one IPv4 /24, whatever the addresses in it', async () => {
    const { short_code: link } = await create();
    const from = async (address: string) => (await report({ link, kind: 'scam' }, address)).status;
    for (const addressOf of [
      (index: number) => `2001:db8:77:${index.toString(16)}::1`,
      (index: number) => `203.0.113.${index}`,
    ]) {
      const statuses = await inParallel(60, 4, index => from(addressOf(index + 1)));
      expect(statuses.filter(status => status === 200).length).toBe(50);
      expect(statuses.filter(status => status === 429).length).toBe(10);
    }
    expect(await from('2001:db8:78:1::1')).toBe(200);
    const refused = await report({ link, kind: 'scam' }, '203.0.113.99');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600);
    expect((await kept(link))!.count).toBe(101);
  });

  test('500 a day are taken in all; what is over counts against nobody', async () => {
    const fresh = await fixture.server({ AUTH_SECRET: randomBytes(24).toString('hex') });
    const { short_code: link } = await create();
    const send = async (address: string) => {
      const body = new URLSearchParams({ link, kind: 'scam' });
      const headers = { 'x-forwarded-for': address };
      const answer = await fetch(`${fresh.url}/report`, { method: 'POST', body, headers });
      return [answer.status, await answer.text()] as const;
    };
    const answers = await inParallel(510, 4, index => send(`198.18.${index & 255}.${index >> 8}`));
    expect(answers.filter(([status]) => status === 200).length).toBe(500);
    const late = newAddress();
    for (let i = 0; i < 7; i++)
      expect(await send(late)).toEqual([429, expect.stringContaining('Too many reports today')]);
    expect((await kept(link))!).toMatchObject({ count: 500, texts: Array(100).fill('') });
    await fresh.end('SIGTERM');
  });
});

describe('a short link with + behind it', () => {
  test('names the host and the day of the last change, and redirects nobody', async () => {
    const code = await create({ destination_url: 'https://Bücher.example:8443/secret-path?token=1' });
    const trial = await create({ destination_url: 'http://192.0.2.7/x' }, owner.test);
    const day = new Date().toISOString().slice(0, 10);
    for (const server of both()) {
      for (const path of [`${code.path}+`, `${code.path.toUpperCase()}%2B`, `${code.path}%2b/?utm=1`]) {
        const { status, headers, body } = await preview(server, path);
        expect(status).toBe(200);
        expect(headers.location).toBeUndefined();
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
          'referrer-policy': 'no-referrer',
          'content-security-policy': expect.stringMatching(strict),
        });
        expect(body).toContain('<li>xn--bcher-kva.example</li>');
        expect(body).not.toMatch(/Bücher|secret-path|token|8443|<script/i);
        expect(body).toContain(`datetime="${day}"`);
        expect(body).toContain(
          `href="https://api.sign.example/report?link=${code.path.slice(1).toLowerCase()}"`,
        );
      }
      const json = { accept: 'application/json' };
      expect((await preview(server, `${trial.path}+`, json)).body).toEqual({
        hosts: ['192.0.2.7'],
        updated_on: day,
      });
      const head = await ask({ method: 'HEAD', url: `${server.url}${code.path}+` });
      expect([head.status, head.body]).toEqual([200, '']);
      expect((await ask({ method: 'POST', url: `${server.url}${code.path}+` })).status).toBe(405);
    }
  });

  test('names every host that the table of targets has, by name', async () => {
    const code = await create();
    await fixture.db.query(
      sql(
        'set-target',
        `insert into code_targets (qr_code_id, kind, url, host, url_hash)
         select id, 'default', 'https://b.example/', 'b.example', '\\x00112233445566778899aabbccddeeff'
           from qr_codes where short_code = $1
         on conflict (qr_code_id) where kind = 'default' do update set host = excluded.host`,
      ),
      [code.short_code],
    );
    expect((await preview(edge, `${code.path}+`)).body).toContain('<li>b.example</li>');
  });

  test('answers as the short link does where that redirects nobody, at once after a change', async () => {
    const code = await create();
    const url = `${all.url}/v1/qrcodes/${code.id}`;
    const key = owner.live;
    const htmlOf = async (server: TestServer, path: string) => {
      const { status, body } = await preview(server, path);
      return [status, String(body).replace(/req_\w+/, '')];
    };
    const same = async (status: number) => {
      for (const server of both()) {
        const plain = await htmlOf(server, code.path);
        expect(plain[0]).toBe(status);
        expect(await htmlOf(server, `${code.path}+`)).toEqual(plain);
      }
    };
    for (const server of both()) expect((await preview(server, `${code.path}+`)).status).toBe(200);
    await ask({ method: 'PATCH', url, key, body: { active: false } });
    await same(404);
    await ask({
      method: 'PATCH',
      url,
      key,
      body: { active: true, destination_url: 'https://new.example' },
    });
    for (const server of both())
      expect((await preview(server, `${code.path}+`)).body).toContain('<li>new.example</li>');
    await runCommand(['admin', 'block-host', 'new.example'], fixture.env);
    await same(404);
    await ask({ method: 'DELETE', url, key });
    await same(410);
    for (const path of ['/never-was-2', '/t/bcdfghjk/never-was-2'])
      expect(await htmlOf(edge, `${path}+`)).toEqual(await htmlOf(edge, path));
  });

  test('is no scan', async () => {
    const code = await create();
    const countOf = async (name: string) => {
      const text = await (await fetch(edge.metricsUrl)).text();
      const values = text.split('\n').filter(line => line.startsWith(name));
      return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const before = [
      await countOf('signpost_scans_total'),
      await countOf('signpost_not_redirected_total{page="preview"'),
    ];
    for (let i = 0; i < 10; i++) expect((await preview(edge, `${code.path}+`)).status).toBe(200);
    expect(await countOf('signpost_scans_total')).toBe(before[0]);
    expect(await countOf('signpost_not_redirected_total{page="preview"')).toBe(before[1]! + 10);
    // The counter that stood still is the one that counts scans.
    expect((await ask({ url: edge.url + code.path })).status).toBe(302);
    expect(await countOf('signpost_scans_total')).toBe(before[0]! + 1);
  });

  test('is limited by address, and short links are not', async () => {
    const code = await create();
    const headers = { 'x-forwarded-for': newAddress() };
    const look = async (path: string) => (await ask({ url: edge.url + path, headers })).status;
    for (let i = 0; i < 20; i++) expect(await look(`${code.path}+`)).toBe(200);
    expect(await look(`${code.path}+`)).toBe(429);
    expect(await look(code.path)).toBe(302);
    // An unknown one is a miss: it counts against unknown short links too.
    const guesser = { 'x-forwarded-for': newAddress() };
    const guess = async (path: string) => (await ask({ url: edge.url + path, headers: guesser })).status;
    for (let i = 0; i < 20; i++) expect(await guess(`/not-there-${i}+`)).toBe(404);
    expect(await guess('/not-there-21')).toBe(429);
    expect(await guess(code.path)).toBe(302);
  });

  test('is asked to wait while PostgreSQL is silent, and the short link redirects', async () => {
    const postgres = await startPostgres();
    const apart = await createFixture({ SHORT_BASE_URL: base }, postgres.url);
    const [api, link] = [await apart.server(), await apart.server({}, 'redirect')];
    const { live: key } = await apart.account();
    const body = { name: 'x', destination_url: 'https://example.com' };
    const made = (await ask({ method: 'POST', url: `${api.url}/v1/qrcodes`, key, body })).body;
    const url = `${link.url}/${made.short_code}`;
    for (const [path, status] of [
      [url, 302],
      [`${url}+`, 200],
    ] as const)
      expect((await ask({ url: path })).status).toBe(status);
    postgres.freeze();
    try {
      const answer = await ask({ url: `${url}+` });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
      expect((await ask({ url })).status).toBe(302);
    } finally {
      postgres.thaw();
    }
    await apart.close();
    await postgres.remove();
  });
});

describe('security.txt', () => {
  test('is served by the API and by redirects, and not without a contact', async () => {
    const path = '/.well-known/security.txt';
    for (const server of both()) {
      const { status, headers, body } = await ask({ url: server.url + path });
      expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(body).toContain('Contact: mailto:abuse@sign.example\n');
      expect(body).toContain(`Canonical: ${base}${path}\n`);
      const [, expires] = /^Expires: (.*)$/m.exec(body)!;
      expect(new Date(expires!).getTime()).toBeGreaterThan(Date.now() + 80 * 86_400_000);
      expect((await ask({ method: 'HEAD', url: server.url + path })).status).toBe(200);
    }
    const silent = await fixture.server({ ABUSE_CONTACT: '' }, 'redirect');
    expect((await ask({ url: silent.url + path })).status).toBe(404);
    const api = await fixture.server({ ABUSE_CONTACT: '' });
    expect((await ask({ url: api.url + path })).status).toBe(404);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  const shots = process.env.REPORT_SHOTS;
  if (shots) mkdirSync(shots, { recursive: true });

  test.each(process.env.CI ? [320] : [320, 768, 1440])(
    'axe finds nothing serious, light or dark, and nothing is cut off: %i px',
    async width => {
      const { path, short_url } = await create({
        destination_url: `https://${'a-very-long-name-of-a-host.'.repeat(4)}example.com/`,
      });
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        javaScriptEnabled: true,
        extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
      });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('console', message => message.type() === 'error' && faults.push(message.text()));
      const inspect = async (state: string) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const findings = await seriousFindings(page);
          expect(findings.map(finding => `${state}, ${colorScheme}: ${finding}`)).toEqual([]);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(overflow, state).toBeLessThanOrEqual(0);
          if (shots)
            await page.screenshot({ path: `${shots}/${state}-${width}-${colorScheme}.png`, fullPage: true });
        }
      };

      await page.goto(`${all.url}${path}+`);
      await inspect('preview');
      await page.goto(`${all.url}/report`);
      await inspect('form');
      await sendUnchecked(page);
      await page.getByRole('alert').waitFor();
      await inspect('empty');
      const link = page.getByLabel('Short link');
      expect(await page.evaluate('document.activeElement.id')).toBe('link');
      expect(await link.getAttribute('aria-invalid')).toBe('true');
      await link.fill('https://other.example/x');
      await page.getByLabel('Scam').check();
      await page.getByLabel('Details').fill('It asks for my password.');
      await page.getByRole('button', { name: 'Send report' }).click();
      await page.getByText('not one of our short links').waitFor();
      await inspect('foreign');
      expect(await page.getByLabel('Details').inputValue()).toBe('');
      const walk = await walkByTab(page);
      expect([walk.missed, walk.unseen]).toEqual([[], []]);
      await link.fill(`${short_url}+`);
      await page.getByLabel('Phishing').check();
      await page.getByRole('button', { name: 'Send report' }).click();
      await page.getByRole('heading', { name: 'Thank you for your report' }).waitFor();
      await inspect('thanks');
      await page.goto(`${all.url}/report`);
      await link.fill(short_url);
      await page.getByLabel('Something else').check();
      await page.getByRole('button', { name: 'Send report' }).click();
      await page.getByText('Tell us what is wrong.').waitFor();
      await inspect('no text');
      expect(await page.evaluate('document.activeElement.id')).toBe('text');
      for (let i = 0; i < 5; i++) {
        await page.goto(`${all.url}/report`);
        await link.fill(short_url);
        await page.getByLabel('Something else').check();
        await page.getByLabel('Details').fill('It is a fake shop.');
        await page.getByRole('button', { name: 'Send report' }).click();
      }
      await page.getByText('We have received many reports from your network').waitFor();
      await inspect('limited');
      // A refusal of a form is no success, which a browser says on its console; nothing else is there.
      expect(faults.filter(fault => !/the server responded with a status of (400|429)/.test(fault))).toEqual(
        [],
      );
      await context.close();
    },
  );

  /** Past the browser's own checks, as one without them would send it. */
  async function sendUnchecked(page: Page) {
    await page.evaluate('document.forms[0].noValidate = true');
    await page.getByRole('button', { name: 'Send report' }).click();
  }
});
