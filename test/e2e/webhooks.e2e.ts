import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type Receiver, startReceiver } from '@signpost/testing/receiver.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import {
  type Calls,
  callerOf,
  createWebhookFixture,
  type WebhookFixture,
} from '@signpost/testing/webhook-fixture.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: WebhookFixture;
let server: TestServer;
let receiver: Receiver;
let live: Calls;
let testMode: Calls;
let isRefusing = true;

beforeAll(async () => {
  fixture = await createWebhookFixture();
  server = await fixture.server({}, 'all');
  receiver = await startReceiver((arrival, response) => {
    const isRefused = arrival.path === '/refusing' && isRefusing;
    response.writeHead(isRefused ? 500 : 204).end();
  });
  const account = await fixture.account();
  live = callerOf(server.url, account.live);
  testMode = callerOf(server.url, account.test);
});
afterAll(async () => {
  await receiver.close();
  await fixture.remove();
});

const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1' };

const scan = (code: { short_url: string }) =>
  ask({ url: server.url + new URL(code.short_url).pathname, headers: phone });
const at = (path: string) => receiver.arrivals.filter(arrival => arrival.path === path);
const arrived = (path: string, count = 1) => waitUntil(`${count} at ${path}`, () => at(path).length >= count);

test('a scan that is answered after the webhook was created arrives, in the shape of the interface and signed', async () => {
  const { secret } = await live.webhook(`${receiver.url}/scan`);
  const code = await live.code();
  await scan(code);
  await arrived('/scan');
  const [{ body, headers }] = at('/scan') as [Receiver['arrivals'][number]];
  const event = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(event).toEqual({
    event: 'scan.created',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: {
      qr_id: code.id,
      scan_id: expect.stringMatching(/^scan_[0-9a-z]{26}$/),
      country: 'XX',
      city: '',
      device: 'ios',
      is_unique: true,
    },
  });
  expect(headers['content-type']).toBe('application/json');
});

test('live and test mode have their own webhooks and events', async () => {
  await testMode.webhook(`${receiver.url}/test-mode`);
  await live.webhook(`${receiver.url}/live-mode`);
  const [inTest, inLive] = [await testMode.code(), await live.code()];
  await scan(inTest);
  await scan(inLive);
  await arrived('/test-mode');
  await arrived('/live-mode');
  const codes = (path: string) => at(path).map(({ body }) => JSON.parse(body).data.qr_id);
  expect(codes('/test-mode')).toEqual([inTest.id]);
  expect(codes('/live-mode')).toEqual([inLive.id]);
});

test('a test is sent at once, and its delivery shows the result', async () => {
  const { id } = await live.webhook(`${receiver.url}/test`);
  const sent = await live.post(`/v1/webhooks/${id}/test`);
  expect(sent.body).toMatchObject({ webhook_id: id, test: true, status: 'pending', attempts: 0 });
  await arrived('/test');
  expect(at('/test')[0]!.id).toBe(sent.body.id);
  const delivery = () => live.get(`/v1/webhooks/deliveries/${sent.body.id}`);
  await waitUntil('it is delivered', async () => (await delivery()).body.status === 'delivered');
  expect((await delivery()).body).toMatchObject({
    attempts: 1,
    response_status: 204,
    error: null,
    next_attempt_at: null,
    body: at('/test')[0]!.body,
    attempt_log: [{ succeeded: true, response_status: 204, error: null, response_body: '' }],
  });
  const list = () => live.get(`/v1/webhooks/${id}/deliveries`);
  await waitUntil('it is listed', async () => (await list()).body.pagination.total === 1);
  expect((await list()).body.data).toMatchObject([{ id: sent.body.id, status: 'delivered', attempts: 1 }]);
});

test('a webhook that is disabled, moved or deleted gets nothing from then on', async () => {
  const { id } = await live.webhook(`${receiver.url}/old`);
  const code = await live.code();
  await scan(code);
  await arrived('/old');
  await live.patch(`/v1/webhooks/${id}`, { url: `${receiver.url}/new` });
  await scan(code);
  await arrived('/new');
  await live.patch(`/v1/webhooks/${id}`, { enabled: false });
  await scan(code);
  await live.patch(`/v1/webhooks/${id}`, { enabled: true });
  await scan(code);
  await arrived('/new', 2);
  await live.delete(`/v1/webhooks/${id}`);
  const { id: witness } = await live.webhook(`${receiver.url}/witness`);
  await scan(code);
  await arrived('/witness');
  expect(at('/old')).toHaveLength(1);
  // The scan in between may be counted before or after the webhook was enabled again. After the delete none arrived.
  expect(at('/new').length).toBeLessThanOrEqual(3);
  await live.delete(`/v1/webhooks/${witness}`);
});

test('failed deliveries are replayed, one by one and all since a time, under the same ids', async () => {
  const { id } = await live.webhook(`${receiver.url}/refusing`);
  const since = new Date().toISOString();
  const sent: string[] = [];
  for (let n = 0; n < 3; n++) sent.push((await live.post(`/v1/webhooks/${id}/test`)).body.id);
  await arrived('/refusing', 3);
  const pending = () => live.get(`/v1/webhooks/${id}/deliveries?status=pending`);
  await waitUntil('all have failed once', async () =>
    (await pending()).body.data.every(({ attempts }: { attempts: number }) => attempts > 0),
  );
  isRefusing = false;
  const replayed = await live.post(`/v1/webhooks/deliveries/${sent[0]}/replay`);
  expect(replayed.body).toMatchObject({ id: sent[0], status: 'pending' });
  await live.post(`/v1/webhooks/${id}/replay`, { since });
  await waitUntil('none is pending', async () => (await pending()).body.pagination.total === 0);
  const successes = at('/refusing').map(arrival => arrival.id);
  expect(new Set(successes)).toEqual(new Set(sent));
  // A delivered one can be replayed too.
  const before = successes.length;
  await live.post(`/v1/webhooks/deliveries/${sent[1]}/replay`);
  await arrived('/refusing', before + 1);
  expect(at('/refusing').at(-1)!.id).toBe(sent[1]);
});
