import type { APIRequestContext, Browser } from 'playwright-core';
import { sql } from '../../../apps/server/src/platform/postgres.ts';
import { runCommand } from '../server.ts';
import { type Look, openWatched, type Watched } from './look.ts';
import { type Person, signUpByForm } from './people.ts';
import type { Place } from './places.ts';
import type { DashboardWorld } from './world.ts';

type Code = { readonly id: string; readonly name: string; readonly short_url: string };

/** Somebody who has signed up, with a window of their own. */
export type Owner = Watched & { readonly person: Person };

export async function openOwner(
  browser: Browser,
  world: DashboardWorld,
  look: Look,
  name: string,
): Promise<Owner> {
  const watched = await openWatched(browser, world.url, look);
  return { ...watched, person: await signUpByForm(watched.page, name) };
}

/** Calls the server as whoever is signed in there. */
export async function callAs(
  request: APIRequestContext,
  origin: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  data?: object,
) {
  const answer = await request.fetch(path, { method, headers: { origin }, ...(data ? { data } : {}) });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return await answer.json();
}

export async function makeCodeOf({ page }: Owner, world: DashboardWorld, name: string): Promise<Code> {
  const destination_url = `https://${name.toLowerCase()}.example/sign-in?for=${'a'.repeat(400)}`;
  return await callAs(page.request, world.url, 'POST', '/account/v1/qrcodes', { name, destination_url });
}

export async function makeOperator(world: DashboardWorld, { email }: Person): Promise<void> {
  const { code, output } = await runCommand(
    ['admin', 'set-operator', email, 'on', '--unconfirmed'],
    world.world.env,
  );
  if (code !== 0) throw new Error(output);
}

/** What anybody can do on the report page, without a session. */
export async function reportLink(world: DashboardWorld, link: string, text: string): Promise<void> {
  const answer = await fetch(`${world.url}/report`, {
    method: 'POST',
    body: new URLSearchParams({ link, kind: 'phishing', text }),
  });
  if (answer.status !== 200) throw new Error(`the report was refused: ${await answer.text()}`);
}

/** Links of this person wait for a confirmed address, as where the operator asks for that. */
export async function holdAccountOf(world: DashboardWorld, { page }: Owner): Promise<void> {
  const { account } = await callAs(page.request, world.url, 'GET', '/account/me');
  await world.world.db.query(sql('test-hold', 'update accounts set held_at = now() where name = $1'), [
    account.name,
  ]);
}

/** More than one address may report in an hour. */
async function addMessages(world: DashboardWorld, code: Code, texts: readonly string[]): Promise<void> {
  await world.world.db.query(
    sql(
      'test-add-messages',
      `insert into report_messages (id, report_id, kind, text, at)
       select gen_random_uuid(), r.id, 'scam', unnest($2::text[]), now()
         from reports r join qr_codes c on c.id = r.qr_code_id where c.short_code = $1`,
    ),
    [code.short_url.split('/').at(-1), texts],
  );
}

export const operatorPlaces: readonly Place[] = [
  { path: '/app/operator/reports', heading: 'Reports' },
  { path: '/app/operator/reports?state=closed', heading: 'Reports' },
  { path: '/app/operator/look-up', heading: 'Look up' },
  { path: '/app/operator/suspensions', heading: 'Suspensions' },
  { path: '/app/operator/suspensions?state=appealed', heading: 'Suspensions' },
  { path: '/app/operator/suspensions?state=released', heading: 'Suspensions' },
  { path: '/app/operator/blocked-hosts', heading: 'Blocked hosts' },
];

/** Something on every page of the operator: reports, suspensions with an appeal, a blocked host. Gives the pages of it. */
export async function fillDesk(
  operator: APIRequestContext,
  world: DashboardWorld,
  owner: Owner,
): Promise<{ readonly places: readonly Place[]; readonly stopped: Code }> {
  const ask = (path: string, data?: object) =>
    callAs(operator, world.url, data ? 'POST' : 'GET', `/account/operator/${path}`, data);
  // Hosts of their own, so that what one test blocks is in the way of no other.
  const own = owner.person.email.split('@')[0];
  const make = (what: string) => makeCodeOf(owner, world, `${what}-${own}`);
  const reported = await make('Reported');
  const stopped = await make('Stopped');
  const released = await make('Released');
  const blocked = await make('Blocked');
  await reportLink(world, reported.short_url, 'It asks for my password.');
  await addMessages(world, reported, ['long '.repeat(150), 'And again', 'Mine too']);
  await ask('suspensions', { id: stopped.id, reason: 'The destination offers harmful software.' });
  await callAs(owner.page.request, world.url, 'POST', `/account/qrcodes/${stopped.id}/appeal`, {
    text: 'It is a menu. '.repeat(40),
  });
  const { id } = await ask('suspensions', { id: released.id, reason: 'By mistake' });
  await ask(`suspensions/${id}/release`, {});
  await ask('blocked-hosts', { host: `${blocked.name.toLowerCase()}.example`, reason: 'Nothing but fraud' });
  const { account } = await callAs(owner.page.request, world.url, 'GET', '/account/me');
  return {
    stopped,
    places: [
      ...operatorPlaces,
      { path: `/app/operator/look-up?link=${encodeURIComponent(reported.short_url)}`, heading: 'Look up' },
      { path: '/app/operator/look-up?link=https%3A%2F%2Fnowhere.example', heading: 'Look up' },
      { path: `/app/operator/accounts/${account.id}`, heading: account.name },
    ],
  };
}
