import type { APIRequestContext, Browser } from 'playwright-core';
import { sql } from '../../../../apps/server/src/platform/postgres/postgres.ts';
import { goodPassword, newEmail } from '../people.ts';
import { runCommand } from '../server.ts';
import type { DashboardFixture } from './fixture.ts';
import type { DashboardPage } from './pages.ts';
import type { Person } from './people.ts';
import { openWatchedPage, type Viewport, type WatchedPage } from './viewport.ts';

type Code = { readonly id: string; readonly name: string; readonly short_url: string };

/** A person who has signed up, in their own browser window, in which no page is open yet. */
export type Owner = WatchedPage & { readonly person: Person };

export async function openOwner(
  browser: Browser,
  fixture: DashboardFixture,
  viewport: Viewport,
  name: string,
): Promise<Owner> {
  const signedIn = { name: 'signpost-signed-in', value: 'yes' };
  const watched = await openWatchedPage(browser, fixture.url, viewport, [signedIn]);
  const person = { name, email: newEmail(), password: goodPassword };
  await callAs(watched.page.request, fixture.url, 'POST', '/auth/sign-up', person);
  return { ...watched, person };
}

/** Calls the server as the user who is signed in there. */
export async function callAs(
  request: APIRequestContext,
  origin: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  data?: object,
) {
  const response = await request.fetch(path, { method, headers: { origin }, ...(data ? { data } : {}) });
  if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`);
  return await response.json();
}

export async function createCodeFor(
  { page }: Owner,
  fixture: DashboardFixture,
  name: string,
  more: object = {},
): Promise<Code> {
  const destination_url = `https://${name.toLowerCase()}.example/sign-in?for=${'a'.repeat(400)}`;
  const body = { name, destination_url, ...more };
  return await callAs(page.request, fixture.url, 'POST', '/account/v1/qrcodes', body);
}

/** A code that leads to several pages by rules and a fallback, and led to another one earlier. */
async function createRoutedCodeFor(owner: Owner, fixture: DashboardFixture, name: string): Promise<Code> {
  const phones = { device: ['ios', 'android'], country: ['DE', 'AT', 'CH'] };
  const url = (path: string) => `https://${path}.${name.toLowerCase()}.example/`;
  const code = await createCodeFor(owner, fixture, name, {
    rules: [{ name: 'Phones', when: phones, to: [{ url: url('earlier') }] }],
    fallback_url: url('closed'),
  });
  await callAs(owner.page.request, fixture.url, 'PATCH', `/account/v1/qrcodes/${code.id}`, {
    rules: [
      {
        name: 'Phones',
        when: phones,
        to: [
          { url: url('pay'), weight: 3 },
          { url: url('b'), label: 'B' },
        ],
      },
      { active: false, unless: { language: ['de'] }, to: [{ url: url('other') }] },
    ],
  });
  return code;
}

export async function makeOperator(fixture: DashboardFixture, { email }: Person): Promise<void> {
  const { code, output } = await runCommand(
    ['admin', 'set-operator', email, 'on', '--unconfirmed'],
    fixture.base.env,
  );
  if (code !== 0) throw new Error(output);
}

/** Reports a link on the public page, without a session. */
export async function reportLink(fixture: DashboardFixture, link: string, text: string): Promise<void> {
  const response = await fetch(`${fixture.url}/report`, {
    method: 'POST',
    body: new URLSearchParams({ link, kind: 'phishing', text }),
  });
  if (response.status !== 200) throw new Error(`the report was not accepted: ${await response.text()}`);
}

/** Holds the account until its address is confirmed, as REQUIRE_VERIFIED_EMAIL does. */
export async function holdAccountOf(fixture: DashboardFixture, { page }: Owner): Promise<void> {
  const { account } = await callAs(page.request, fixture.url, 'GET', '/account/me');
  await fixture.base.db.query(sql('test-hold', 'update accounts set held_at = now() where name = $1'), [
    account.name,
  ]);
}

/** By SQL, because one address may send only a few reports an hour. */
async function addMessages(fixture: DashboardFixture, code: Code, texts: readonly string[]): Promise<void> {
  await fixture.base.db.query(
    sql(
      'test-add-messages',
      `insert into report_messages (id, report_id, kind, text, at)
       select gen_random_uuid(), r.id, 'scam', unnest($2::text[]), now()
         from reports r join qr_codes c on c.id = r.qr_code_id where c.short_code = $1`,
    ),
    [code.short_url.split('/').at(-1), texts],
  );
}

export const operatorPages: readonly DashboardPage[] = [
  { path: '/app/operator/reports', heading: 'Reports' },
  { path: '/app/operator/reports?state=closed', heading: 'Reports' },
  { path: '/app/operator/look-up', heading: 'Look up' },
  { path: '/app/operator/people', heading: 'People' },
  { path: '/app/operator/accounts', heading: 'Accounts' },
  { path: '/app/operator/plans', heading: 'Plans' },
  { path: '/app/operator/setup', heading: 'Set-up check' },
  { path: '/app/operator/suspensions', heading: 'Suspensions' },
  { path: '/app/operator/suspensions?state=appealed', heading: 'Suspensions' },
  { path: '/app/operator/suspensions?state=released', heading: 'Suspensions' },
  { path: '/app/operator/blocked-hosts', heading: 'Blocked hosts' },
];

/** Fills every page of the operator: reports, suspensions with an appeal, a blocked host. Returns the pages. */
export async function fillOperatorPages(
  operator: APIRequestContext,
  fixture: DashboardFixture,
  owner: Owner,
): Promise<{ readonly pages: readonly DashboardPage[]; readonly stopped: Code }> {
  const call = (path: string, data?: object) =>
    callAs(operator, fixture.url, data ? 'POST' : 'GET', `/account/operator/${path}`, data);
  // Unique hosts, so that a block in one test does not affect another.
  const unique = owner.person.email.split('@')[0];
  const create = (prefix: string) => createCodeFor(owner, fixture, `${prefix}-${unique}`);
  const reported = await createRoutedCodeFor(owner, fixture, `Reported-${unique}`);
  const stopped = await create('Stopped');
  const released = await create('Released');
  const blocked = await create('Blocked');
  await reportLink(fixture, reported.short_url, 'It asks for my password.');
  await addMessages(fixture, reported, ['long '.repeat(150), 'And again', 'Mine too']);
  await call('suspensions', { id: stopped.id, reason: 'The destination offers harmful software.' });
  await callAs(owner.page.request, fixture.url, 'POST', `/account/qrcodes/${stopped.id}/appeal`, {
    text: 'It is a menu. '.repeat(40),
  });
  const { id } = await call('suspensions', { id: released.id, reason: 'By mistake' });
  await call(`suspensions/${id}/release`, {});
  await call('blocked-hosts', { host: `${blocked.name.toLowerCase()}.example`, reason: 'Nothing but fraud' });
  const { account } = await callAs(owner.page.request, fixture.url, 'GET', '/account/me');
  return {
    stopped,
    pages: [
      ...operatorPages,
      { path: `/app/operator/look-up?link=${encodeURIComponent(reported.short_url)}`, heading: 'Look up' },
      { path: '/app/operator/look-up?link=https%3A%2F%2Fnowhere.example', heading: 'Look up' },
      { path: `/app/operator/accounts/${account.id}`, heading: account.name },
    ],
  };
}
