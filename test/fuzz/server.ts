import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Role } from '@signpost/contract';
import { addTestPlan, createTestAccount, roomyWebhooks } from '@signpost/testing/api.ts';
import { cheapPasswords } from '@signpost/testing/cheap-passwords.ts';
import { createTestDatabase, natsUrl, redisUrl } from '@signpost/testing/database.ts';
import { dashboardEnv, goodPassword } from '@signpost/testing/people.ts';
import { openTestStore } from '@signpost/testing/test-store.ts';
import { readConfig } from '../../apps/server/src/config/config.ts';
import { formatId } from '../../apps/server/src/kernel/ids.ts';
import { createLogger } from '../../apps/server/src/platform/logger.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { buildApi } from '../../apps/server/src/roles/api.ts';
import { openScanStore } from '../../apps/server/src/roles/scan-store.ts';
import { openShared, openSolo } from '../../apps/server/src/roles/shared.ts';
import type { Who } from './cases.ts';
import type { Header } from './request.ts';

/** Messages of the server under test to the fuzzer, over IPC. */
export type FromServer =
  | { readonly kind: 'ready'; readonly port: number; readonly credentials: Credentials }
  | { readonly kind: 'memory'; readonly memory: Memory }
  | { readonly kind: 'error line'; readonly line: string };

/** After garbage collection: resident memory and used heap. */
export type Memory = { readonly rssBytes: number; readonly heapBytes: number };

/** The headers by which each caller is known. */
export type Credentials = Readonly<Record<Exclude<Who, 'nobody'>, readonly Header[]>>;

const joinAccount = sql(
  'fuzz-join',
  `insert into members (user_id, account_id, role, created_at, invited)
   select id, $2, $3, now(), true from auth_users where email = $1`,
);

const tell = (message: FromServer) => process.send?.(message);

const store = await openTestStore();

/** The API in its own process, so that its crashes and its memory are separate from the fuzzer's. */
const isSolo = process.argv.includes('solo');
const config = readConfig({
  DATABASE_URL: await createTestDatabase(),
  ...(isSolo
    ? { REDIS_URL: '', NATS_URL: '', SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-fuzz-')) }
    : { REDIS_URL: redisUrl, NATS_URL: natsUrl }),
  ...store.env,
  ANONYMOUS_REQUESTS_PER_MINUTE: '100000000',
  ...roomyWebhooks,
  ...dashboardEnv,
});
const sink = new Writable({
  write(chunk, _encoding, done) {
    tell({ kind: 'error line', line: String(chunk) });
    done();
  },
});
const logger = createLogger('error', 'fuzz', sink);
const shared = isSolo ? await openSolo(config, logger) : openShared('fuzz', config, logger);
const api = buildApi({ ...shared, store: await openScanStore(shared), passwords: cheapPasswords });
await addTestPlan(api);
const account = await createTestAccount(api);
const stranger = await createTestAccount(api);
const poor = await createTestAccount(api, 'free');
const address = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));

process.on('message', () => {
  // A full collection that also returns memory reserved for the next burst.
  global.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed } = process.memoryUsage();
  tell({ kind: 'memory', memory: { rssBytes: rss, heapBytes: heapUsed } });
});
process.on('disconnect', () =>
  api
    .close()
    .then(() => store.close())
    .then(() => process.exit()),
);
tell({
  kind: 'ready',
  port: Number(address.port),
  credentials: {
    live: byKey(account.live),
    test: byKey(account.test),
    foreign: byKey(stranger.live),
    scarce: byKey(poor.live),
    viewer: await newPerson('viewer'),
    editor: await newPerson('editor'),
    admin: await newPerson('admin'),
  },
});

function byKey(key: string): readonly Header[] {
  return [['authorization', `Bearer ${key}`]];
}

/** The session of a person who has this role in the account, and another account besides. */
async function newPerson(role: Role): Promise<readonly Header[]> {
  const { origin } = new URL(config.publicUrl);
  const email = `${role}@people.example`;
  const response = await fetch(new URL('/auth/sign-up', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ name: role, email, password: goodPassword }),
  });
  if (response.status !== 201) throw new Error(`sign-up failed: ${await response.text()}`);
  await api.db.query(joinAccount, [email, account.id, role]);
  const cookie = response.headers.getSetCookie().map(text => text.split(';')[0]);
  return [
    ['cookie', cookie.join('; ')],
    ['origin', origin],
    ['x-signpost-account', formatId('acct', account.id)],
  ];
}
