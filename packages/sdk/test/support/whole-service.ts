import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../../test/support/server.ts';
import { createWorld } from '../../../../test/support/world.ts';
import { startNats } from '../../../../tools/engines/nats.ts';

/** The whole service in one process, with a scan log of its own: a scan goes from the short link to the analytics. */
export async function startWholeService() {
  const nats = await startNats();
  const CLICKHOUSE_URL = `chdb://${mkdtempSync(join(tmpdir(), 'signpost-sdk-chdb-'))}/data`;
  const world = await createWorld({ NATS_URL: nats.url, CLICKHOUSE_URL });
  await runCommand(['migrate'], world.env);
  const { url } = await world.server({}, 'all');
  return {
    url,
    account: world.account,
    async close() {
      await world.close();
      await nats.remove();
    },
  };
}
