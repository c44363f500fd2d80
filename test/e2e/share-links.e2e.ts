import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsSummary, Timeseries } from '@signpost/contract';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { ask } from '@signpost/testing/client.ts';
import { callAs, type Owner, openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { createDashboardFixture, type DashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { layoutFaults } from '@signpost/testing/dashboard/layout.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { addPastScans, backdateCode } from '@signpost/testing/dashboard/past-scans.ts';
import { schemes } from '@signpost/testing/dashboard/viewport.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';

/** A folder for pictures of the pages. */
const pictures = process.env.PAGES_PICTURES;
const dayMs = 86_400_000;

let fixture: DashboardFixture;
let other: TestServer;
let browser: Browser;
let owner: Owner;
let code: { readonly id: string; readonly name: string };

/** Scans by many people in large cities, by few in small ones, and by few who scan often. */
const places = [
  ['DE', 'Berlin', 420, 300],
  ['DE', 'Hamburg', 260, 190],
  ['DE', 'Munich', 150, 120],
  ['AT', 'Vienna', 110, 90],
  ['CH', 'Zurich', 60, 50],
  ['FR', 'Paris', 48, 40],
  ['NL', 'Amsterdam', 30, 25],
  ['PL', 'Poznań', 14, 10],
  ['DE', 'Lübeck', 40, 4],
  ['DE', 'Husum', 3, 3],
  ['DK', 'Odense', 2, 2],
] as const;

beforeAll(async () => {
  [fixture, browser] = await Promise.all([createDashboardFixture(), launchChromium()]);
  owner = await openOwner(browser, fixture, { width: 1280, scheme: 'light' }, 'Museum of the North');
  other = await fixture.base.server({ PUBLIC_URL: fixture.url });
  code = await api('POST', '/v1/qrcodes', {
    name: 'Exhibition “Ships & Sails”',
    destination_url: 'https://museum.example/ships',
    tags: ['Summer'],
  });
  for (const [key, name] of [
    ['entrance', 'Entrance hall'],
    ['cafe', 'Café, every table'],
    ['tram', 'Tram stop Rathausmarkt'],
  ])
    await api('POST', `/v1/qrcodes/${code.id}/placements`, { key, name });
  await backdateCode(fixture, code.id, new Date(Date.now() - 60 * dayMs));
  const keys = ['entrance', 'entrance', 'tram', '', 'cafe'];
  let visitor = 0;
  const scans = places.flatMap(([country, city, count, visitors]) => {
    const first = visitor;
    visitor += visitors;
    return Array.from({ length: count }, (_, n) => {
      // Few people on one day: those who come in two months are counted in each.
      const daysAgo = visitors < 5 ? 0 : Math.floor(29 * ((n * 0.618) % 1) ** 1.4);
      return {
        atMs: Date.now() - daysAgo * dayMs - 3_600_000,
        visitor: String(first + (n % visitors)).padStart(32, '0'),
        country,
        city,
        placement: keys[n % keys.length]!,
      };
    });
  });
  await addPastScans(fixture, code.id, scans);
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

const api = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  callAs(owner.page.request, fixture.url, method, `/account${path}`, body);

const timezone = 'Europe/Berlin';
const sections = ['chart', 'map', 'placements', 'destinations'];
const share = (body: object = {}): Promise<{ id: string; url: string }> =>
  api('POST', `/v1/qrcodes/${code.id}/share-links`, { sections, timezone, ...body });

/** The page as its readers open it: without an account, and without JavaScript. */
async function openShared(url: string, options: object = {}): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** The rows of a table of the page: name and scans. */
const readRows = async (page: Page, name: string): Promise<(readonly (string | null)[])[]> => {
  const rows = await page.getByRole('table', { name, exact: true }).getByRole('row').all();
  return Promise.all(
    rows.slice(1).map(async row => {
      const title = row.getByRole('rowheader').locator('span').first();
      return [await title.textContent(), await row.getByRole('cell').first().textContent()];
    }),
  );
};
const number = (value: number) => value.toLocaleString('en-GB');

test('the page has the figures of the API and is read without JavaScript', async () => {
  const { url } = await share({ title: 'Ships & Sails' });
  const period = `timezone=${timezone}`;
  const summary: AnalyticsSummary = await api('GET', `/v1/qrcodes/${code.id}/analytics?${period}`);
  const series: Timeseries = await api('GET', `/v1/qrcodes/${code.id}/analytics/timeseries?${period}`);
  const page = await openShared(url);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Ships & Sails');
  const { total_scans, unique_visitors, avg_daily_scans } = summary.summary;
  expect(total_scans).toBe(places.reduce((sum, [, , count]) => sum + count, 0));
  expect(await page.locator('dd').allInnerTexts()).toEqual(
    [total_scans, unique_visitors, avg_daily_scans].map(number),
  );
  await page.getByText('Figures as a table').click();
  const days = await page.locator('details tbody tr').all();
  const drawn = await Promise.all(days.map(day => day.getByRole('cell').allInnerTexts()));
  expect(drawn).toEqual(
    series.data.map(({ total_scans: scans, unique_visitors: visitors }) => [scans, visitors].map(number)),
  );
  const names = new Intl.DisplayNames('en-GB', { type: 'region' });
  expect(await readRows(page, 'Countries')).toEqual(
    summary.top_countries.map(({ country, scans }) => [names.of(country), number(scans)]),
  );
  const open = summary.top_cities.filter(({ city }) => city !== 'Lübeck' && city !== 'Husum');
  const shown = open.reduce((sum, { scans }) => sum + scans, 0);
  expect(await readRows(page, 'Cities')).toEqual([
    ...open.map(({ city, country, scans }) => [`${city}, ${names.of(country)}`, number(scans)]),
    ['Other', number(total_scans - shown)],
  ]);
  expect(await readRows(page, 'Placements')).toEqual(
    summary.placements
      .toSorted((a, b) => b.scans - a.scans)
      .map(({ name, scans }) => [name || 'No placement', number(scans)]),
  );
  expect(await readRows(page, 'Destinations')).toEqual([['museum.example/ships', number(total_scans)]]);
  const html = await page.content();
  for (const hidden of [/Lübeck|Husum|Odense/, /\b(qr|scan|shr|acct|tgt|rul)_/, /<script/, code.id.slice(3)])
    expect(html).not.toMatch(hidden);
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
  await page.context().close();
});

test('200 guessed and mutated tokens get one and the same 404, and a revoked link is gone on two processes within a second', async () => {
  const { id, url } = await share();
  const token = url.slice(-32);
  const at = (server: string, path: string, n: number) =>
    ask({ url: `${server}/s/${path}`, headers: { 'x-forwarded-for': `10.9.${n >> 8}.${n & 255}` } });
  const servers = [fixture.url, other.url];
  for (const server of servers) expect((await at(server, token, 0)).status).toBe(200);
  await api('DELETE', `/v1/share-links/${id}`);
  const began = performance.now();
  const gone = await Promise.all(servers.map(server => at(server, token, 1)));
  expect(gone.map(({ status }) => status)).toEqual([404, 404]);
  const took = performance.now() - began;
  expect(took).toBeLessThan(1000);
  const tell = ({ status, headers, body }: (typeof gone)[number]) => {
    const { date: _, 'x-request-id': __, ...rest } = headers;
    return { status, body, headers: rest };
  };
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const guesses = Array.from({ length: 200 }, (_, n) =>
    n < 64
      ? token.slice(0, n % 32) +
        alphabet[(alphabet.indexOf(token[n % 32]!) + 7 + n) % 32] +
        token.slice((n % 32) + 1)
      : Array.from({ length: 32 }, () => alphabet[Math.floor(Math.random() * 32)]).join(''),
  );
  const times: number[] = [];
  for (const [n, guess] of guesses.entries()) {
    const answer = await at(servers[n % 2]!, guess, n + 2);
    expect(tell(answer)).toEqual(tell(gone[0]!));
    times.push(answer.ms);
  }
  const median = times.toSorted((a, b) => a - b)[100]!;
  console.log(
    `revoked: gone on two processes after ${Math.round(took)} ms; 404 median ${median.toFixed(1)} ms`,
  );
});

test('the page passes axe and has a whole layout at 375 and 1280 px in both schemes', async () => {
  const { url } = await share({ title: 'Ships & Sails' });
  const findings: string[] = [];
  if (pictures) mkdirSync(pictures, { recursive: true });
  for (const width of [375, 1280])
    for (const scheme of schemes) {
      const page = await openShared(url, {
        javaScriptEnabled: true,
        viewport: { width, height: 800 },
        colorScheme: scheme,
      });
      const what = `${width} px, ${scheme}`;
      findings.push(...(await seriousFindings(page)).map(finding => `${what}: ${finding}`));
      findings.push(...(await layoutFaults(page)).map(fault => `${what}: ${fault}`));
      if (pictures)
        await page.screenshot({ path: join(pictures, `share-${width}-${scheme}.png`), fullPage: true });
      await page.context().close();
    }
  expect(findings).toEqual([]);
});

test('the page prints on paper, and its chart is a picture', async () => {
  const { url } = await share({ title: 'Ships & Sails' });
  const folder = pictures ?? mkdtempSync(join(tmpdir(), 'signpost-share-'));
  const page = await openShared(url, { colorScheme: 'dark' });
  const pdf = join(folder, 'share.pdf');
  await page.pdf({ path: pdf, format: 'A4' });
  execFileSync('pdftoppm', ['-r', '80', '-png', pdf, join(folder, 'share-print')]);
  const printed = readdirSync(folder).filter(name => name.startsWith('share-print'));
  expect(printed.length).toBeGreaterThan(0);
  expect(printed.length).toBeLessThanOrEqual(3);
  for (const name of printed) expect(statSync(join(folder, name)).size).toBeGreaterThan(5_000);
  const text = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' });
  expect(text).toContain('Where people scanned');
  expect(text).not.toMatch(/Download the chart|Figures as a table/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the chart' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^scans-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.svg$/);
  const svg = readFileSync(await download.path(), 'utf8');
  const drawing = await browser.newPage({ viewport: { width: 1200, height: 560 } });
  await drawing.setContent(`<body style="margin:0">${svg.replace(/^<\?xml.*\?>/, '')}`);
  expect(await drawing.locator('svg rect').count()).toBeGreaterThan(29);
  if (pictures) await drawing.screenshot({ path: join(pictures, 'share-chart.png') });
  await drawing.close();
  await page.context().close();
});

test('an owner shares the figures of a code, a tag and the account, copies the link and revokes it', async () => {
  const { page, faults } = owner;
  const dialog = page.getByRole('dialog');
  const create = async (title: string, more: () => Promise<unknown> = async () => {}): Promise<string> => {
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByLabel('Heading').fill(title);
    await more();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByRole('button', { name: 'Copy link' }).last().click();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    await dialog.getByRole('button', { name: 'Done' }).click();
    return copied;
  };
  await openPage(page, { path: `/app/codes/${code.id}/analytics`, heading: code.name });
  const url = await create('For the director', async () => {
    await dialog.getByLabel('Period').selectOption('Last 7 days');
    await dialog.getByLabel('Ends after').fill(new Date(Date.now() + 9 * dayMs).toISOString().slice(0, 10));
    await dialog.getByLabel('Placements').check();
    if (pictures) await page.screenshot({ path: join(pictures, 'share-dialog.png') });
  });
  const shared = await openShared(url);
  expect(await shared.getByRole('heading', { level: 1 }).textContent()).toBe('For the director');
  expect(await shared.getByRole('table', { name: 'Placements' }).count()).toBe(1);
  expect(await shared.getByRole('table', { name: 'Destinations' }).count()).toBe(0);
  const row = dialog.getByRole('button', { name: `Revoke For the director …${url.slice(-4)}` });
  await row.waitFor();
  if (pictures) await page.screenshot({ path: join(pictures, 'share-list.png') });
  expect(await seriousFindings(page)).toEqual([]);
  await row.click();
  await page.getByText('Link revoked. Its page is gone.').waitFor();
  expect((await shared.reload())!.status()).toBe(404);
  await shared.context().close();
  await page.keyboard.press('Escape');
  for (const [path, heading, first] of [
    ['/app/analytics?tag=Summer', 'Summer 2026', '1 QR code with the tag Summer'],
    ['/app/analytics', 'Everything', '1 QR code ·'],
  ] as const) {
    await openPage(page, { path, heading: 'Analytics' });
    const opened = await openShared(await create(heading));
    expect(await opened.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
    expect(await opened.locator('header').textContent()).toContain(first);
    await opened.context().close();
    await page.keyboard.press('Escape');
  }
  expect(faults).toEqual([]);
});

test('somebody who may not share sees no button', async () => {
  const { page } = owner;
  await fixture.base.db.query(demote, [owner.person.email]);
  await openPage(page, { path: `/app/codes/${code.id}/analytics`, heading: code.name });
  await page.getByRole('button', { name: 'Export' }).waitFor();
  expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
});

const demote = sql(
  'test-demote',
  `update members m set role = 'editor' from auth_users u where u.id = m.user_id and u.email = $1`,
);
