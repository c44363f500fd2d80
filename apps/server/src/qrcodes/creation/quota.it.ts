import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let api: TestApi;

beforeAll(async () => {
  // One account makes more calls here than its plan allows in a minute.
  api = await createTestApi({}, { windowMs: 1 });
});
afterAll(() => api.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const post = (key: string) => api.call({ method: 'POST', url: '/v1/qrcodes', key, body: menu });
const fill = (key: string, count: number) =>
  api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key, body: { items: Array(count).fill(menu) } });
const remove = (key: string, id: string) => api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key });

async function patiently<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 429) return answer;
  }
}

describe('quota', () => {
  test.each([
    ['free', 100],
    ['pro', 50],
    ['business', 250],
  ])('%s allows %i codes', async (plan, limit) => {
    const { live } = await api.account(plan);
    expect((await patiently(() => fill(live, limit))).body.created).toBe(limit);
    const refused = await patiently(() => post(live));
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'quota_exceeded', limit, used: limit } },
    });
  });

  test('enterprise has no limit', async () => {
    const { live } = await api.account('enterprise');
    for (let i = 0; i < 2; i++) expect((await patiently(() => fill(live, 500))).body.created).toBe(500);
    expect((await patiently(() => post(live))).status).toBe(201);
  });

  test('deleting a code makes room for another', async () => {
    const { live } = await api.account('pro');
    const { body } = await patiently(() => fill(live, 50));
    expect((await patiently(() => post(live))).status).toBe(403);
    await patiently(() => remove(live, body.data[7].qr_code.id));
    expect((await patiently(() => post(live))).status).toBe(201);
    expect((await patiently(() => post(live))).status).toBe(403);
  });

  test('test codes count against no quota', async () => {
    const { live, test: testKey } = await api.account('pro');
    expect((await patiently(() => fill(testKey, 60))).body.created).toBe(60);
    expect((await patiently(() => fill(live, 50))).body.created).toBe(50);
  });

  test('free counts codes made by the API, a pool also counts those made in the dashboard', async () => {
    for (const [plan, room] of [
      ['free', 100],
      ['pro', 49],
    ] as const) {
      const { id, live } = await api.account(plan);
      // A row as the dashboard writes it.
      await api.api.db.query({ name: 'by-dashboard', text: 'select make_dashboard_code($1)' }, [id]);
      expect((await patiently(() => fill(live, room + 1))).status).toBe(403);
      expect((await patiently(() => fill(live, room))).body.created).toBe(room);
    }
  });

  test('a smaller plan keeps every code that exists, and only refuses new ones', async () => {
    const { id, live } = await api.account('business');
    const { body } = await patiently(() => fill(live, 60));
    await api.api.accounts.setPlan(id, 'pro');
    expect(await patiently(() => post(live))).toMatchObject({
      status: 403,
      body: { error: { limit: 50, used: 60 } },
    });
    const one = body.data[3].qr_code.id;
    const patched = await patiently(() =>
      api.call({ method: 'PATCH', url: `/v1/qrcodes/${one}`, key: live, body: { name: 'Still editable' } }),
    );
    expect(patched.status).toBe(200);
  });
});

beforeAll(async () => {
  await api.api.db.query({
    name: 'dashboard-code-function',
    text: `create function make_dashboard_code(account uuid) returns void language sql as $$
      insert into code_counts as old (account_id, mode, last_number, active) values (account, 'live', 1, 1)
        on conflict (account_id, mode) do update set last_number = old.last_number + 1, active = old.active + 1;
      insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at)
      select gen_random_uuid(), account, 'live', last_number, 'active', 'dashboard', 'dash-' || account, 'dash-' || account,
             'x', 'https://example.com', '{}', now(), now() from code_counts where account_id = account and mode = 'live';
      insert into count_buckets (account_id, mode, bucket, active) values (account, 'live', 0, 1);
    $$`,
  });
});
