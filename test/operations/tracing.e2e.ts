import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startClickHouse } from '../../tools/engines/clickhouse.ts';
import type { Engine } from '../../tools/engines/engine.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { waitUntil } from '../../tools/engines/wait.ts';
import { ask } from '../support/client.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { runCommand, type TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

let engines: Engine[];
let natsUrl: string;
let world: World;

beforeAll(async () => {
  const [nats, clickhouse] = await Promise.all([startNats(), startClickHouse()]);
  engines = [nats, clickhouse];
  natsUrl = nats.url;
  world = await createWorld({ NATS_URL: nats.url, CLICKHOUSE_URL: clickhouse.url });
  await runCommand(['migrate'], world.env);
});
afterAll(async () => {
  await world?.close();
  for (const engine of engines ?? []) await engine.remove();
});

/** The three roles with these settings; a code, one scan of it, and the scan counted. */
async function scanOnce(more: Record<string, string>): Promise<TestServer[]> {
  const [api, edge, ingest] = [
    await world.server(more),
    await world.server(more, 'redirect'),
    await world.server(more, 'ingest'),
  ];
  const servers = [api, edge, ingest];
  const { live: key } = await world.account();
  const body = { name: 'x', destination_url: 'https://example.com' };
  const made = await ask({ method: 'POST', url: `${api.url}/v1/qrcodes`, key, body });
  expect(made.status).toBe(201);
  expect((await ask({ url: `${edge.url}/${made.body.short_code}` })).status).toBe(302);
  await waitUntil(
    'it is counted',
    async () => {
      const read = await ask({ url: `${api.url}/v1/qrcodes/${made.body.id}`, key });
      return read.body.total_scans === 1;
    },
    { timeoutMs: 30_000 },
  );
  return servers;
}

/** The header that the newest entry of the log carries. */
async function newestTrace(): Promise<string | undefined> {
  const connection = await connect({ servers: natsUrl });
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info('SCANS_0');
  const entry = await manager.streams.getMessage('SCANS_0', { seq: state.last_seq });
  await connection.close();
  return entry?.header?.get('traceparent') || undefined;
}

const stop = (servers: readonly TestServer[]) => Promise.all(servers.map(server => server.end('SIGTERM')));

test('without the setting nothing is traced, and entries of the log carry nothing', async () => {
  const servers = await scanOnce({});
  expect(await newestTrace()).toBeUndefined();
  await stop(servers);
});

test('one trace goes from the redirect through the log to the counting and the storing; calls of the API have theirs', async () => {
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver.close());
  const servers = await scanOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: '1' });
  const carried = await newestTrace();
  // What is left is sent before the end.
  await stop(servers);
  const append = receiver.spans.find(span => span.name === 'scans append')!;
  expect(append).toMatchObject({ service: 'signpost-redirect', kind: 4 });
  expect(append.parentSpanId).toBeUndefined();
  expect(carried).toBe(`00-${append.traceId}-${append.spanId}-01`);
  for (const name of ['scans count', 'scans store']) {
    const span = receiver.spans.find(one => one.name === name)!;
    expect(span).toMatchObject({
      service: 'signpost-ingest',
      traceId: append.traceId,
      parentSpanId: append.spanId,
      kind: 5,
    });
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThan(BigInt(append.startTimeUnixNano));
    expect(span.attributes).toContainEqual({ key: 'signpost.scans', value: { doubleValue: 1 } });
  }
  const call = receiver.spans.find(span => span.name === 'POST /v1/qrcodes')!;
  expect(call).toMatchObject({ service: 'signpost-api', kind: 2 });
  expect(call.attributes).toContainEqual({ key: 'http.response.status_code', value: { doubleValue: 201 } });
  expect(JSON.stringify(receiver.spans)).not.toMatch(/127\.0\.0\.1|sk_live|user.agent/);
});

test('a collector that is away holds nothing up, and what it did not take is counted', async () => {
  const servers = await scanOnce({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_TRACES_SAMPLER_ARG: '1',
  });
  const dropped = async () => (await fetch(servers[1]!.metricsUrl)).text();
  await waitUntil('it is counted', async () =>
    /signpost_spans_dropped_total\{.*\} [1-9]/.test(await dropped()),
  );
  expect(await stop(servers)).toEqual([0, 0, 0]);
});
