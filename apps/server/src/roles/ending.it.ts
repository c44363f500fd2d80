import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '@signpost/testing/client.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { expect, onTestFinished, test } from 'vitest';

test('an api whose PostgreSQL has fallen silent ends by itself within its time limit', async () => {
  const engine = await startPostgres();
  const fixture = await createFixture({}, engine.url);
  onTestFinished(async () => {
    engine.thaw();
    await fixture.close();
    await engine.remove();
  });
  const server = await fixture.server();
  const { live: key } = await fixture.account();
  // A key that was used has something to be written at the end.
  expect((await ask({ url: `${server.url}/v1/qrcodes`, key })).status).toBe(200);
  engine.freeze();
  // Some jobs are waiting for the database by now, others are about to run.
  await sleep(4_000);
  expect(await server.end('SIGTERM'), server.log()).toBe(0);
});
