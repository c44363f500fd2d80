import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { runCommand } from '@signpost/testing/server.ts';

/** The whole service in one process, with a scan log of its own: a scan goes from the short link to the analytics. */
export async function startWholeService() {
  const nats = await startNats();
  const world = await createFixture({
    NATS_URL: nats.url,
    CLICKHOUSE_URL: '',
    WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  });
  const hook = await startReceiver();
  await runCommand(['migrate'], world.env);
  const { url } = await world.server({}, 'all');
  return {
    url,
    hookUrl: hook.url,
    account: world.account,
    /** A key that manages the accounts which it creates. */
    async operatorKey(): Promise<string> {
      const { output } = await runCommand(['admin', 'create-account', 'Platform'], world.env);
      const [account = ''] = /acct_\w+/.exec(output)!;
      const made = await runCommand(['admin', 'create-key', '--operator', account], world.env);
      return /sk_live_\w+/.exec(made.output)![0];
    },
    async close() {
      await world.close();
      hook.close();
      await nats.remove();
    },
  };
}

/** Takes webhooks, and gives the last one to whoever asks. */
async function startReceiver() {
  let last = '{}';
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(last);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    last = JSON.stringify({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(204).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, close: () => server.close() };
}
