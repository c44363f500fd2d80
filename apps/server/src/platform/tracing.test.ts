import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTracer } from './tracing.ts';

async function receiver(status: number) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push(text);
    response.writeHead(status).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { bodies, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

test('at a ratio of 0 nothing begins a trace, but what is part of one goes on', async () => {
  const { endpoint, bodies } = await receiver(200);
  const tracer = createTracer({ endpoint, service: 's', sampleRatio: 0, onDropped: () => undefined });
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

test('what the collector refuses, and what waits beyond the bound, is dropped and counted', async () => {
  const { endpoint } = await receiver(503);
  let dropped = 0;
  const onDropped = (spans: number) => {
    dropped += spans;
  };
  const tracer = createTracer({ endpoint, service: 's', sampleRatio: 1, onDropped });
  for (let n = 0; n < 5_010; n++) tracer.start('x', 'server')!.end({});
  expect(dropped).toBe(10);
  await tracer.close();
  expect(dropped).toBe(5_010);
});
