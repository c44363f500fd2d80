import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { createDashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { signInByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, type Viewport } from '@signpost/testing/dashboard/viewport.ts';
import { fillPeople } from './people.ts';
import { drawPrintedCode } from './printed-code.ts';

/**
 * Pictures of the main pages for the docs, of one in the dark, and of a printed code for the README, of the account that `npm run seed` makes. Needs `npm run build`.
 * `--width 375`, `--scheme dark` and `--to DIRECTORY` show them otherwise, to look at.
 */
const root = resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: { width: { type: 'string' }, scheme: { type: 'string' }, to: { type: 'string' } },
});
const viewport: Viewport = {
  width: options.width === '375' ? 375 : 1440,
  scheme: options.scheme === 'dark' ? 'dark' : 'light',
};
const target = resolve(options.to ?? resolve(root, 'docs/images/dashboard'));
/** Enough to see what a page is about; the README is no scroll. */
const tallestPx = 1500;
mkdirSync(target, { recursive: true });

const { url, base, close } = await createDashboardFixture({
  SHORT_BASE_URL: 'https://go.harbour-roasters.example',
});
const browser = await launchChromium();
try {
  const seed = spawnSync(process.execPath, [resolve(root, 'tools/dev/seed.ts')], {
    env: { PATH: process.env.PATH, ...base.env },
    encoding: 'utf8',
  });
  if (seed.status !== 0) throw new Error(seed.stderr);
  const [, email = ''] = /e-mail\s+(\S+)/.exec(seed.stdout) ?? [];
  const [, password = ''] = /password\s+(\S+)/.exec(seed.stdout) ?? [];

  const { page, faults } = await openWatchedPage(browser, url, viewport);
  await signInByForm(page, { name: 'Demo', email, password });
  await page.getByRole('link', { name: 'Table menu' }).click();
  const code = new URL(page.url()).pathname;
  await fillPeople(page.request, url);
  const shots = [
    { name: 'codes', path: '/app/codes?sort=scans', heading: 'Codes' },
    { name: 'new-code', path: '/app/codes/new', heading: 'New code' },
    { name: 'code', path: code, heading: 'Table menu' },
    { name: 'analytics', path: `${code}/analytics?preset=30d`, heading: 'Table menu' },
    { name: 'rules', path: `${code}/rules`, heading: 'Table menu' },
    { name: 'print', path: '/app/print', heading: 'Print' },
    { name: 'account-analytics', path: '/app/analytics?preset=90d', heading: 'Analytics' },
    { name: 'activity', path: '/app/settings/activity', heading: 'Activity' },
    { name: 'keys', path: '/app/settings/keys', heading: 'API keys' },
    { name: 'people', path: '/app/settings/people', heading: 'People' },
    { name: 'dark', path: code, heading: 'Table menu', scheme: 'dark' },
  ] as const;
  for (const shot of shots) {
    const { name, path, heading } = shot;
    await page.emulateMedia({ colorScheme: 'scheme' in shot ? shot.scheme : viewport.scheme });
    await openPage(page, { path, heading });
    if (name === 'new-code') await dressUp();
    await page.locator('[data-busy]').waitFor({ state: 'detached' });
    // The bar at the side is as tall as the window, so the window is made as tall as the page.
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    await page.setViewportSize({ width: viewport.width, height: Math.min(height, tallestPx) });
    await page.screenshot({ path: `${target}/${name}.png`, animations: 'disabled' });
    await page.setViewportSize({ width: viewport.width, height: 900 });
    console.log(`${target}/${name}.png`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await openPage(page, { path: code, heading: 'Table menu' });
  const link = page.getByRole('link', { name: /^go\.harbour-roasters\.example\// });
  await drawPrintedCode(browser, {
    analytics: `${target}/analytics.png`,
    shortUrl: (await link.getAttribute('href'))!,
    target: `${target}/printed-code.png`,
  });

  /** A form that somebody is filling in says more than an empty one. */
  async function dressUp(): Promise<void> {
    await page.getByLabel('Name').fill('Winter menu');
    await page.getByLabel('Destination').fill('https://harbour-roasters.example/menu/winter');
    await page.getByLabel('Custom link ending').fill('winter');
    await page.getByRole('radio', { name: 'Classy round' }).click();
  }
} finally {
  await browser.close();
  await close();
}
