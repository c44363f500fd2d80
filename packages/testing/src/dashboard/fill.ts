import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { sql } from '../../../../apps/server/src/platform/postgres/postgres.ts';
import { waitUntil } from '../engines/wait.ts';
import { goodPassword, newEmail } from '../people.ts';
import type { Receiver } from '../receiver.ts';
import { runCommand } from '../server.ts';
import { callAs } from './abuse.ts';
import type { DashboardFixture } from './fixture.ts';
import { addPastScans, backdateCode, backdateLastEdit } from './past-scans.ts';

export type Filled = {
  readonly code: { readonly id: string; readonly name: string; readonly short_url: string };
  readonly webhook: { readonly id: string; readonly url: string };
  readonly design: { readonly id: string; readonly name: string };
};

/** Gives the signed-in user a key, a code with scans and an edit, an endpoint with a delivery, an invitation and a domain. */
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
  const me = await call('GET', '/account/me');
  await addInvitation(fixture, me, newEmail());
  await addDomain(fixture, me, 'brand.example');
  const design = await call('POST', '/account/v1/designs', {
    name: 'House style',
    style: { dotsColor: '#123456' },
  });
  return { code, webhook, design };
}

/** A host of the account's own, added by the operator, which leads somewhere by itself. */
async function addDomain(
  fixture: DashboardFixture,
  { account }: { readonly account: { readonly id: string } },
  name: string,
  rootUrl = 'https://brand.example/',
): Promise<string> {
  const host = `go-${randomBytes(4).toString('hex')}.${name}`;
  for (const args of [
    ['add-domain', host, '--account', account.id],
    ['set-domain', host, '--root-url', rootUrl],
  ]) {
    const { code, output } = await runCommand(['admin', ...args], fixture.base.env);
    if (code !== 0) throw new Error(output);
  }
  return host;
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
  const me = await callAs(page.request, fixture.url, 'GET', '/account/me');
  await addInvitation(fixture, me, `${'long-name-'.repeat(5)}${newEmail()}`);
  const domain = await addDomain(fixture, me, `${'long-label-'.repeat(5)}brand.example`, longUrl);
  await call('POST', '/account/v1/qrcodes', { name: longName, destination_url: longUrl, domain });
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
  const design = await call('POST', '/account/v1/designs', {
    name: longName,
    style: { dotsColor: '#123456' },
  });
  return { code, webhook, design };
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

/** By SQL, because people invite only once their own address is confirmed. */
async function addInvitation(
  fixture: DashboardFixture,
  { user }: { readonly user: { readonly email: string } },
  email: string,
): Promise<void> {
  await fixture.base.db.query(
    sql(
      'test-add-invitation',
      `insert into invitations
         (id, account_id, email, role, invited_by, hash, mailed, created_at, sent_at, expires_at)
       select gen_random_uuid(), m.account_id, $2, 'editor', u.id, sha256($2::text::bytea), true, now(), now(),
              now() + interval '7 days'
         from auth_users u join members m on m.user_id = u.id where u.email = $1`,
    ),
    [user.email, email],
  );
}
