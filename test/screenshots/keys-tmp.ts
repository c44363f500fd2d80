import { launchChromium } from '@signpost/testing/chromium.ts';
import { callAs, openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { createDashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { goodPassword } from '@signpost/testing/people.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';

const stage = await createDashboardFixture({ DEFAULT_PLAN: 'enterprise' });
const { url } = stage;
const browser = await launchChromium();
const keysPage = { path: '/app/settings/keys', heading: 'API keys' };
const activity = { path: '/app/settings/activity', heading: 'Activity' };
try {
  const owner = await openOwner(browser, stage as never, { width: 1280, scheme: 'light' }, 'Olive Owner');
  const { page } = owner;
  const shoot = async (name: string) => {
    await page
      .locator('[data-busy]')
      .waitFor({ state: 'detached', timeout: 3000 })
      .catch(() => {});
    for (const width of [375, 1280])
      for (const scheme of ['light', 'dark'] as const) {
        if (scheme === 'dark' && !/full/.test(name)) continue;
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
        await page.setViewportSize({ width, height: Math.min(Math.max(height, 900), 2000) });
        await page.screenshot({
          path: `/tmp/team/keys/shots/${name}-${width}-${scheme}.png`,
          animations: 'disabled',
        });
      }
    await page.setViewportSize({ width: 1280, height: 900 });
    console.log(name);
  };
  await openPage(page, keysPage);
  await shoot('keys-empty');
  await openPage(page, activity);
  await page
    .getByLabel('Show')
    .selectOption({ index: 3 })
    .catch(() => {});
  await page.waitForTimeout(800);
  await shoot('activity-none');
  const call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, data?: object) =>
    callAs(page.request, url, method, path, data);
  const make = (name: string, more = {}) =>
    call('POST', '/account/keys', { name, mode: 'live', current_password: goodPassword, ...more });
  await make('Till at the entrance', {
    scopes: ['qrcodes:read', 'analytics:read', 'designs:read', 'webhooks:read', 'account:read'],
  });
  const ended = await make('Old shop', { expires_at: new Date(Date.now() + 3600_000).toISOString() });
  await stage.base.db.query(
    sql('', `update api_keys set expires_at = now() - interval '2 days' where name = 'Old shop'`),
  );
  await make('A key with a very long name that somebody pasted from a contract '.repeat(2).slice(0, 100), {
    allowed_cidrs: ['203.0.113.0/24', '2001:db8::/32', '192.0.2.1'],
    expires_at: '2031-01-31T00:00:00.000Z',
  });
  const nameless = await make('nameless');
  await stage.base.db.query(sql('', `update api_keys set name = '' where name = 'nameless'`));
  await make('Everything');
  const made = await call('POST', '/account/v1/qrcodes', {
    name: 'Menu of the very long restaurant name '.repeat(5),
    destination_url: 'https://a-very-long-host-name-of-a-shop.subdomain.example.com/x',
  });
  await call('PATCH', `/account/v1/qrcodes/${made.id}`, {
    destination_url: 'https://other.example/y',
    note: 'x',
    name: 'Menu ' + 'long '.repeat(30),
  });
  await call('POST', '/account/v1/qrcodes/bulk', {
    items: Array.from({ length: 120 }, (_, i) => ({
      name: `Table ${i}`,
      destination_url: 'https://example.com/',
    })),
  });
  await call('DELETE', `/account/v1/qrcodes/${made.id}`);
  await openPage(page, keysPage);
  await shoot('keys-full');
  await page
    .getByRole('button', { name: /create/i })
    .first()
    .click()
    .catch(e => console.log('no create', e.message));
  await page.waitForTimeout(500);
  await shoot('keys-full-create');
  await openPage(page, keysPage);
  await page
    .getByRole('button', { name: /^change|^edit/i })
    .first()
    .click({ timeout: 3000 })
    .catch(e => console.log('no change', e.message));
  await page.waitForTimeout(500);
  await shoot('keys-full-change');
  await openPage(page, activity);
  await shoot('activity-full');
  await page.route('**/account/audit*', route => route.fulfill({ status: 500, body: '{}' }));
  await page.goto(`${url}/app/settings/activity`);
  await page.waitForTimeout(4000);
  await shoot('activity-error');
  await page.unrouteAll();
  await page.route('**/account/audit*', () => {});
  await page.goto(`${url}/app/settings/activity`);
  await page.waitForTimeout(1500);
  await shoot('activity-loading');
  await page.unrouteAll();
  await stage.base.db.query(sql('', `update members set role = 'viewer'`));
  await page.goto(`${url}/app/settings/activity`);
  await page.waitForTimeout(1500);
  await shoot('activity-viewer');
  await page.goto(`${url}/app/settings/keys`);
  await page.waitForTimeout(1500);
  await shoot('keys-viewer');
  console.log(owner.faults, ended.id, nameless.id);
} finally {
  await browser.close();
  await stage.close();
}
