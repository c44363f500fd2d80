import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { needBinary, postgresDirectories } from '@signpost/testing/engines/binaries.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { type Browser, createBrowser, dashboardEnv, goodPassword } from '@signpost/testing/people.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { removeExpired } from '../apps/server/src/users/store.ts';

const words = Array.from({ length: ciScale(20, 5) }, (_, n) => `PlantedWord${n}x`);
const email = 'planted.person@people.example';
const mark = /planted\w*/gi;

/** A browser of the dashboard, on a server in its own process. */
function openBrowser({ url }: TestServer): Browser {
  const call = async ({ url: path, ...request }: Parameters<Browser['call']>[0]) => {
    const { body, ...answer } = await ask({ ...request, url: `${url}${path}` } as Parameters<typeof ask>[0]);
    const text = JSON.stringify(body);
    return { ...answer, body, text, bytes: Buffer.from(text) };
  };
  return createBrowser({ call, config: { publicUrl: url } as never });
}

/** All files below a directory, decoded as latin1. */
function* filesBelow(directory: string): Generator<readonly [name: string, text: string]> {
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) yield [name, readFileSync(path, 'latin1')];
  }
}

const dump = (databaseUrl: string) =>
  execFileSync(needBinary('pg_dump', postgresDirectories()), [databaseUrl], {
    encoding: 'latin1',
    maxBuffer: 200 * 1024 * 1024,
  });

test('once codes and the person are deleted, nothing of them is in a dump, in Redis, in the streams of NATS or in the log lines', async () => {
  const [redis, nats] = await Promise.all([
    startRedis({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] }),
    startNats(),
  ]);
  const world = await createFixture({
    ...dashboardEnv,
    REDIS_URL: redis.url,
    NATS_URL: nats.url,
    LOG_LEVEL: 'debug',
    DEFAULT_PLAN: 'enterprise',
  });
  onTestFinished(async () => {
    await world.close();
    await Promise.all([redis.remove(), nats.remove()]);
  });
  const server = await world.server({}, 'all');
  const done = async (reply: ReturnType<Browser['call']>) => {
    const { status, body, text } = await reply;
    expect(status, text).toBeLessThan(400);
    return body;
  };

  const owner = openBrowser(server);
  const form = { name: 'Olive', email: 'olive@people.example', password: goodPassword };
  await done(owner.call({ method: 'POST', url: '/auth/sign-up', body: form }));
  const offer = { email, role: 'editor' };
  const { link } = await done(owner.call({ method: 'POST', url: '/account/invitations', body: offer }));
  const person = openBrowser(server);
  const joining = {
    ...form,
    name: 'Planted Person',
    email,
    invitation: new URL(link).hash.replace('#token=', ''),
  };
  await done(person.call({ method: 'POST', url: '/auth/sign-up', body: joining }));

  const codes: { readonly id: string; readonly short_url: string }[] = [];
  for (const word of words) {
    const body = {
      name: `Name ${word}`,
      // Hosts are in the events, and stay there.
      destination_url: `https://example.com/${word}?${word}`,
      fallback_url: `https://example.com/${word}`,
      external_id: word,
      note: word,
      metadata: { [word]: word },
    };
    const code = await done(person.call({ method: 'POST', url: '/account/v1/qrcodes', body }));
    const url = `/account/v1/qrcodes/${code.id}`;
    const change = { name: `Changed ${word}`, destination_url: `https://example.org/${word}` };
    await done(person.call({ method: 'PATCH', url, body: change }));
    expect((await ask({ url: code.short_url.replace(/^https?:\/\/[^/]+/, server.url) })).status).toBe(302);
    codes.push(code);
  }
  await done(person.call({ method: 'PATCH', url: '/account/me', body: { name: 'Planted Again' } }));
  // The search works: it finds each of them before they are deleted.
  const before = dump(world.env.DATABASE_URL!);
  for (const word of words) expect(before).toContain(word);
  expect(before).toContain(email);

  const counted = async () => {
    const { data } = await done(owner.call({ url: '/account/v1/qrcodes?limit=100' }));
    return data.every(({ total_scans: scans }: { total_scans: number }) => scans === 1);
  };
  await waitUntil('every scan is counted', counted, { timeoutMs: 60_000 });
  for (const { id } of codes.slice(1))
    await done(owner.call({ method: 'DELETE', url: `/account/v1/qrcodes/${id}` }));
  const rest = { ids: [codes[0]!.id], expected_count: 1 };
  await done(owner.call({ method: 'POST', url: '/account/v1/qrcodes/bulk-delete', body: rest }));
  await done(person.call({ method: 'POST', url: '/account/leave' }));
  await world.db.query(
    sql(
      'test-month',
      `update auth_users set no_account_at = no_account_at - interval '31 days' where email = $1`,
    ),
    [email],
  );
  await removeExpired(world.db, 100);

  const find = (text: string) => [...new Set(text.match(mark))];
  const left = () => find(dump(world.env.DATABASE_URL!));
  await waitUntil('the codes are erased', async () => left().length === 0, { timeoutMs: 60_000 }).catch(() =>
    expect(left()).toEqual([]),
  );
  const found = [
    ...filesBelow(redis.dir),
    ...filesBelow(nats.dir),
    ['log lines', server.log()] as const,
  ].flatMap(([name, text]) => find(text).map(word => `${name}: ${word}`));
  expect(found).toEqual([]);
  const events = await done(owner.call({ url: '/account/audit?limit=200' }));
  const actions = new Set(events.data.map(({ action }: { action: string }) => action));
  expect([...actions]).toEqual(
    expect.arrayContaining(['createQrCode', 'updateQrCode', 'deleteQrCode', 'bulkDeleteQrCodes', 'updateMe']),
  );
  expect(find(JSON.stringify(events))).toEqual([]);
});
