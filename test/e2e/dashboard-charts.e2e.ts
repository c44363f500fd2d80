import { readFile } from 'node:fs/promises';
import { callAs, openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { findingsInSchemes } from '@signpost/testing/dashboard/axe.ts';
import { figure, readChart, scansPerPx } from '@signpost/testing/dashboard/chart.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { addPastScans, backdateCode, backdateLastEdit } from '@signpost/testing/dashboard/past-scans.ts';
import { type Scheme, schemes, type WatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../apps/server/src/kernel/ids.ts';

const onStage = loadDataset();
const dayMs = 86_400_000;
const zone = 'Europe/Berlin';
const dayOf = (date: Date) => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(date);

type Code = { readonly id: string; readonly name: string; readonly short_url: string };

/** A code of 20 days with scans from three countries, re-pointed and paused on the way. */
let watched: WatchedPage;
let code: Code;
const createdAt = new Date(Date.now() - 20 * dayMs);

const call = (method: 'GET' | 'POST' | 'PATCH', path: string, data?: object) =>
  callAs(watched.page.request, onStage().fixture.url, method, path, data);

const analyticsPage = (search: string) => ({
  path: `/app/codes/${code.id}/analytics?${search}`,
  heading: code.name,
});

beforeAll(async () => {
  const { browser, fixture } = onStage();
  watched = await openOwner(browser, fixture, { width: 1440, scheme: 'light' }, 'Olive Owner');
  code = await call('POST', '/account/v1/qrcodes', {
    name: 'Spring menu',
    destination_url: 'https://example.com/spring',
  });
  await backdateCode(fixture, code.id, createdAt);
  const changes = [{ destination_url: 'https://example.com/summer' }, { active: false }, { active: true }];
  for (const [at, change] of changes.entries()) {
    await call('PATCH', `/account/v1/qrcodes/${code.id}`, change);
    await backdateLastEdit(fixture, code.id, new Date(Date.now() - (5 - at) * dayMs));
  }
  const places = [
    { country: 'DE', city: 'Hamburg' },
    { country: 'DE', city: 'Berlin' },
    { country: 'DK', city: 'Copenhagen' },
    { country: 'US', city: 'Paris', device: 'android', browser: 'chrome' },
  ] as const;
  const scans = Array.from({ length: 400 }, (_, at) => ({
    ...places[at % 13 === 0 ? 3 : at % 3]!,
    // More with every day, and a few of the last hour.
    atMs: Date.now() - 60_000 - Math.floor((1 - Math.sqrt((400 - at) / 400)) * 19.9 * dayMs),
  }));
  await addPastScans(fixture, code.id, scans);
});

afterAll(async () => {
  await watched.context.close();
});

const chart = (page: Page, interval: string) =>
  page.getByRole('img', { name: new RegExp(`Scans over time, .* in all, by ${interval}`) });

describe('the chart', () => {
  test.each(process.env.CI ? ['30d', 'today'] : ['30d', '7d', 'today', 'all'])(
    'is drawn from the creation of the code to now: %s',
    async preset => {
      const { page } = watched;
      await openPage(page, analyticsPage(`preset=${preset}`));
      const interval = preset === 'today' ? 'hour' : 'day';
      await chart(page, interval).waitFor();
      const drawn = await readChart(page);
      const { buckets, ticks, labels } = drawn;

      const today = dayOf(new Date());
      const first = {
        '30d': createdAt,
        all: createdAt,
        '7d': new Date(Date.now() - 6 * dayMs),
        today: new Date(),
      };
      const start = dayOf(first[preset as keyof typeof first]);
      const query = `start_date=${start}&end_date=${today}&timezone=${zone}&interval=${interval}`;
      const answer = await call('GET', `/account/v1/qrcodes/${code.id}/analytics/timeseries?${query}`);
      const counted = answer.data as readonly { date: string; total_scans: number }[];

      // Nothing before the code, nothing after now, and the last one marked as running.
      // Days are those of the zone; hours are in UTC.
      const past = counted.filter(({ date }) =>
        interval === 'day' ? date <= today : Date.parse(date) <= Date.now(),
      );
      expect(buckets.map(({ date, scans }) => [date, scans])).toEqual(
        past.map(({ date, total_scans }) => [date, total_scans]),
      );
      expect(buckets.at(-1)!.state).toBe('running');
      expect(buckets.slice(0, -1).every(({ state }) => state === 'whole')).toBe(true);

      // Ticks are round and at even distances, and each bar is as high as they say.
      const step = ticks[1]!.value;
      expect(String(step)).toMatch(/^[125]0*$/);
      expect(ticks.map(({ value }) => value)).toEqual(ticks.map((_, at) => at * step));
      const sum = buckets.reduce((total, { height }) => total + height * scansPerPx(drawn), 0);
      expect(sum).toBeCloseTo(
        counted.reduce((total, entry) => total + entry.total_scans, 0),
        3,
      );
      const gaps = labels.slice(1).map((label, at) => label.at - labels[at]!.at);
      expect(new Set(gaps).size).toBeLessThanOrEqual(1);
    },
  );

  test('divides the daily average by the days of the code, not by those of the period', async () => {
    const { page } = watched;
    await openPage(page, analyticsPage('preset=90d'));
    // Created 20 days ago: that day, 19 between, and today.
    await figure(page, 'Daily average')
      .getByText(String(Math.round(4000 / 21) / 10), { exact: true })
      .waitFor();
    expect(await figure(page, 'Scans').textContent()).toContain('400');
    await page.getByText('No earlier period to compare with').waitFor();
  });

  test('says what happened to the code where it happened', async () => {
    const { page } = watched;
    await openPage(page, analyticsPage('preset=30d'));
    const changes = page.getByRole('list', { name: 'Changes to this code' }).getByRole('listitem');
    const words = await changes.allInnerTexts();
    expect(words.map(line => /(Destination.*|Paused|Resumed)$/.exec(line)?.[0])).toEqual([
      'Destination changed to example.com/summer',
      'Paused',
      'Resumed',
    ]);
    expect(await page.locator('[data-marker]').count()).toBe(3);
    // Where something is may change while other figures come in, so it is pointed at until its words are there.
    const pointAt = (
      what: Locator,
      place: (
        box: NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>,
      ) => readonly [x: number, y: number],
      text: string,
    ) =>
      expect
        .poll(
          async () => {
            await page.mouse.move(...place((await what.boundingBox())!));
            return page.locator('[data-tooltip]').getByText(text).isVisible();
          },
          { timeout: 20_000 },
        )
        .toBe(true);
    const marker = page.locator('[data-marker] line').first();
    await pointAt(marker, ({ x, y }) => [x + 1, y + 60], 'Destination changed to example.com/summer');
    const last = page.locator('[data-bucket]').last();
    await pointAt(last, ({ x, y, width, height }) => [x + width / 2, y + height - 2], 'so far');
  });

  test('compares with as much of the period before, in words too', async () => {
    const { page } = watched;
    const asked = page.waitForRequest(request => /analytics\?.*end_date=[^&]*T/.test(request.url()));
    await openPage(page, analyticsPage('preset=7d'));
    const before = await (await page.request.get((await asked).url())).json();
    const scans = figure(page, 'Scans');
    await scans.getByText(/in the previous period$/).waitFor();
    const now = Number((await scans.textContent())!.match(/\d+/)![0]);
    const then = before.summary.total_scans as number;
    expect(then).toBeGreaterThan(0);
    const share = new Intl.NumberFormat('en', { style: 'percent' }).format(Math.abs(now - then) / then);
    expect((await scans.textContent())!).toContain(`${now > then ? 'up' : 'down'} ${share} from ${then}`);
    expect((await page.locator('[data-ghost]').getAttribute('d'))!.length).toBeGreaterThan(20);
  });

  test('can be taken away as a picture and as a table', async () => {
    const { page } = watched;
    await openPage(page, analyticsPage('preset=30d'));
    const take = async (item: string) => {
      await page.getByRole('button', { name: 'Download chart' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      return await readFile(await download.path(), 'latin1');
    };
    expect((await take('Chart as PNG')).startsWith('\x89PNG')).toBe(true);
    const lines = (await take('Table as CSV')).trim().split('\r\n');
    expect(lines[0]).toBe('date,total_scans,unique_visitors,total_scans_before');
    const { buckets } = await readChart(page);
    expect(lines.slice(1).map(line => Number(line.split(',')[1]))).toEqual(buckets.map(({ scans }) => scans));
    await page.getByRole('button', { name: 'Show as table' }).click();
    const rows = page.getByRole('table', { name: 'Scans over time' }).getByRole('row');
    expect(await rows.count()).toBe(buckets.length + 1);
  });
});

describe('requests that were not redirected', () => {
  const setCounts = async (counts: Record<string, number>) => {
    const { db } = onStage().fixture.base;
    await db.query({ name: 'test-clear', text: 'delete from not_redirected where qr_code_id = $1' }, [uuid]);
    await db.query(
      {
        name: 'test-not-redirected',
        text: `insert into not_redirected (qr_code_id, day, reason, requests)
               select $1, current_date, key, value::bigint from jsonb_each_text($2)`,
      },
      [uuid, JSON.stringify(counts)],
    );
  };
  let uuid: string;
  beforeAll(async () => {
    const [row] = await onStage().fixture.base.db.query<{ id: string }>(
      { name: 'test-id', text: 'select id from qr_codes where short_code = $1' },
      [new URL(code.short_url).pathname.slice(1)],
    );
    uuid = row!.id;
  });
  afterAll(() => setCounts({}));

  test.each([
    [{ paused: 312 }, '312 scans while the code was paused'],
    [{ draft: 1 }, '1 scan while the code was a draft'],
  ])('are said by their reason: %o', async (counts, reason) => {
    const { page } = watched;
    await setCounts(counts);
    await openPage(page, analyticsPage('preset=30d'));
    await page.getByText(reason, { exact: true }).waitFor();
  });

  test('are listed by reason, and not shown while a filter is set, since they know none', async () => {
    const { page } = watched;
    await setCounts({ paused: 3120, suspended: 1, held: 40, out_of_hours: 2 });
    await openPage(page, analyticsPage('preset=30d'));
    const alert = page.getByRole('alert').filter({ hasText: 'Some scans were not redirected' });
    await alert.waitFor();
    expect(await alert.getByRole('listitem').allInnerTexts()).toEqual([
      '3,120 scans while the code was paused',
      '40 scans before you confirmed your e-mail address',
      '2 scans while the code did not redirect',
      '1 scan while the code was suspended',
    ]);
    expect(await findingsInSchemes(page, 'requests that were not redirected')).toEqual([]);
    await openPage(page, analyticsPage('preset=30d&country=DE'));
    await page.getByRole('button', { name: /^Hamburg/ }).waitFor();
    expect(await alert.count()).toBe(0);
  });
});

describe('filters', () => {
  test('a click on a country, a city or a device narrows the whole page, and is taken back', async () => {
    const { page } = watched;
    await openPage(page, analyticsPage('preset=30d'));
    const total = async (search: string) =>
      (await call('GET', `/account/v1/qrcodes/${code.id}/analytics?${search}&timezone=${zone}`)).summary
        .total_scans as number;
    const shows = async (scans: number) => {
      await figure(page, 'Scans').getByText(scans.toLocaleString('en'), { exact: true }).waitFor();
      await page.getByRole('img', { name: `Scans over time, ${scans} in all, by day` }).waitFor();
    };
    await page.getByRole('button', { name: /^Germany: / }).focus();
    await page.keyboard.press('Enter');
    const german = await total('country=DE');
    await shows(german);
    expect(page.url()).toContain('country=DE');
    expect(await page.getByRole('table', { name: 'Recent scans' }).getByText('Denmark').count()).toBe(0);

    await page
      .getByRole('table', { name: 'Scans by city' })
      .getByRole('button', { name: /Hamburg/ })
      .click();
    await shows(await total('country=DE&city=Hamburg'));
    const cells = page.getByRole('table', { name: 'Scans by weekday and hour' }).getByRole('cell');
    const countWeek = async () =>
      (await cells.allInnerTexts()).reduce((sum, cell) => sum + Number(cell || 0), 0);
    await expect.poll(countWeek, { timeout: 10_000 }).toBe(await total('country=DE&city=Hamburg'));

    await page.getByRole('button', { name: 'Remove filter City: Hamburg' }).click();
    await shows(german);
    await page.goBack();
    await page.getByRole('button', { name: 'Remove filter City: Hamburg' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await shows(400);
    const share = await page
      .getByRole('table', { name: 'Scans by country' })
      .locator('[data-share]')
      .first()
      .evaluate(bar => Number(bar.getAttribute('data-share')));
    expect(share).toBeCloseTo(german / 400, 6);

    await page.goto('/app/analytics?preset=30d');
    await page
      .getByRole('table', { name: 'Scans by device' })
      .getByRole('button', { name: 'Android' })
      .click();
    await shows(await total('device=android'));
  });
});

describe('what is shown is what was asked for', () => {
  test('figures of another period stand dimmed under a label until the answer comes', async () => {
    const { page } = watched;
    for (const path of [
      analyticsPage('preset=30d'),
      { path: '/app/analytics?preset=30d', heading: 'Analytics' },
    ]) {
      await openPage(page, path);
      let release = () => {};
      const held = new Promise<void>(resolve => {
        release = resolve;
      });
      await page.route('**/analytics**', async route => {
        if (route.request().resourceType() === 'fetch') await held;
        await route.continue();
      });
      await page.getByRole('radiogroup', { name: 'Period' }).getByText('Today').click();
      await page
        .getByRole('status')
        .getByText(/^Loading .*…$/)
        .waitFor();
      const opacity = await page.evaluate(
        `getComputedStyle(document.querySelector('[data-figure="Scans"]').closest('[inert]') ?? document.body).opacity`,
      );
      expect(Number(opacity)).toBeLessThan(0.5);
      release();
      await chart(page, 'hour').waitFor();
      await page
        .getByRole('status')
        .getByText(/^Loading .*…$/)
        .waitFor({ state: 'detached' });
      await page.unroute('**/analytics**');
    }
  });

  test('figures of the other mode are not shown at all', async () => {
    const { page } = watched;
    await openPage(page, { path: '/app/analytics?preset=30d', heading: 'Analytics' });
    await figure(page, 'Scans').getByText('400', { exact: true }).waitFor();
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    await page.route('**/account/v1/analytics**', async route => {
      await held;
      await route.continue();
    });
    const mode = page.getByRole('radiogroup', { name: 'Live or test mode' });
    await mode.getByText('Test').click();
    await figure(page, 'Scans').waitFor({ state: 'detached' });
    release();
    await figure(page, 'Scans').getByText('0', { exact: true }).waitFor();
    await page.unroute('**/account/v1/analytics**');
    await mode.getByText('Live').click();
  });
});

test('scans by placement and by destination have their names, and a click shows only these', async () => {
  const { page } = watched;
  const made = await call('POST', '/account/v1/qrcodes', {
    name: 'Placed menu',
    destination_url: 'https://example.com/evening',
    rules: [{ name: 'Lunch', when: { device: ['android'] }, to: [{ url: 'https://example.com/lunch' }] }],
  });
  await call('POST', `/account/v1/qrcodes/${made.id}/placements`, { key: 'till', name: 'At the till' });
  const [rule] = made.rules;
  const lunch = { ruleId: parseId('rul', rule.id)!, targetId: parseId('tgt', rule.to[0].id)! };
  const scan = { atMs: Date.now() - 60_000 };
  await addPastScans(onStage().fixture, made.id, [
    { ...scan, placement: 'till' },
    { ...scan, placement: 'till', ...lunch },
    { ...scan, ...lunch },
  ]);
  await openPage(page, { path: `/app/codes/${made.id}/analytics`, heading: 'Placed menu' });
  const rows = (name: string) => page.getByRole('table', { name }).getByRole('row').allInnerTexts();
  const flat = (texts: readonly string[]) => texts.map(text => text.replaceAll(/\s+/g, ' ').trim());
  await page.getByRole('table', { name: 'Scans by placement' }).waitFor();
  expect(flat(await rows('Scans by placement'))).toEqual(['At the till 2 67%', 'No placement 1 33%']);
  expect(flat(await rows('Scans by destination'))).toEqual([
    'example.com/lunch Lunch 2 67%',
    'example.com/evening When no rule matches 1 33%',
  ]);
  await page.getByTitle('Show only No placement').click();
  await figure(page, 'Scans').getByText('1', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove filter Placement: No placement' }).click();
  await page.getByTitle('Show only At the till').click();
  await page.getByTitle('Show only example.com/lunch').click();
  await figure(page, 'Scans').getByText('1', { exact: true }).waitFor();
  const recent = page.getByRole('table', { name: 'Recent scans' });
  await recent.getByRole('cell', { name: 'At the till' }).waitFor();
  await recent.getByRole('cell', { name: 'example.com/lunch' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const href = await page.getByRole('menuitem', { name: /^CSV, for/ }).getAttribute('href');
  const file = await (await page.request.get(`${onStage().fixture.url}${href}`)).text();
  expect(file.trim().split('\r\n').slice(1)).toEqual([
    expect.stringContaining(`${rule.to[0].id},${rule.id},till`),
  ]);
  await page.keyboard.press('Escape');
  // The figures of a placement lead to its scans.
  await openPage(page, { path: `/app/codes/${made.id}/placements`, heading: 'Placed menu' });
  await page.getByRole('link', { name: '2 scans of At the till' }).click();
  await page.getByRole('button', { name: 'Remove filter Placement: At the till' }).waitFor();
});

test('scans are exported to disk by a link, in the mode and with the filters of the page', async () => {
  const { page } = watched;
  await openPage(page, analyticsPage('preset=30d&country=DE'));
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click(),
  ]);
  // Bytes that a script had loaded would come from a blob: address.
  expect(download.url()).toMatch(/^http:.*\/analytics\/export\?.*country=DE.*mode=live/);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines.slice(1).every(line => line.split(',')[2] === 'DE')).toBe(true);
  const german = await call('GET', `/account/v1/qrcodes/${code.id}/analytics?country=DE&timezone=${zone}`);
  expect(lines).toHaveLength(german.summary.total_scans + 1);
});

test('axe finds nothing in the calendar, the menus, the table and the chips, light or dark', async () => {
  const { page } = watched;
  const findings: string[] = [];
  const inspect = async (what: string, within: readonly Scheme[] = schemes) => {
    findings.push(...(await findingsInSchemes(page, what, within)));
  };
  await openPage(page, analyticsPage('preset=30d&country=DE'));
  await page.getByRole('button', { name: /choose days/ }).click();
  const calendar = page.getByRole('dialog', { name: /choose days/ });
  await calendar.getByRole('button', { name: 'Previous month' }).waitFor();
  await inspect('the calendar');
  await calendar.getByRole('button', { name: /^[A-Z][a-z]+ 20\d\d$/ }).click();
  await inspect('the months', ['dark']);
  await calendar.getByRole('button', { name: /^20\d\d$/ }).click();
  await inspect('the years', ['light']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  await inspect('the table and a menu');
  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'light' });
  expect(findings).toEqual([]);
});

test('200 scans on an open page are a handful of requests, and the last figure is right', async () => {
  const { page } = watched;
  const { fixture } = onStage();
  await openPage(page, { path: `/app/codes/${code.id}`, heading: code.name });
  const counted = async () => (await call('GET', `/account/v1/qrcodes/${code.id}`)).total_scans as number;
  const asked: number[] = [];
  page.on('request', request => {
    if (new URL(request.url()).pathname === `/account/v1/qrcodes/${code.id}`) asked.push(Date.now());
  });
  const start = Date.now();
  const scans = Array.from({ length: 200 }, (_, at) => `198.51.100.${at}`);
  for (let at = 0; at < scans.length; at += 20)
    await Promise.all(scans.slice(at, at + 20).map(address => fixture.scan(code.short_url, { address })));
  await waitUntil('the scans are counted', async () => (await counted()) === 600);
  await page.getByText('600', { exact: true }).first().waitFor();
  const lastedMs = Date.now() - start;
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(2 + Math.ceil(lastedMs / 2_000));
});

test('nothing went wrong on the way', () => {
  expect(watched.faults).toEqual([]);
});
