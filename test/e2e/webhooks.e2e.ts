import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../tools/engines/wait.ts';
import { ask } from '../support/client.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { TestServer } from '../support/server.ts';
import { type Calls, callerOf, createWebhookWorld, type WebhookWorld } from '../support/webhook-world.ts';

let world: WebhookWorld;
let server: TestServer;
let receiver: Receiver;
let live: Calls;
let testMode: Calls;
let isMoody = true;

beforeAll(async () => {
  world = await createWebhookWorld();
  server = await world.server({}, 'all');
  receiver = await startReceiver((arrival, response) => {
    const isRefused = arrival.path === '/moody' && isMoody;
    response.writeHead(isRefused ? 500 : 204).end();
  });
  const account = await world.account();
  live = callerOf(server.url, account.live);
  testMode = callerOf(server.url, account.test);
});
afterAll(async () => {
  await receiver.close();
  await world.remove();
});

const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1' };

const scan = (code: { short_url: string }) =>
  ask({ url: server.url + new URL(code.short_url).pathname, headers: phone });
const at = (path: string) => receiver.arrivals.filter(arrival => arrival.path === path);
const arrived = (path: string, count = 1) => waitUntil(`${count} at ${path}`, () => at(path).length >= count);

test('a scan that is answered after the webhook was made arrives, in the shape of the interface and signed', async () => {
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

test('live and test have webhooks and events of their own', async () => {
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

test('a test is sent at once, and its delivery tells what came of it', async () => {
  const { id } = await live.webhook(`${receiver.url}/try`);
  const sent = await live.post(`/v1/webhooks/${id}/test`);
  expect(sent.body).toMatchObject({ webhook_id: id, test: true, status: 'pending', attempts: 0 });
  await arrived('/try');
  expect(at('/try')[0]!.id).toBe(sent.body.id);
  const delivery = () => live.get(`/v1/webhooks/deliveries/${sent.body.id}`);
  await waitUntil('it is delivered', async () => (await delivery()).body.status === 'delivered');
  expect((await delivery()).body).toMatchObject({
    attempts: 1,
    response_status: 204,
    error: null,
    next_attempt_at: null,
    body: at('/try')[0]!.body,
    attempt_log: [{ succeeded: true, response_status: 204, error: null, response_body: '' }],
  });
  const list = () => live.get(`/v1/webhooks/${id}/deliveries`);
  await waitUntil('it is listed', async () => (await list()).body.pagination.total === 1);
  expect((await list()).body.data).toMatchObject([{ id: sent.body.id, status: 'delivered', attempts: 1 }]);
});

test('a webhook that is disabled, moved or deleted gets nothing more from then on', async () => {
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
  // The scan in between may have been counted before or after the webhook was enabled again; after the delete none came.
  expect(at('/new').length).toBeLessThanOrEqual(3);
  await live.delete(`/v1/webhooks/${witness}`);
});

test('what failed is replayed, one and all since a time, under the same ids', async () => {
  const { id } = await live.webhook(`${receiver.url}/moody`);
  const since = new Date().toISOString();
  const sent: string[] = [];
  for (let n = 0; n < 3; n++) sent.push((await live.post(`/v1/webhooks/${id}/test`)).body.id);
  await arrived('/moody', 3);
  const pending = () => live.get(`/v1/webhooks/${id}/deliveries?status=pending`);
  await waitUntil('all have failed once', async () =>
    (await pending()).body.data.every((one: { attempts: number }) => one.attempts > 0),
  );
  isMoody = false;
  const one = await live.post(`/v1/webhooks/deliveries/${sent[0]}/replay`);
  expect(one.body).toMatchObject({ id: sent[0], status: 'pending' });
  await live.post(`/v1/webhooks/${id}/replay`, { since });
  await waitUntil('none is pending', async () => (await pending()).body.pagination.total === 0);
  const successes = at('/moody').map(arrival => arrival.id);
  expect(new Set(successes)).toEqual(new Set(sent));
  // One that was delivered can be sent again, too.
  const before = successes.length;
  await live.post(`/v1/webhooks/deliveries/${sent[1]}/replay`);
  await arrived('/moody', before + 1);
  expect(at('/moody').at(-1)!.id).toBe(sent[1]);
});
