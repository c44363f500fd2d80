import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ask } from '@signpost/testing/client.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import autocannon from 'autocannon';
import { parseId } from '../apps/server/src/kernel/ids.ts';
import { median } from './median.ts';

const rounds = 7;
const seconds = 3;
const aim = 0.6;

type Request = { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string };

/** Throughput of get and create over HTTP, each relative to a bare handler with the same statement in the same run. */
export default async function bench(): Promise<void> {
  const fixture = await createFixture();
  const { id: account, live: key } = await fixture.account();
  const server = fork(new URL('./api-server.ts', import.meta.url), {
    env: { ...process.env, ...fixture.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [ports] = (await once(server, 'message')) as [{ api: number; bare: number }];
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  const bareUrl = `http://127.0.0.1:${ports.bare}`;

  const items = Array.from({ length: 500 }, (_, i) => ({
    name: `Code ${i}`,
    destination_url: `https://example.com/${i}`,
  }));
  const made = await ask({ method: 'POST', url: `${apiUrl}/v1/qrcodes/bulk`, key, body: { items } });
  const ids: string[] = made.body.data.map((entry: { qr_code: { id: string } }) => entry.qr_code.id);

  const authorization = `Bearer ${key}`;
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify(items[0]);
  const gets = {
    api: ids.map((id): Request => ({ method: 'GET', path: `/v1/qrcodes/${id}`, headers: { authorization } })),
    bare: ids.map((id): Request => ({ method: 'GET', path: `/${account}/${parseId('qr', id)}` })),
  };
  const creates = {
    api: [
      { method: 'POST', path: '/v1/qrcodes', headers: { authorization, ...json }, body } satisfies Request,
    ],
    bare: [{ method: 'POST', path: `/${account}`, headers: json, body } satisfies Request],
  };
  const get = await compare('get', apiUrl, bareUrl, gets);
  const create = await compare('create', apiUrl, bareUrl, creates);
  server.disconnect();
  await fixture.close();
  console.log(`api get_ratio ${get.toFixed(2)} create_ratio ${create.toFixed(2)} aim ${aim}`);
  if (get < aim) process.exitCode = 1;
}

async function compare(
  name: string,
  apiUrl: string,
  bareUrl: string,
  requests: { api: Request[]; bare: Request[] },
): Promise<number> {
  await load(apiUrl, requests.api);
  await load(bareUrl, requests.bare);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const bare = await load(bareUrl, requests.bare);
    const api = await load(apiUrl, requests.api);
    ratios.push(api.perSecond / bare.perSecond);
    console.log(
      `${name} ${round}/${rounds}: api ${api.perSecond.toFixed(0)}/s p99 ${api.p99} ms, bare ${bare.perSecond.toFixed(0)}/s p99 ${bare.p99} ms`,
    );
  }
  return median(ratios);
}

async function load(url: string, requests: Request[]): Promise<{ perSecond: number; p99: number }> {
  const result = await autocannon({ url, requests, connections: 32, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${result.non2xx} refused, ${result.errors} failed at ${url}: ${JSON.stringify(result.statusCodeStats)}`,
    );
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}
