import { launchChromium } from '@signpost/testing/chromium.ts';
import { callAs, openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { figure, readChart } from '@signpost/testing/dashboard/chart.ts';
import { createDashboardFixture, type DashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { addPastScans, backdateCode } from '@signpost/testing/dashboard/past-scans.ts';
import type { WatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeOldMonths } from '../../apps/server/src/ingest/retention.ts';
import { createReadPool } from '../../apps/server/src/platform/postgres/reading/read-pool.ts';
import { createPostgresMonths } from '../../apps/server/src/scans/stores/postgres/postgres-months.ts';

const now = new Date();
const at = (monthsAgo: number, day: number) =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, day, 12);

let fixture: DashboardFixture;
let browser: Browser;
let watched: WatchedPage;
let code: { readonly id: string; readonly name: string };

beforeAll(async () => {
  [fixture, browser] = await Promise.all([createDashboardFixture({ CLICKHOUSE_URL: '' }), launchChromium()]);
  watched = await openOwner(browser, fixture, { width: 1440, scheme: 'light' }, 'Olive Owner');
  code = await callAs(watched.page.request, fixture.url, 'POST', '/account/v1/qrcodes', {
    name: 'Spring menu',
    destination_url: 'https://example.com/spring',
  });
  await backdateCode(fixture, code.id, new Date(at(6, 3)));
  await addPastScans(fixture, code.id, [
    ...[5, 9, 14].map(day => ({ atMs: at(5, day) })),
    ...[2, 20].map(day => ({ atMs: at(4, day) })),
    ...[3, 4, 5, 6].map(day => ({ atMs: at(2, day) })),
    { atMs: Date.now() - 60_000 },
  ]);
  const { db, env } = fixture.base;
  const pool = createReadPool(
    { databaseUrl: env.DATABASE_URL!, databasePooler: 'none', databasePoolSize: 1, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  const months = createPostgresMonths(db, pool);
  const { removed } = await removeOldMonths({ db, months, retentionMonths: 3 }, new AbortController().signal);
  expect(removed).toHaveLength(2);
  await pool.close();
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

const analyticsPage = (search: string) => ({
  path: `/app/codes/${code.id}/analytics?${search}`,
  heading: code.name,
});

test('a period that reaches back to removed scans says so, and shows its months with all scans', async () => {
  const { page } = watched;
  await openPage(page, analyticsPage('preset=all'));
  await page.getByText('What remains of earlier months are monthly totals').waitFor();
  expect(await figure(page, 'Scans').textContent()).toContain('10');
  const { buckets } = await readChart(page);
  expect(buckets.map(({ scans }) => scans).filter(scans => scans > 0)).toEqual([3, 2, 4, 1]);
  expect(await page.getByText('could not be loaded', { exact: false }).count()).toBe(0);
});

test('with a filter it says that the totals cannot be filtered; a later period is as ever', async () => {
  const { page } = watched;
  await openPage(page, analyticsPage('preset=all&country=DE'));
  await page.getByText('The monthly totals that remain cannot be filtered').waitFor();
  await openPage(page, analyticsPage('preset=30d&country=DE'));
  await figure(page, 'Scans').waitFor();
  expect(await page.getByText('were removed').count()).toBe(0);
});
