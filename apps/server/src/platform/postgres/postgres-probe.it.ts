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

test('a probe knows how far PostgreSQL is, whatever connecting took or however long it was frozen', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const proxy = await startProxy(postgres.port);
  onTestFinished(() => proxy.close());
  const url = new URL(postgres.url);
  url.port = String(proxy.port);
  proxy.delayMs = 50;
  const probe = createPostgresProbe(url.href, 2_000);
  onTestFinished(() => probe.close());
  expect(probe.roundTripMs()).toBeNull();
  expect(await answers(probe)).toBe(true);
  expect(probe.roundTripMs()).toBeGreaterThanOrEqual(99);
  expect(probe.roundTripMs()).toBeLessThan(180);
  postgres.freeze();
  const next = answers(probe);
  setTimeout(() => postgres.thaw(), 500);
  expect(await next).toBe(true);
  expect(probe.roundTripMs()).toBeLessThan(180);
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
