import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startProxy } from '@signpost/testing/proxy.ts';
import { expect, onTestFinished, test } from 'vitest';
import { isConnectionRefused } from './postgres.ts';
import { createPostgresProbe } from './postgres-probe.ts';

const answers = (probe: { ping(): Promise<void> }) =>
  probe.ping().then(
    () => true,
    () => false,
  );

test('a probe notices at once when a frozen PostgreSQL continues, and that a stopped one refuses connections', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const probe = createPostgresProbe(postgres.url, 300);
  onTestFinished(() => probe.close());
  for (let i = 0; i < 3; i++) expect(await answers(probe)).toBe(true);
  postgres.freeze();
  for (let i = 0; i < 4; i++) expect(await answers(probe)).toBe(false);
  const next = answers(probe);
  postgres.thaw();
  expect(await next).toBe(true);
  await postgres.stop('immediate');
  await answers(probe);
  await expect(probe.ping()).rejects.toSatisfy(isConnectionRefused);
  await postgres.start();
  expect(await answers(probe)).toBe(true);
});

test('a probe whose connections have died silently opens a new one', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const proxy = await startProxy(postgres.port);
  onTestFinished(() => proxy.close());
  const url = new URL(postgres.url);
  url.port = String(proxy.port);
  const probe = createPostgresProbe(url.href, 300);
  onTestFinished(() => probe.close());
  expect(await answers(probe)).toBe(true);
  proxy.forsake();
  expect(await answers(probe)).toBe(false);
  expect(await answers(probe)).toBe(true);
});
