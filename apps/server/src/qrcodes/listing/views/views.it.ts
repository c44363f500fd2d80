import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type Browser, dashboardEnv, goodPassword, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../platform/postgres/postgres.ts';
import { maxViews } from './view.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi(dashboardEnv);
});
afterAll(() => api?.close());

const save = (on: Browser, name: string, query = 'tag=menu', mode: 'live' | 'test' = 'live') =>
  on.call({ method: 'POST', url: '/account/views', body: { name, query }, mode });
const names = async (on: Browser, mode: 'live' | 'test' = 'live') =>
  (await on.call({ url: '/account/views', mode })).body.data.map(({ name }: { name: string }) => name);

test('a person saves, renames and deletes views, in each mode apart', async () => {
  const on = await signUp(api);
  const saved = await save(on, ' Menus ', 'tag=menu&sort=name');
  expect([saved.status, saved.body.name, saved.body.query]).toEqual([201, 'Menus', 'tag=menu&sort=name']);
  await save(on, 'Trials', '', 'test');
  expect([await names(on), await names(on, 'test')]).toEqual([['Menus'], ['Trials']]);
  const url = `/account/views/${saved.body.id}`;
  const changed = await on.call({ method: 'PATCH', url, body: { name: 'All menus' } });
  expect(changed.body).toEqual({ id: saved.body.id, name: 'All menus', query: 'tag=menu&sort=name' });
  const moved = await on.call({ method: 'PATCH', url, body: { query: 'status=paused' } });
  expect(moved.body).toEqual({ id: saved.body.id, name: 'All menus', query: 'status=paused' });
  expect((await on.call({ method: 'DELETE', url, mode: 'test' })).status).toBe(404);
  expect((await on.call({ method: 'DELETE', url })).body).toEqual({ deleted: true, id: saved.body.id });
  expect((await on.call({ method: 'DELETE', url })).status).toBe(404);
  expect(await names(on)).toEqual([]);
});

test('the views of a person are of no use to others', async () => {
  const [one, other] = [await signUp(api), await signUp(api)];
  const { body } = await save(one, 'Mine');
  const url = `/account/views/${body.id}`;
  const unknown = '/account/views/view_00000000000000000000000000';
  for (const call of [{ method: 'PATCH' as const, body: { name: 'Yours' } }, { method: 'DELETE' as const }]) {
    const [foreign, never] = [
      await other.call({ ...call, url }),
      await other.call({ ...call, url: unknown }),
    ];
    expect([foreign.status, foreign.body.error.code, foreign.body.error.message]).toEqual([
      404,
      never.body.error.code,
      never.body.error.message,
    ]);
  }
  expect(await names(other)).toEqual([]);
  expect(await names(one)).toEqual(['Mine']);
});

test('a person has at most so many views, also when they are saved at once', async () => {
  const on = await signUp(api);
  for (let n = 0; n < maxViews - 5; n++) await save(on, `View ${n}`);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => save(on, `More ${n}`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(answers.find(({ status }) => status !== 201)?.body.error.code).toBe('quota_exceeded');
  expect(await names(on)).toHaveLength(maxViews);
});

test('a view that is saved while its person is removed from the account is refused', async () => {
  const on = await signUp(api);
  const { db } = api.api;
  // As far as the removal has got: it holds the membership.
  const saving = await db.transaction(async tx => {
    await tx.query(
      sql('test-remove', 'delete from members m using auth_users u where u.id = m.user_id and u.email = $1'),
      [on.email],
    );
    const running = save(on, 'Too late');
    await waitUntil('it waits', async () => (await db.query(waiting)).length > 0);
    return { running };
  });
  const answer = await saving.running;
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
});

const waiting = sql(
  'test-waiting',
  `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%from members%'`,
);

test.each([
  [{ name: '', query: '' }, 'name'],
  [{ name: '\u200b', query: '' }, 'name'],
  [{ name: 'x'.repeat(61), query: '' }, 'name'],
  [{ name: 'Menus', query: 'tag=ä' }, 'query'],
  [{ name: 'Menus', query: 'x'.repeat(2001) }, 'query'],
])('%j is refused', async (body, param) => {
  const on = await signUp(api);
  const answer = await on.call({ method: 'POST', url: '/account/views', body });
  expect([answer.status, answer.body.error.param]).toEqual([400, param]);
});

test('closing the account deletes the views of its people', async () => {
  const on = await signUp(api);
  await save(on, 'Gone soon');
  const closed = await on.call({
    method: 'POST',
    url: '/account/close',
    body: { confirmation: on.email, current_password: goodPassword },
  });
  expect(closed.status).toBe(200);
  const rows = await api.api.db.query(
    sql('views-named', `select id from saved_views where name = 'Gone soon'`),
  );
  expect(rows).toEqual([]);
});
