import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { addTestPlan, createTestAccount, roomyWebhooks } from '@signpost/testing/api.ts';
import { createTestDatabase, natsUrl, redisUrl } from '@signpost/testing/database.ts';
import { openTestStore } from '@signpost/testing/test-store.ts';
import { readConfig } from '../../apps/server/src/config/config.ts';
import { createLogger } from '../../apps/server/src/platform/logger.ts';
import { buildApi } from '../../apps/server/src/roles/api.ts';
import { openScanStore } from '../../apps/server/src/roles/scan-store.ts';
import { openShared, openSolo } from '../../apps/server/src/roles/shared.ts';

/** Messages of the server under test to the fuzzer, over IPC. */
export type FromServer =
  | { readonly kind: 'ready'; readonly port: number; readonly keys: Keys }
  | { readonly kind: 'memory'; readonly memory: Memory }
  | { readonly kind: 'error line'; readonly line: string };

/** After garbage collection: resident memory and used heap. */
export type Memory = { readonly rssBytes: number; readonly heapBytes: number };

export type Keys = {
  readonly live: string;
  readonly test: string;
  readonly foreign: string;
  readonly scarce: string;
};

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
});
const sink = new Writable({
  write(chunk, _encoding, done) {
    tell({ kind: 'error line', line: String(chunk) });
    done();
  },
});
const logger = createLogger('error', 'fuzz', sink);
const shared = isSolo ? await openSolo(config, logger) : openShared('fuzz', config, logger);
const api = buildApi({ ...shared, store: await openScanStore(shared) });
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
  keys: { live: account.live, test: account.test, foreign: stranger.live, scarce: poor.live },
});
