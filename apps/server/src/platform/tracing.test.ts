import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTracer } from './tracing.ts';

async function startCollector(status: number) {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push(text);
    headers.push(request.headers);
    response.writeHead(status).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { bodies, headers, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const options = { service: 's', headers: {}, sampleRatio: 1, onDropped: () => undefined };
const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

test('at a ratio of 0 no trace begins, but a span with a parent joins its trace', async () => {
  const { endpoint, bodies } = await startCollector(200);
  const tracer = createTracer({ ...options, endpoint, sampleRatio: 0 });
  expect(tracer.start('root', 'server')).toBeNull();
  const span = tracer.start('part', 'consumer', parent)!;
  expect(span.context.traceId).toBe(parent.traceId);
  span.end({ n: 1 }, new TypeError('secret words'));
  await tracer.close();
  expect(bodies).toHaveLength(1);
  const [sent] = JSON.parse(bodies[0]!).resourceSpans[0].scopeSpans[0].spans;
  expect(sent).toMatchObject({
    name: 'part',
    parentSpanId: parent.spanId,
    status: { code: 2, message: 'TypeError' },
  });
  expect(bodies[0]).not.toContain('secret words');
});

test('spans that the collector refuses, and pending spans beyond the bound, are dropped and counted', async () => {
  const { endpoint } = await startCollector(503);
  let dropped = 0;
  const onDropped = (spans: number) => {
    dropped += spans;
  };
  const tracer = createTracer({ ...options, endpoint, onDropped });
  for (let n = 0; n < 5_010; n++) tracer.start('x', 'server')!.end({});
  expect(dropped).toBe(10);
  await tracer.close();
  expect(dropped).toBe(5_010);
});

test('configured headers are sent to the collector, and leave the content type alone', async () => {
  const { endpoint, headers } = await startCollector(200);
  const configured = { authorization: 'Bearer a,b', 'content-type': 'text/plain' };
  const tracer = createTracer({ ...options, endpoint, headers: configured });
  tracer.start('x', 'server')!.end({});
  await tracer.close();
  expect(headers).toMatchObject([{ authorization: 'Bearer a,b', 'content-type': 'application/json' }]);
});
