import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let nats: Engine;
let fixture: Fixture;
beforeAll(async () => {
  nats = await startNats();
  fixture = await createFixture({ NATS_URL: nats.url });
});
afterAll(async () => {
  await fixture?.close();
  await nats?.remove();
});

const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1' };

test('requests for codes that do not redirect are added up by reason from three redirects within 10 s, also from one that ends', async () => {
  const api = await fixture.server();
  await fixture.server({}, 'ingest');
  const redirects = await Promise.all([1, 2, 3].map(() => fixture.server({}, 'redirect')));
  const { live: key } = await fixture.account();
  const url = `${api.url}/v1/qrcodes`;
  const make = async (status: string) => {
    const body = {
      name: status,
      destination_url: 'https://example.com',
      status: status === 'draft' ? 'draft' : 'active',
    };
    const { body: code } = await ask({ method: 'POST', url, key, body });
    if (status === 'paused')
      await ask({ method: 'PATCH', url: `${url}/${code.id}`, key, body: { active: false } });
    return code as { id: string; short_code: string };
  };
  const [paused, draft, active] = [await make('paused'), await make('draft'), await make('active')];

  const expected = { paused: 0, draft: 0 };
  for (let n = 0; n < 60; n++) {
    const redirect = redirects[n % 3]!;
    expect((await ask({ url: `${redirect.url}/${paused.short_code}`, headers: phone })).status).not.toBe(302);
    expected.paused++;
    if (n % 2 === 0) {
      await ask({ url: `${redirect.url}/${draft.short_code}`, headers: phone });
      expected.draft++;
    }
    // Neither a preview of a link, nor a program that says what it is, nor an active code.
    await ask({ url: `${redirect.url}/${paused.short_code}`, headers: { 'user-agent': 'Twitterbot/1.0' } });
    await ask({ url: `${redirect.url}/${paused.short_code}+`, headers: phone });
    await ask({ url: `${redirect.url}/${active.short_code}`, headers: phone });
  }
  expect(await redirects[0]!.end('SIGTERM')).toBe(0);

  const countsOf = async (id: string) =>
    (await ask({ url: `${url}/${id}/analytics`, key })).body.not_redirected;
  const start = performance.now();
  await waitUntil('all are added up', async () => (await countsOf(paused.id)).paused === expected.paused);
  expect(performance.now() - start).toBeLessThan(10_000);
  await waitUntil('those of the draft too', async () => (await countsOf(draft.id)).draft === expected.draft);
  expect(await countsOf(paused.id)).toEqual({ paused: expected.paused });
  expect(await countsOf(active.id)).toEqual({});
  console.log(
    `not-redirected paused ${expected.paused} draft ${expected.draft} seconds ${((performance.now() - start) / 1000).toFixed(1)}`,
  );

  // Erased with the code.
  await ask({ method: 'DELETE', url: `${url}/${paused.id}`, key });
  await waitUntil(
    'nothing is left of the deleted code',
    async () => {
      const rows = await fixture.db.query(
        { name: 'test-left', text: 'select from not_redirected where reason = $1' },
        ['paused'],
      );
      return rows.length === 0;
    },
    { timeoutMs: 90_000 },
  );
});
