import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { metricValue, scrape } from '@signpost/testing/scrape.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMigrate } from '../commands/migrate.ts';
import { readConfig } from '../config/config.ts';
import { formatId } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { createSaltKeeper } from '../scans/salt-keeper.ts';

/** What the file for operators lets a redirect read. */
const readable = [
  'code_targets',
  'link_changes',
  'log_readers',
  'qr_codes',
  'scan_logs',
  'scan_spreads',
  'schema_migrations',
  'stop_version',
  'stops',
  'suspensions',
  'visitor_salts',
];

let postgres: Engine;
let fixture: Fixture;
let user: URL;

beforeAll(async () => {
  postgres = await startPostgres();
  fixture = await createFixture({}, postgres.url);
  user = new URL(fixture.env.DATABASE_URL!);
  user.username = 'signpost_redirect';
  user.password = "it's%20secret";
  // The second time it exists.
  for (let times = 0; times < 2; times++) await migrateWith(user);
});
afterAll(async () => {
  await fixture.close();
  await postgres.remove();
});

const migrateWith = (url: URL) =>
  runMigrate(readConfig({ ...fixture.env, REDIRECT_DATABASE_URL: url.href }), () => undefined);

test('the user for redirects may read what redirects need, and write nothing', async () => {
  const rows = await fixture.db.query<{ name: string; reads: boolean; writes: boolean }>(
    sql(
      'redirect-user-rights',
      `select relname as name, has_table_privilege('signpost_redirect', oid, 'select') as reads,
            has_table_privilege('signpost_redirect', oid, 'insert, update, delete, truncate') as writes
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') order by 1`,
    ),
  );
  expect(rows.filter(({ reads }) => reads).map(({ name }) => name)).toEqual(readable);
  expect(rows.filter(({ writes }) => writes)).toEqual([]);
  expect(rows.length).toBeGreaterThan(2 * readable.length);
});

test('migrate gives it the password of its address, and refuses another user', async () => {
  const [role] = await fixture.db.query(
    sql(
      'redirect-user-password',
      `select rolpassword like 'SCRAM-%' as has_password, rolsuper, rolcreaterole
       from pg_authid where rolname = 'signpost_redirect'`,
    ),
  );
  expect(role).toEqual({ has_password: true, rolsuper: false, rolcreaterole: false });
  const other = new URL(user);
  other.username = 'signpost';
  await expect(migrateWith(other)).rejects.toThrow('must name the user signpost_redirect, not signpost');
});

test('a redirect with that user looks up, previews, follows edits and knows the salt, and is never refused', async () => {
  await createSaltKeeper(fixture.db).create(new Date());
  const api = await fixture.server();
  const redirect = await TestServer.start('redirect', {
    ...fixture.env,
    DATABASE_URL: user.href,
    DATABASE_DIRECT_URL: user.href,
    LOG_LEVEL: 'debug',
  });
  const { id, live: key } = await fixture.account('business');
  const url = `${api.url}/v1/qrcodes`;
  const body = { name: 'x', destination_url: 'https://example.com/1' };
  const code = (await ask({ method: 'POST', url, key, body })).body;
  const link = `${redirect.url}${new URL(code.short_url).pathname}`;
  await waitUntil('it trusts its memory', async () => {
    return metricValue(await scrape(redirect.metricsUrl), 'signpost_lease_held') === 1;
  });
  expect(await ask({ url: link })).toMatchObject({
    status: 302,
    headers: { location: 'https://example.com/1' },
  });
  expect((await ask({ url: `${link}+` })).status).toBe(200);
  const moved = { destination_url: 'https://example.com/2' };
  expect((await ask({ method: 'PATCH', url: `${url}/${code.id}`, key, body: moved })).status).toBe(200);
  expect((await ask({ url: link })).headers.location).toBe('https://example.com/2');
  const host = 'go.brand.example';
  const add = ['add-domain', host, '--account', formatId('acct', id)];
  expect(await runCommand(['admin', ...add], fixture.env)).toMatchObject({ code: 0 });
  const there = { ...body, short_code: 'menu', domain: host };
  expect((await ask({ method: 'POST', url, key, body: there })).status).toBe(201);
  const onDomain = { url: `${redirect.url}/menu`, headers: { host } };
  expect((await ask(onDomain)).headers.location).toBe('https://example.com/1');
  expect((await ask({ method: 'DELETE', url: `${url}/${code.id}`, key })).status).toBe(200);
  expect((await ask({ url: link })).status).toBe(410);
  const metrics = await scrape(redirect.metricsUrl);
  expect(metricValue(metrics, 'signpost_visitors_without_salt_total')).toBe(0);
  expect(metricValue(metrics, 'signpost_scans_total', 'outcome="logged"')).toBe(3);
  expect(await redirect.end('SIGTERM')).toBe(0);
  // PostgreSQL itself is the witness: a redirect does without some answers, and says nothing.
  expect(readFileSync(join(postgres.dir, 'engine.log'), 'utf8')).not.toContain('permission denied');
});
