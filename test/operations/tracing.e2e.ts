import { randomBytes } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { startOtlpReceiver } from '@signpost/testing/otlp-receiver.ts';
import { startReceiver } from '@signpost/testing/receiver.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

let nats: Engine;
let fixture: Fixture;

beforeAll(async () => {
  nats = await startNats();
  fixture = await createFixture({
    NATS_URL: nats.url,
    WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  });
  await runCommand(['migrate'], fixture.env);
});
afterAll(async () => {
  await fixture?.close();
  await nats?.remove();
});

/**
 * Starts the four roles with these settings, makes a code and a webhook, and scans the code once. Resolves when the scan is
 * counted and delivered. The webhook's endpoint answers with these statuses, one after another.
 */
async function scanOnce(more: Record<string, string>, answers: readonly number[] = [204]) {
  const webhookReceiver = await startReceiver((_arrival, response) => {
    response.writeHead(answers[webhookReceiver.arrivals.length - 1] ?? 204).end();
  });
  onTestFinished(webhookReceiver.close);
  const servers: TestServer[] = [];
  for (const role of ['api', 'redirect', 'ingest', 'deliver']) servers.push(await fixture.server(more, role));
  const [api, edge] = servers as [TestServer, TestServer];
  const { live: key } = await fixture.account();
  const post = (path: string, body: object) => ask({ method: 'POST', url: `${api.url}${path}`, key, body });
  const webhook = await post('/v1/webhooks', { url: `${webhookReceiver.url}/hooks?token=of-the-owner` });
  const made = await post('/v1/qrcodes', { name: 'x', destination_url: 'https://example.com' });
  expect([webhook.status, made.status]).toEqual([201, 201]);
  expect((await ask({ url: `${edge.url}/${made.body.short_code}` })).status).toBe(302);
  await waitUntil('it is counted and delivered', async () => {
    const read = await ask({ url: `${api.url}/v1/qrcodes/${made.body.id}`, key });
    return read.body.total_scans === 1 && webhookReceiver.arrivals.length === answers.length;
  });
  return {
    servers,
    deliveries: webhookReceiver.arrivals,
    webhook: webhook.body as { id: string; secret: string },
  };
}

/** The header that the newest entry of the log carries. */
async function newestTrace(): Promise<string | undefined> {
  const connection = await connect({ servers: nats.url });
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info('SCANS_0');
  const entry = await manager.streams.getMessage('SCANS_0', { seq: state.last_seq });
  await connection.close();
  return entry?.header?.get('traceparent') || undefined;
}

const attributesOf = (attributes: Record<string, string | number>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }));

const stop = (servers: readonly TestServer[]) => Promise.all(servers.map(server => server.end('SIGTERM')));

test('without the setting nothing is traced, and entries of the log carry nothing', async () => {
  const { servers } = await scanOnce({});
  expect(await newestTrace()).toBeUndefined();
  await stop(servers);
});

test('one trace goes from the redirect through the log to the counting, the storing and every try of the webhook; calls of the API have theirs', async () => {
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver.close());
  const { servers, deliveries, webhook } = await scanOnce(
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: '1' },
    [503, 204],
  );
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
  const attempts = receiver.spans.filter(span => span.name === 'webhook attempt');
  expect(attempts.map(({ attributes }) => attributes)).toEqual([
    attributesOf({
      'signpost.endpoint': webhook.id,
      'signpost.attempt': 1,
      'signpost.outcome': 'status',
      'http.response.status_code': 503,
    }),
    attributesOf({
      'signpost.endpoint': webhook.id,
      'signpost.attempt': 2,
      'signpost.outcome': 'delivered',
      'http.response.status_code': 204,
    }),
  ]);
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({
      service: 'signpost-deliver',
      traceId: append.traceId,
      parentSpanId: append.spanId,
      kind: 3,
    });
  }
  expect(attempts.map(({ status }) => status?.code)).toEqual([2, undefined]);
  // Our traces are not the receiver's business.
  for (const { headers } of deliveries) expect(headers).not.toHaveProperty('traceparent');
  const call = receiver.spans.find(span => span.name === 'POST /v1/qrcodes')!;
  expect(call).toMatchObject({ service: 'signpost-api', kind: 2 });
  expect(call.attributes).toContainEqual({ key: 'http.response.status_code', value: { doubleValue: 201 } });
  expect(JSON.stringify(receiver.spans)).not.toMatch(/127\.0\.0\.1|sk_live|user.agent|of-the-owner|whsec/);
});

test('a collector that is away holds nothing up, and what it did not take is counted', async () => {
  const { servers } = await scanOnce({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_TRACES_SAMPLER_ARG: '1',
  });
  const dropped = async () => (await fetch(servers[1]!.metricsUrl)).text();
  await waitUntil('it is counted', async () =>
    /signpost_spans_dropped_total\{.*\} [1-9]/.test(await dropped()),
  );
  expect(await stop(servers)).toEqual([0, 0, 0, 0]);
});
