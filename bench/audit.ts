import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import autocannon from 'autocannon';
import { median } from './median.ts';

/** How much longer a create may take with its event than without. */
const aim = 1.1;
const writes = ['create', 'update'] as const;
type Write = (typeof writes)[number];

/** Of each round. */
type Figures = {
  readonly perSecond: number[];
  readonly cpuMicros: number[];
  readonly postgresMicros: number[];
};

type Contender = {
  readonly name: string;
  readonly url: string;
  readonly child: ChildProcess;
  readonly figures: Readonly<Record<Write, Figures>>;
};

/**
 * `npm run bench -- audit [--rounds 30] [--requests 600] [--connections 8]`: creates and updates by key with their event in the audit log, and
 * by the same code without. Both processes are new and work on one PostgreSQL. They take turns in many short rounds, each
 * round first the one and then the other, so that other load on the machine affects both.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '30' },
      requests: { type: 'string', default: '600' },
      connections: { type: 'string', default: '8' },
    },
  });
  const [rounds, amount] = [Number(values.rounds), Number(values.requests)];
  const connections = Number(values.connections);
  const postgres = await startPostgres();
  const fixture = await createFixture({}, postgres.url);
  try {
    const contenders = [await start('with', fixture), await start('without', fixture)];
    const { live: key } = await fixture.account();
    for (const { url } of contenders) await load(url, key, 'create', { amount, connections });
    for (const { url } of contenders) await load(url, key, 'update', { amount, connections });
    for (let round = 1; round <= rounds; round++) {
      for (const write of writes) {
        for (const contender of round % 2 === 1 ? contenders : contenders.toReversed()) {
          const { child, figures } = contender;
          const before = [cpuMicrosOf(child.pid!), postgresMicros(postgres.pid)];
          figures[write].perSecond.push(await load(contender.url, key, write, { amount, connections }));
          figures[write].cpuMicros.push((cpuMicrosOf(child.pid!) - before[0]!) / amount);
          figures[write].postgresMicros.push((postgresMicros(postgres.pid) - before[1]!) / amount);
        }
      }
    }
    report(contenders);
    for (const { child } of contenders) child.disconnect();
  } finally {
    await fixture.close();
    await postgres.remove();
  }
}

async function start(name: string, { env }: Fixture): Promise<Contender> {
  const child = fork(new URL('./api-server.ts', import.meta.url), [name], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ api }] = (await once(child, 'message')) as [{ api: number }];
  const none = (): Figures => ({ perSecond: [], cpuMicros: [], postgresMicros: [] });
  return { name, url: `http://127.0.0.1:${api}`, child, figures: { create: none(), update: none() } };
}

/** With its backends that have ended: the pool closes idle connections. */
function postgresMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
  return cpuMicrosOf(pid) + (fields[13]! + fields[14]!) * tickMicros;
}

const tickMicros = 10_000;

let made = 0;

/** Writes per second. */
async function load(
  url: string,
  key: string,
  write: Write,
  { amount, connections }: { readonly amount: number; readonly connections: number },
): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ids = write === 'create' ? [] : await listIds(url, headers);
  // A new destination each time, so that an update changes something.
  const setupRequest = (request: autocannon.Request) => ({ ...request, body: toBody() });
  const requests: autocannon.Request[] =
    write === 'create'
      ? [{ method: 'POST', path: '/v1/qrcodes', setupRequest }]
      : ids.map(id => ({ method: 'PATCH', path: `/v1/qrcodes/${id}`, setupRequest }));
  const startMs = performance.now();
  const result = await autocannon({ url, headers, requests, connections, amount });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${result.non2xx} refused, ${result.errors} failed: ${JSON.stringify(result.statusCodeStats)}`,
    );
  return amount / ((performance.now() - startMs) / 1000);
}

async function listIds(url: string, headers: Record<string, string>): Promise<string[]> {
  const response = await fetch(`${url}/v1/qrcodes?limit=100`, { headers });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

const toBody = () =>
  JSON.stringify({ name: `Code ${++made}`, destination_url: `https://example.com/${made}` });

function report([ours, other]: readonly Contender[]): void {
  const lines = writes.map(write => {
    const [a, b] = [ours!.figures[write], other!.figures[write]];
    const paired = median(a.perSecond.map((value, i) => value / b.perSecond[i]!));
    const ratio = (name: keyof Figures) => median(a[name]) / median(b[name]);
    const pair = (name: keyof Figures) =>
      `${median(a[name]).toFixed(0)} against ${median(b[name]).toFixed(0)}`;
    const slower = 1 / paired;
    console.log(
      `${write}: ${pair('perSecond')} per second, ${pair('cpuMicros')} µs of CPU here, ${pair('postgresMicros')} µs in PostgreSQL`,
    );
    // Edits of one account commit one after the other, which the aim is not about.
    if (write === 'create' && slower > aim) process.exitCode = 1;
    return `${write} time ${slower.toFixed(3)} cpu ${ratio('cpuMicros').toFixed(3)} postgres ${ratio('postgresMicros').toFixed(3)}`;
  });
  console.log(`audit ${lines.join(' ')} aim ${aim}`);
}
