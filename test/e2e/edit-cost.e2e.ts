import { isFullSize } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { expect, test } from 'vitest';

/** A service with one code and this many redirect processes that have it in memory; `edit` returns how long it took. */
async function openService(redirects: number) {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  const fixture = await createFixture({ NATS_URL: nats.url, REDIS_URL: redis.url });
  const api = await fixture.server();
  const edges = await Promise.all(Array.from({ length: redirects }, () => fixture.server({}, 'redirect')));
  const { live: key } = await fixture.account();
  const url = `${api.url}/v1/qrcodes`;
  const body = { name: 'x', destination_url: 'https://example.com' };
  const { id, short_code } = (await ask({ method: 'POST', url, key, body })).body;
  return {
    async edit(destination_url: string): Promise<number> {
      const { status, ms } = await ask({
        method: 'PATCH',
        url: `${url}/${id}`,
        key,
        body: { destination_url },
      });
      expect(status).toBe(200);
      return ms;
    },
    async expectAllToServe(destination: string): Promise<void> {
      for (const edge of edges) {
        const { headers } = await ask({ url: `${edge.url}/${short_code}` });
        expect(headers.location).toBe(destination);
      }
    },
    async close() {
      await fixture.close();
      await nats.remove();
      await redis.remove();
    },
  };
}

test('with three healthy processes an edit costs little more than its commit', async ({ skip }) => {
  skip(!isFullSize, 'it compares times of single edits, which a shared machine cannot hold');
  const three = await openService(3);
  const none = await openService(0);
  const times = { three: [] as number[], none: [] as number[] };
  for (let i = 0; i < 400; i++) {
    const destination = `https://example.com/${i}`;
    times.three.push(await three.edit(destination));
    times.none.push(await none.edit(destination));
    await three.expectAllToServe(destination);
  }
  const [ours, bare] = [p99(times.three), p99(times.none)];
  console.log(`edit-cost p99_ms ${ours.toFixed(1)} without_redirects_p99_ms ${bare.toFixed(1)}`);
  expect(ours - bare).toBeLessThan(Math.max(25, bare));
  await three.close();
  await none.close();
});
