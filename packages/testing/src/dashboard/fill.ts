import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { waitUntil } from '../engines/wait.ts';
import { goodPassword } from '../people.ts';
import type { Receiver } from '../receiver.ts';
import { callAs } from './abuse.ts';
import type { DashboardFixture } from './fixture.ts';
import { addPastScans, backdateCode, backdateLastEdit } from './past-scans.ts';

export type Filled = {
  readonly code: { readonly id: string; readonly name: string; readonly short_url: string };
  readonly webhook: { readonly id: string; readonly url: string };
};

/** Gives the signed-in user a key, a code with scans and an edit, and an endpoint with a delivery. */
export async function fillAccount(
  page: Page,
  fixture: DashboardFixture,
  receiver: Receiver,
): Promise<Filled> {
  const call = (method: 'POST' | 'PATCH' | 'GET', path: string, data?: object) =>
    callAs(page.request, fixture.url, method, path, data);
  await call('POST', '/account/keys', {
    name: 'Online shop',
    mode: 'live',
    current_password: goodPassword,
  });
  const code = await call('POST', '/account/v1/qrcodes', {
    name: 'Spring menu',
    destination_url: 'https://example.com/menu/spring',
    style: { dotsType: 'dots', dotsColor: '#8A8A8A' },
  });
  await call('PATCH', `/account/v1/qrcodes/${code.id}`, {
    destination_url: 'https://example.com/menu/summer',
  });
  const webhook = await call('POST', '/account/v1/webhooks', { url: `${receiver.url}/hook` });
  for (const address of ['203.0.113.7', '198.51.100.9', '8.8.8.8'])
    await fixture.scan(code.short_url, { address });
  await waitUntil('the scans are counted', async () => {
    const { total_scans } = await call('GET', `/account/v1/qrcodes/${code.id}`);
    return total_scans === 3;
  });
  return { code, webhook };
}

/** Adds what is longest everywhere: names, addresses and places that fit into no column, and two months of scans. */
export async function fillWithLongNames(
  page: Page,
  fixture: DashboardFixture,
  receiver: Receiver,
): Promise<Filled> {
  const call = (method: 'POST' | 'PATCH', path: string, data: object) =>
    callAs(page.request, fixture.url, method, path, data);
  const longUrl = `https://a-host-with-a-rather-long-name.example.com/${'long-path/'.repeat(30)}?utm_source=poster`;
  await call('POST', '/account/keys', {
    name: longWord.repeat(2),
    mode: 'live',
    current_password: goodPassword,
  });
  await call('POST', '/account/v1/qrcodes', { name: longName, destination_url: longUrl, status: 'draft' });
  const code = await call('POST', '/account/v1/qrcodes', {
    name: `${longWord} ${longName}`,
    destination_url: longUrl,
    short_code: `a-long-link-ending-${randomBytes(6).toString('hex')}`,
  });
  await backdateCode(fixture, code.id, new Date(Date.now() - 60 * dayMs));
  await call('PATCH', `/account/v1/qrcodes/${code.id}`, { destination_url: `${longUrl}&again=yes` });
  await backdateLastEdit(fixture, code.id, new Date(Date.now() - 3 * dayMs));
  const scans = Array.from({ length: 240 }, (_, at) => ({
    ...longPlaces[at % longPlaces.length]!,
    atMs: Date.now() - 60_000 - Math.floor(at * 0.2 * dayMs),
  }));
  await addPastScans(fixture, code.id, scans);
  const webhook = await call('POST', '/account/v1/webhooks', {
    url: `${receiver.url}/hooks/${'a-long-path/'.repeat(10)}`,
    description: longName,
  });
  await call('POST', `/account/v1/webhooks/${webhook.id}/test`, {});
  return { code, webhook };
}

const dayMs = 86_400_000;
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze';
export const longName =
  'A very long name of a code that does not fit into any column of any list at any width at all';
const longPlaces = [
  { country: 'GB', city: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch' },
  { country: 'VC', city: 'Kingstown' },
  { country: 'GS', city: 'Grytviken', device: 'desktop', browser: 'samsung_browser' },
  { country: 'DE', city: 'Hamburg', device: 'android', browser: 'chrome' },
] as const;
