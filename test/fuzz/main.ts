import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type ApiDocument, readDocument } from '@signpost/testing/openapi/document.ts';
import { createWire } from '@signpost/testing/raw-http.ts';
import { createIds } from './ids.ts';
import { type Failure, runBatch, type Tally } from './run.ts';
import { startTarget } from './target.ts';

/** Sends every operation of the OpenAPI document valid and invalid requests; `--solo`: to the API of `signpost solo`. */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    solo: { type: 'boolean', default: false },
  },
});
const wanted = Number(values.requests);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (!Number.isSafeInteger(wanted) || wanted < 1 || !Number.isSafeInteger(seed)) {
  throw new Error('Usage: npm run fuzz -- [--requests N] [--seed S] [--solo]');
}
console.log(`seed ${seed}`);

const lanes = 3;
const batch = 40;
const megabyte = 1024 * 1024;
/** Growth allowed for a process that has answered every operation; memory in use must stay far below. */
const maxGrowth = { rssBytes: 150 * megabyte, heapBytes: 40 * megabyte };

const target = await startTarget(values.solo ? ['solo'] : []);
const origin = `http://127.0.0.1:${target.port}`;
const tally: Tally = {
  requests: 0,
  serverErrors: 0,
  schemaBreaks: 0,
  failures: new Map(),
  statuses: new Map(),
};
const problems: string[] = [];
let document: ApiDocument | null = null;

try {
  document = readDocument(JSON.parse(await (await fetch(`${origin}/v1/openapi.json`)).text()));
  const progress = setInterval(() => console.log(`  ${tally.requests} of ${wanted}`), 5000);
  const turns = Array.from({ length: lanes }, (_, lane) => lane);
  const run = (until: number) => Promise.all(turns.map((_, lane) => runLane(document!, lane, turns, until)));
  await run(Math.min(wanted / 2, document.operations.length * batch));
  // From here on the compiler and the threads that draw have what they need.
  const before = target.isAlive() ? await target.memory() : { rssBytes: 0, heapBytes: 0 };
  await run(wanted);
  clearInterval(progress);

  if (target.isAlive()) {
    const health = await fetch(`${origin}/healthz`);
    if (health.status !== 200) problems.push(`healthz answers ${health.status}`);
    const after = await target.memory();
    for (const kind of ['rssBytes', 'heapBytes'] as const) {
      const grown = after[kind] - before[kind];
      console.log(`${kind} of the server grew by ${Math.round(grown / megabyte)} MB`);
      if (grown > maxGrowth[kind]) problems.push(`${kind} of the server grew by more than it may`);
    }
  } else problems.push('the server has ended');
} finally {
  if (!(await target.stop())) problems.push('the server did not stop when it was told to');
}

// A fault may only be in the log if the client had disconnected.
for (const line of target.errorLines.slice(0, 20))
  problems.push(`the server logged an error: ${line.trim()}`);
for (const [name, failure] of tally.failures) console.log(`\n${name}\n${reproduction(failure)}`);
for (const problem of problems) console.log(`\n${problem}`);
const counts = [...tally.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
console.log(`\nresponses ${counts.join(', ')}`);
const errors = tally.serverErrors || target.errorLines.length;
console.log(
  `fuzz requests ${tally.requests} operations ${document.operations.length} server_errors ${errors} schema_breaks ${tally.schemaBreaks} seed ${seed}`,
);
process.exitCode = tally.failures.size > 0 || problems.length > 0 ? 1 : 0;

/** The same seed produces the same requests, except for ids and interference between lanes. */
async function runLane(document: ApiDocument, lane: number, turns: number[], until: number): Promise<void> {
  const wire = createWire(target.port);
  const ids = createIds();
  for (; tally.requests < until && target.isAlive(); turns[lane]! += lanes) {
    const turn = turns[lane]!;
    const operation = document.operations[turn % document.operations.length]!;
    const count = Math.min(batch, Math.ceil(until - tally.requests));
    await runBatch({ document, target, wire, ids, tally }, operation, seed + turn, count);
  }
  wire.close();
}

/** Everything needed to repeat the request, except for the key. */
function reproduction({ fault, notes, who, request }: Failure): string {
  const { method, target, headers, body } = request;
  const shown = headers.map(([name, value]) =>
    name === 'authorization' && /sk_(live|test)_\w{38}$/.test(value)
      ? `${name}: Bearer <key>`
      : `${name}: ${shorten(JSON.stringify(value))}`,
  );
  return [
    `  ${fault.what}`,
    ...(notes.length > 0 ? [`  made with: ${notes.join(', ')}`] : []),
    `  as ${who}`,
    `  ${method} ${shorten(target)}`,
    ...shown.map(line => `  ${line}`),
    ...(body ? [`  ${body.length} bytes: ${shorten(JSON.stringify(body.toString('latin1')))}`] : []),
  ].join('\n');
}

function shorten(text: string): string {
  if (text.length <= 5000) return text;
  return `${text.slice(0, 500)} … ${text.slice(-500)} (${text.length} characters)`;
}
