import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { launchChromium } from '../packages/qr/test/support/chromium.ts';
import { openWatched } from '../test/support/dashboard/look.ts';
import { signInByForm } from '../test/support/dashboard/people.ts';
import { settle } from '../test/support/dashboard/places.ts';
import { createDashboardWorld } from '../test/support/dashboard/world.ts';

/** Pictures of the six main pages for the README, of the account that `npm run seed` makes. Needs `npm run build`. */
const root = resolve(import.meta.dirname, '..');
const target = resolve(root, 'docs/images/dashboard');
mkdirSync(target, { recursive: true });

const { url, world, close } = await createDashboardWorld();
const browser = await launchChromium();
try {
  const seed = spawnSync(process.execPath, [resolve(root, 'tools/seed.ts')], {
    env: { PATH: process.env.PATH, ...world.env },
    encoding: 'utf8',
  });
  if (seed.status !== 0) throw new Error(seed.stderr);
  const [, email = ''] = /e-mail\s+(\S+)/.exec(seed.stdout) ?? [];
  const [, password = ''] = /password\s+(\S+)/.exec(seed.stdout) ?? [];

  const { page, faults } = await openWatched(browser, url, { width: 1440, scheme: 'light' });
  await signInByForm(page, { name: 'Demo', email, password });
  await page.getByRole('link', { name: 'Table menu' }).click();
  const code = new URL(page.url()).pathname;
  const shots = [
    { name: 'codes', path: '/app/codes?sort=scans', heading: 'Codes' },
    { name: 'new-code', path: '/app/codes/new', heading: 'New code' },
    { name: 'code', path: code, heading: 'Table menu' },
    { name: 'analytics', path: `${code}/analytics?preset=90d`, heading: 'Table menu' },
    { name: 'account-analytics', path: '/app/analytics?preset=12m', heading: 'Analytics' },
    { name: 'keys', path: '/app/settings/keys', heading: 'API keys' },
  ];
  for (const { name, ...place } of shots) {
    await settle(page, place);
    if (name === 'new-code') await dressUp();
    await page.screenshot({ path: `${target}/${name}.png`, fullPage: true, animations: 'disabled' });
    console.log(`docs/images/dashboard/${name}.png`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));

  /** A form that somebody is filling in says more than an empty one. */
  async function dressUp(): Promise<void> {
    await page.getByLabel('Name').fill('Winter menu');
    await page.getByLabel('Destination').fill('https://harbour-roasters.example/menu/winter');
    await page.getByLabel('Short code').fill('winter');
    await page.getByRole('radio', { name: 'Classy round' }).click();
  }
} finally {
  await browser.close();
  await close();
}
