import { webhookEventKinds } from '@signpost/contract';
import type { TestAccount } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import type { Arrival } from '@signpost/testing/receiver.ts';
import { formatId, parseId } from '../../../apps/server/src/kernel/ids.ts';
import { sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import type { Installation } from './installation.ts';
import { addPastScans } from './past-scans.ts';
import type { Recorder } from './recorder.ts';

const site = 'https://harbour-roasters.example';

/** What the account has at the end, for the refusals that follow. */
export type Told = {
  readonly account: TestAccount;
  readonly menuId: string;
  readonly deletedId: string;
  readonly webhook: { readonly id: string; readonly secret: string };
  /** The first request for each kind of event, as the receiver got it. */
  readonly arrivals: readonly Arrival[];
};

/** A coffee roaster's first month with the API. It calls every operation once. */
export async function tellStory(installation: Installation, recorder: Recorder): Promise<Told> {
  const { fixture, receiver } = installation;
  const { at, show, ask } = recorder;

  at('2026-02-23T09:02:51.730Z');
  const account = await fixture.account();
  const key = account.live;
  at('2026-02-23T09:12:04.318Z');
  const {
    data: [{ qr_code: cup }, { qr_code: poster }],
  } = await show('bulkCreateQrCodes', key, {
    headers: idempotencyKey('b0a7f4f2-6a0e-4c3b-9d54-1f6a2c9e7d10'),
    body: {
      items: [
        { name: 'Takeaway cup', destination_url: `${site}/loyalty?from=cup` },
        { name: 'Window poster', destination_url: `${site}/offers`, short_code: 'window-poster' },
        { name: 'Receipt', destination_url: `${site}/review`, short_code: 'docs' },
      ],
    },
  });
  at('2026-02-23T09:15:27.642Z');
  const menu = await show('createQrCode', key, {
    headers: idempotencyKey('5e0f6a52-3c1d-4b7a-8f2e-9c4d7b1a6e35'),
    body: {
      name: 'Spring menu',
      destination_url: `${site}/menu/spring`,
      short_code: 'spring-menu',
      style: { dotsType: 'rounded', dotsColor: '#0B3D2E', cornersSquareType: 'extra-rounded' },
      tags: ['Menu', 'Spring 2026'],
      external_id: 'menu-1',
    },
  });
  await requireImages(installation, cup, poster, menu);
  await print(recorder, key, poster.id);
  at('2026-02-23T10:52:33.640Z');
  const host = 'go.harbour-roasters.example';
  await installation.admin('add-domain', host, '--account', formatId('acct', account.id));
  await installation.admin('set-domain', host, '--root-url', `${site}/`, '--default');
  await show('listDomains', key);

  await addPastScans(
    installation,
    account.id,
    [
      { id: menu.id, perDay: 9, hours: 'café' },
      { id: poster.id, perDay: 4, hours: 'evening' },
      { id: cup.id, perDay: 2, hours: 'café' },
    ],
    '2026-03-23T00:00:00Z',
  );
  await analytics(recorder, key, menu.id);

  at('2026-03-23T08:30:12.075Z');
  const params = { id: menu.id };
  await show('listQrCodes', key, { query: { page: 1, limit: 20, status: 'active' } });
  await show('getQrCode', key, { params });
  for (const format of ['svg', 'png'])
    await show('downloadQrCode', key, { params: { id: poster.id }, query: { format, size: 512 } });
  for (const format of ['pdf', 'eps'])
    await show('downloadQrCode', key, {
      params: { id: poster.id },
      query: { format, width_mm: 60, bleed_mm: 3, color: 'k' },
    });
  await show('getOpenApi', null);

  await sandbox(recorder, account.test);

  const webhook = await webhooks(installation, recorder, account, menu, poster);

  at('2026-04-01T06:00:41.530Z');
  await show('updateQrCode', key, {
    params,
    body: { name: 'Summer menu', destination_url: `${site}/menu/summer` },
  });
  await organise(recorder, key, [poster.id, menu.id]);
  await share(recorder, key, menu.id);
  await rules(recorder, key, menu.id);
  at('2026-04-01T06:02:18.904Z');
  await show('deleteQrCode', key, { params: { id: cup.id } });
  const arrivals = webhookEventKinds.map(kind =>
    receiver.arrivals.find(({ body }) => JSON.parse(body).event === kind),
  );
  await platform(installation, recorder, account);
  const doomed = await ask('createWebhook', key, { body: { url: `${receiver.url}/old` } });
  await show('deleteWebhook', key, { params: { id: doomed.id } });
  return {
    account,
    menuId: menu.id,
    deletedId: cup.id,
    webhook,
    arrivals: arrivals.filter(arrival => arrival !== undefined),
  };
}

const idempotencyKey = (key: string) => ({ 'Idempotency-Key': key });

/** The addresses of the images lead to images. */
async function requireImages({ server }: Installation, ...codes: { image_url: string }[]): Promise<void> {
  for (const { image_url } of codes) {
    const answer = await fetch(server.url + new URL(image_url).pathname);
    const type = answer.headers.get('content-type') ?? '';
    if (!answer.ok || !type.startsWith('image/')) throw new Error(`${image_url}: ${answer.status} ${type}`);
    await answer.body?.cancel();
  }
}

/** A lunch menu on weekdays, and two places where the menu is printed. */
async function rules({ at, show, ask }: Recorder, key: string, id: string): Promise<void> {
  at('2026-04-01T06:01:02.411Z');
  const params = { id };
  const windows = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '11:00', to: '14:30' }];
  const lunch = {
    name: 'Lunch on weekdays',
    when: { time: { timezone: 'Europe/Berlin', windows } },
    to: [{ url: `${site}/menu/lunch` }],
  };
  await ask('updateQrCode', key, { params, body: { rules: [lunch] } });
  await show('testRules', key, {
    params,
    body: { at: '2026-04-02T12:15:00+02:00', device: 'ios', country: 'DE' },
  });
  await show('createPlacement', key, { params, body: { key: 'window', name: 'Shop window' } });
  await show('updatePlacement', key, {
    params: { ...params, key: 'window' },
    body: { note: 'Left of the door, A4' },
  });
  await show('bulkCreatePlacements', key, {
    params,
    body: {
      items: [
        { key: 'table-1', name: 'Table 1' },
        { key: 'table-2', name: 'Table 2', note: 'By the door' },
      ],
    },
  });
  await ask('createPlacement', key, { params, body: { key: 'till', name: 'Till' } });
  await show('deletePlacement', key, { params: { ...params, key: 'till' } });
}

/** Scans of a code that nobody has printed yet. */
async function sandbox({ at, show, ask }: Recorder, testKey: string): Promise<void> {
  at('2026-03-23T08:36:20.114Z');
  const code = await ask('createQrCode', testKey, {
    body: { name: 'Trial', destination_url: `${site}/menu/trial` },
  });
  await show('sendTestScans', testKey, {
    headers: idempotencyKey('0d6f1c55-93a7-4c1e-8f0b-2f6f54d0c9a1'),
    body: {
      qr_id: code.id,
      count: 200,
      unique: 80,
      country: 'DE',
      city: 'Hamburg',
      device: 'ios',
      browser: 'safari',
      language: 'de',
    },
  });
}

/** A platform that has the roaster as its customer. */
async function platform({ admin }: Installation, { at, show }: Recorder, { id }: TestAccount): Promise<void> {
  const [key = ''] = /sk_live_\w+/.exec(await admin('create-key', '--operator', formatId('acct', id)))!;
  at('2026-04-02T09:30:14.702Z');
  const tenant = await show('createTenant', key, {
    body: { name: 'Quay Bakery', plan: 'pro', external_id: 'customer-481' },
  });
  const params = { id: tenant.id };
  at('2026-04-02T09:30:16.118Z');
  await show('createTenantKey', key, {
    params,
    body: { name: 'Till', mode: 'live', scopes: ['qrcodes:read', 'qrcodes:write', 'analytics:read'] },
  });
  await show('listTenants', key, { query: { limit: 20 } });
  await show('getTenant', key, { params });
  at('2026-05-01T08:00:09.351Z');
  await show('updateTenant', key, { params, body: { plan: 'business', limits: { qr_codes: 400 } } });
}

/** Tags, ids of the roaster's own system, and many codes at once. */
async function organise({ at, show, ask }: Recorder, key: string, ids: readonly string[]): Promise<void> {
  at('2026-04-01T06:01:07.226Z');
  await show('upsertQrCode', key, {
    params: { id: 'ext:menu-1' },
    body: {
      name: 'Summer menu',
      destination_url: `${site}/menu/summer`,
      tags: ['Menu', 'Summer 2026'],
      metadata: { branch: 'Hamburg' },
    },
  });
  await show('bulkEditQrCodes', key, {
    body: {
      filter: { tag: ['Menu'], status: 'active' },
      expected_count: 1,
      set: { tags_add: ['Printed'], note: 'On every table since April.' },
    },
  });
  const trial = { name: 'Trial', destination_url: `${site}/trial` };
  const trials = await ask('bulkCreateQrCodes', key, { body: { items: [trial, trial] } });
  const trialIds = trials.data.map(({ qr_code }: { qr_code: { id: string } }) => qr_code.id);
  await show('bulkDeleteQrCodes', key, { body: { ids: trialIds, expected_count: 2 } });
  await show('listTags', key);
  await show('updateTag', key, { params: { name: 'Printed' }, body: { name: 'In print', color: 'teal' } });
  await show('deleteTag', key, { params: { name: 'Spring 2026' } });
  await show('getAccount', key);
  await show('listAuditEvents', key, { query: { limit: 3 } });
  await show('listAccountScans', key, { query: { limit: 3 } });
  const evening = { start_date: '2026-03-22T20:00:00Z', end_date: '2026-03-22T23:59:59Z' };
  await show('exportAccountScans', key, { query: { format: 'csv', ...evening } });
  await show('exportAccountScans', key, { query: { format: 'json', ...evening } });
  await ask('bulkEditQrCodes', key, { body: { ids, set: { tags_remove: ['Summer 2026'] } } });
}

/** Figures for people without an account: the agency that made the menu, and the bank. */
async function share({ at, show, ask }: Recorder, key: string, id: string): Promise<void> {
  at('2026-04-01T06:01:44.902Z');
  const timezone = 'Europe/Berlin';
  await show('createQrCodeShareLink', key, {
    params: { id },
    body: { title: 'Our menu in spring', days: 90, timezone, expires_at: '2030-12-31T23:00:00Z' },
  });
  await show('createShareLink', key, {
    body: { tag: 'Menu', sections: ['chart', 'map', 'codes'], start_date: '2026-03-01', timezone },
  });
  await show('listShareLinks', key);
  const old = await ask('createShareLink', key, { body: {} });
  await show('revokeShareLink', key, { params: { id: old.id } });
}

/** The roaster's logo, and what is printed with it. */
async function print({ at, show, ask }: Recorder, key: string, posterId: string): Promise<void> {
  at('2026-02-23T10:41:09.281Z');
  const logo = await show('createAsset', key, { body: { image: logoPng, vector: logoSvg } });
  await show('listAssets', key);
  await show('getAsset', key, { params: { id: logo.id } });
  await show('downloadAsset', key, { params: { id: logo.id }, query: { format: 'svg' } });
  at('2026-02-23T10:44:52.016Z');
  const design = await show('createDesign', key, {
    body: {
      name: 'House style',
      style: {
        dotsType: 'rounded',
        cornersSquareColor: '#0B3D2E',
        dotsGradient: {
          type: 'linear',
          rotation: 45,
          stops: [
            { offset: 0, color: '#0B3D2E' },
            { offset: 1, color: '#1F4E79' },
          ],
        },
        logo: { asset_id: logo.id, size: 'medium', shape: 'circle' },
      },
      frame: { type: 'label-below', text: 'Scan for the menu' },
      is_default: true,
    },
  });
  const params = { id: design.id };
  await show('listDesigns', key);
  await show('getDesign', key, { params });
  await show('updateDesign', key, { params, body: { name: 'House style 2026' } });
  await show('createSheet', key, {
    body: {
      qr_ids: [posterId],
      layout: 'avery-l7160',
      caption: 'short_url',
      copies: 21,
      design_id: design.id,
    },
  });
  await show('zipImages', key, { body: { filter: { status: 'active' }, format: 'svg' } });
  const old = await ask('createDesign', key, { body: { name: 'Draft', style: {} } });
  await show('deleteDesign', key, { params: { id: old.id } });
  const unused = await ask('createAsset', key, { body: { image: logoPng } });
  await show('deleteAsset', key, { params: { id: unused.id } });
}

/** A ring on a dark ground, 64 pixels wide. */
const logoPng =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAAFVUlEQVR4nO2bXUwcVRTHz50tTyyWR20TxUSjEYVtUh9su83ik1trqQ+FmpIIUiPWqPBgjGi0mhZjTKRq1BqLYELTQh8ErV2fhJS2PtiEbRWj0UTapB9vgtAnZK7nP3ZW3J0Z2HvvoN3hl7B77iZk5/zPxz0z2SsogMpUomrOtuuFFCkpKEFSVtGNgBBZIWlSCjlaZlnDU6PZSfLBUwDH8Xn5GpFsppJA9JXFxOteQhQIUJFMNEuyuyXrwMuSgR2dEjGrZWY0O8TLHPz5P8B5m+xeNksWi1iEsWwfXScnQBScd7Fi1qNuJjgCcM0n5ubtcTYjATs9tSpmrUNPYJsonqwdkSRTFCUEfXbt5PlmEU8lUnLeHuGPIkdZzLpdlG+u6SNJj/M6glgdIp6s+V1yG+BV5OD6HxblyRr2P6JgYoy0AMyKAMslwG23rKGHN9bRI8k6XhGtjldQzZ13s0V0/pefaHp2hi2iL8dG6KvTI3ThymVehU+oAlSyk3t27KJdD21jAdbyJ0vnwpVLdPjrL+jDY4dp6ro4YRCaAHD6rWdfoMqKm3ilztTMH/Ti+287YoSBcQGQ6kf2defS2xQok8de6eDMMFsaRgWA0ycOfKIddT+QDVvan3TEMIUxAZrS9XTwpTfYCp+2N1+l/swwW/oYEQCRP9MzwFYw3//6s9Plx7Jn6eLVS7l0RtncevNaSibWO7vEfXfcxZ8Gs6G10UgmaAuAiz99aCAw7eFwV+9BGhv/jleLk1x3P3W2tDmC+IFy2Li7MSeiKtoCIPLIAD900nWxskIGIBN00BIg6AIx2KSf3+1cpA7IhqP7u53ByQsdgYGyABhyfhg44Zv6iIyu8y4QIfPuIbYKQSnc27hFeVhSFqCz5Wn+a2OrEN2oeBGUbegvXb0fsVU8ygJMcPS9xls0vPRzrWyZJ/Nej2djxNhczVmggpIA6PwTAxm2CkHdL7XbF0tQKVQ3plmI4ncEJQGe2dHkzPn5YJ9/4IkGtsLj208HPecE3C98cKyfreJQEsAvFXVqcan49Z7jp0ZoZ2c7W8VhVIAw09/FrwxUe4+SAH7Dj2odFgO+F9+fD7ZcbL3FoiTA7Mlz/FpIfHMtv4aPye9fEUBFgB8HM3z3toatf/NfloDqDqQkQOSboJ8AkdkG/QYh1U5cDEh/lEE+yzoIRX4UBn6NEM5DhDCA8xAhn4tXL9M9DWm2ikdZAL9aBJG4HcYDkQnOAr8nNegF6AkmQNQRfS/w5Kmao7/sD0RAUFTwpMbEM3w4f2TfO75PnnSzTUsA4Hd76qJzgUECA9XhZyHaAmBHONMz6FsKAI2xq+9j530pIOqdzU85734g9Te0Nih1/oVoCwCwL2N/XgyUAwaWsfGzNH1t1lkD/P/q8jg7vJ62bqpz1othqscYEQAslq4m0SmrfIwJABA5dOugctABaY8Zw0TkXYwKANATju4/ENgYVUDD2/lyu3bN52NcABeUBO4XdLMBUcecbyrl8wlNAIBhaQ/fODWlt3mOzUFgvO3P4Ccy/cpDzlIIVYCFoDS2bnrQ6fTICojjlgnSG04i2tghjp/6xniq+7FsAvxfWRGgPFmbJZLFP00sCcQ5/Fh6iFOgnleRQ/z9Y+lEO5HdzesIYnWISueInP0bryKHc2CC3ymShybcIzNs4tBU1Z+2zEopV/Oy5BFCTK+yRCJ3aApUpBLb7Xn7czZLnoJjcy5RODvoe3DSBZkgbdlXauWAtBeWaHYj71IgAEBPmLPtvSXTGLnhlVnWXtQ85eEpgIsjxDxtF2SnJIkqumEmRp7wSE5KskbLYjTk5bjLX0ZRsn3tBhmcAAAAAElFTkSuQmCC';
const logoSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#0B3D2E"/><circle cx="32" cy="32" r="16" fill="none" stroke="#FFFFFF" stroke-width="6"/></svg>';

async function analytics({ show }: Recorder, key: string, id: string): Promise<void> {
  const params = { id };
  const week = { start_date: '2026-03-16', end_date: '2026-03-22', timezone: 'Europe/Berlin' };
  const day = { start_date: '2026-03-22', end_date: '2026-03-22', timezone: 'Europe/Berlin' };
  await show('getAnalytics', key, { params, query: week });
  await show('listScans', key, { params, query: { ...week, page: 1, limit: 3 } });
  await show('getTimeseries', key, { params, query: { ...week, interval: 'day' } });
  await show('getWeekHours', key, { params, query: week });
  await show('exportScans', key, { params, query: { format: 'csv', ...day } });
  await show('exportScans', key, { params, query: { format: 'json', ...day } });
  await show('getAggregateAnalytics', key, { query: { ...week, interval: 'day' } });
  await show('getAggregateWeekHours', key, { query: week });
  await show('getAnalyticsOfQrCode', key, { params, query: week });
}

type Code = { readonly id: string; readonly short_url: string; readonly short_code: string };

/** An endpoint and its first deliveries: of every kind of event, one that fails, and one that is tried again. */
async function webhooks(
  installation: Installation,
  { at, show, ask }: Recorder,
  account: TestAccount,
  menu: Code,
  poster: Code,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { receiver, receiverAnswers, scan, admin } = installation;
  const key = account.live;
  const arrived = (count: number) =>
    waitUntil(`${count} webhooks arrived`, () => receiver.arrivals.length >= count);
  const newest = async () => {
    const query = { limit: 1 };
    return (await ask('listWebhookDeliveries', key, { params, query })).data[0];
  };
  /** Waits until the newest delivery is listed with this status and number of attempts. */
  const listed = async (before: string | null, status: string, attempts: number): Promise<string> => {
    await waitUntil(`a delivery is ${status}`, async () => {
      const delivery = await newest();
      return delivery?.id !== before && delivery?.status === status && delivery.attempts === attempts;
    });
    return (await newest()).id;
  };

  at('2026-03-23T08:41:55.861Z');
  const webhook = await show('createWebhook', key, {
    headers: idempotencyKey('c93d0b1e-7f58-4e26-a1b4-60d2f8e5a917'),
    body: {
      url: `${receiver.url}/signpost`,
      description: 'Loyalty programme',
      events: [...webhookEventKinds],
    },
  });
  const params = { id: webhook.id };

  at('2026-03-23T12:03:41.207Z');
  await scan(menu.short_url);
  await arrived(1);
  const first = await listed(null, 'delivered', 1);

  at('2026-03-23T15:20:16.440Z');
  await admin('suspend-code', poster.short_code, '--reason', 'The page asks visitors for card details.');
  await arrived(2);
  const suspended = await listed(first, 'delivered', 1);
  at('2026-03-23T16:05:33.219Z');
  await admin('release-code', poster.short_code);
  await arrived(3);
  const released = await listed(suspended, 'delivered', 1);

  at('2026-03-24T07:48:09.733Z');
  const accountId = formatId('acct', account.id);
  await admin('suspend-account', accountId, '--reason', 'Several codes lead to pages that imitate a bank.');
  await arrived(4);
  const stopped = await listed(released, 'delivered', 1);
  at('2026-03-24T08:31:50.086Z');
  await admin('release-account', accountId);
  await arrived(5);
  const reopened = await listed(stopped, 'delivered', 1);

  at('2026-03-24T13:14:22.518Z');
  receiverAnswers(503);
  await scan(menu.short_url);
  await arrived(6);
  const failed = await listed(reopened, 'pending', 1);
  at('2026-03-27T17:29:40.377Z');
  await exhaust(installation, failed);
  await arrived(7);
  await waitUntil('it has failed', async () => (await newest()).status === 'failed');

  at('2026-03-28T13:16:47.390Z');
  await scan(poster.short_url);
  await arrived(8);
  const retried = await listed(failed, 'pending', 1);
  await show('listWebhookDeliveries', key, { params, query: { page: 1, limit: 3 } });

  at('2026-03-28T13:17:05.152Z');
  receiverAnswers(204);
  await show('replayWebhookDelivery', key, { params: { id: retried } });
  await waitUntil('it is delivered', async () => {
    const { status, attempt_log } = await ask('getWebhookDelivery', key, { params: { id: retried } });
    return status === 'delivered' && attempt_log.length === 2;
  });
  await show('getWebhookDelivery', key, { params: { id: retried } });

  at('2026-03-28T13:25:30.611Z');
  await show('replayFailedDeliveries', key, { params, body: { since: '2026-03-24T00:00:00Z' } });
  await waitUntil('none is left', async () => {
    const left = await ask('listWebhookDeliveries', key, { params, query: { status: 'failed' } });
    return left.pagination.total === 0;
  });

  at('2026-03-30T09:02:37.948Z');
  await show('testWebhook', key, { params });
  await show('listWebhooks', key);
  await show('getWebhook', key, { params });
  at('2026-03-30T09:10:11.264Z');
  await show('updateWebhook', key, {
    params,
    body: { description: 'Loyalty programme and newsletter', events: ['scan.created', 'qrcode.suspended'] },
  });
  at('2026-03-30T09:14:58.823Z');
  await show('rotateWebhookSecret', key, { params, body: { old_secret_expires_in: 3600 } });
  return { id: webhook.id, secret: webhook.secret };
}

/** Leaves a delivery one attempt, due now: nobody waits here for three days. */
async function exhaust({ fixture }: Installation, deliveryId: string): Promise<void> {
  await fixture.db.query(
    sql(
      'examples-exhaust',
      `update webhook_messages set tries = 10, attempts = 10, next_at = now() where id = $1`,
    ),
    [parseId('msg', deliveryId)],
  );
}
