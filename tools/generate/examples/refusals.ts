import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { formatId } from '../../../apps/server/src/kernel/ids.ts';
import { sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import type { Installation } from './installation.ts';
import type { Recorder } from './recorder.ts';
import type { Told } from './story.ts';

const menu = { name: 'Spring menu', destination_url: 'https://harbour-roasters.example/menu/spring' };
const nobodysCode = { id: 'qr_01kj56q9c8e7wb2m4n6p8r0s2t' };
const nobodysWebhook = { id: 'whk_01kj56q9c8e7wb2m4n6p8r0s2t' };

/** Provokes every code of the error table. The last ones break the installation. */
export async function provokeRefusals(
  installation: Installation,
  recorder: Recorder,
  { account, menuId, deletedId }: Told,
): Promise<void> {
  const { fixture, admin, receiver, clickhouse } = installation;
  const { refuse, refusePath, ask, at } = recorder;
  const key = account.live;
  const params = { id: menuId };

  at('2026-04-02T10:20:31.417Z');
  await refuse('invalid_request', 'createQrCode', key, { body: { name: 'Spring menu' } });
  await refuse('invalid_request', 'listQrCodes', key, { query: { limit: 500 } });
  await refuse('invalid_request', 'getAnalytics', key, { params, query: { start_date: '22.03.2026' } });
  await refuse('invalid_request', 'createWebhook', key, { body: { description: 'Loyalty programme' } });
  await refuse('invalid_json', 'createQrCode', key, { body: '{"name": "Spring menu",' });
  await refuse('invalid_url', 'createQrCode', key, {
    body: { ...menu, destination_url: 'harbour-roasters.example/menu' },
  });
  await refuse('invalid_url', 'createWebhook', key, { body: { url: 'http://10.0.0.8/signpost' } });
  await refuse('invalid_rule', 'createQrCode', key, {
    body: {
      ...menu,
      rules: [
        {
          when: {
            time: { timezone: 'Europe/Berlin', windows: [{ days: ['mon'], from: '11:00', to: '11:00' }] },
          },
          to: [{ url: 'https://harbour-roasters.example/menu/lunch' }],
        },
      ],
    },
  });
  await refuse('invalid_short_code', 'createQrCode', key, { body: { ...menu, short_code: 'spring menu' } });
  await refuse('reserved_short_code', 'createQrCode', key, { body: { ...menu, short_code: 'docs' } });
  await refuse('unscannable_style', 'createQrCode', key, {
    body: { ...menu, style: { dotsColor: '#FAFAF5', backgroundColor: '#FFFFFF' } },
  });
  await refuse('invalid_asset', 'createAsset', key, {
    body: { image: Buffer.from('GIF89a'.repeat(20)).toString('base64') },
  });
  const [logo] = (await ask('listAssets', key)).data;
  await refuse('asset_in_use', 'deleteAsset', key, { params: { id: logo.id } });
  await refuse('unauthorized', 'listQrCodes', null);
  await refuse('not_found', 'getQrCode', key, { params: nobodysCode });
  await refuse('not_found', 'getAnalytics', key, { params: nobodysCode });
  await refuse('not_found', 'getWebhook', key, { params: nobodysWebhook });
  await refusePath('method_not_allowed', 'PUT', '/v1/qrcodes', key);
  await refuse('external_id_taken', 'createQrCode', key, { body: { ...menu, external_id: 'menu-1' } });
  await refuse('immutable_field', 'upsertQrCode', key, {
    params: { id: 'ext:menu-1' },
    body: { ...menu, short_code: 'summer-menu' },
  });
  await refuse('placement_taken', 'createPlacement', key, {
    params,
    body: { key: 'window', name: 'Window of the second shop' },
  });
  await refuse('precondition_failed', 'updateQrCode', key, {
    params,
    headers: { 'If-Match': '"1"' },
    body: { name: 'Autumn menu' },
  });
  const byTag = { filter: { tag: ['Menu'] }, expected_count: 3, set: { active: false } };
  await refuse('count_changed', 'bulkEditQrCodes', key, { body: byTag });
  const large = await fixture.account();
  for (const count of [500, 1])
    await ask('bulkCreateQrCodes', large.live, {
      body: { items: Array.from({ length: count }, () => menu) },
    });
  await refuse('too_many_codes', 'bulkEditQrCodes', large.live, {
    body: { filter: { search: 'Spring' }, expected_count: 501, set: { active: false } },
  });
  await refuse('short_code_taken', 'createQrCode', key, { body: { ...menu, short_code: 'spring-menu' } });
  await refusePath('gone', 'GET', `/images/${deletedId}/public`, null);
  await refuse('payload_too_large', 'createQrCode', key, { body: { ...menu, name: 'x'.repeat(200_000) } });
  await refuse('uri_too_long', 'listQrCodes', key, { query: { status: 'x'.repeat(9_000) } });
  await refuse('unsupported_media_type', 'createQrCode', key, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'name=Spring+menu',
  });

  await admin('block-host', 'free-prizes.example', '--reason', 'Phishing');
  await refuse('destination_blocked', 'createQrCode', key, {
    body: { ...menu, destination_url: 'https://free-prizes.example/win' },
  });

  const draft = await ask('createQrCode', key, { body: { ...menu, status: 'draft' } });
  await refuse('invalid_transition', 'updateQrCode', key, {
    params: { id: draft.id },
    body: { active: false },
  });
  const off = await ask('createWebhook', key, { body: { url: `${receiver.url}/off`, enabled: false } });
  await refuse('invalid_transition', 'testWebhook', key, { params: { id: off.id } });

  const small = await fixture.account('pro');
  await ask('bulkCreateQrCodes', small.live, { body: { items: Array.from({ length: 50 }, () => menu) } });
  await refuse('quota_exceeded', 'createQrCode', small.live, { body: menu });
  const free = await fixture.account('free');
  await refuse('plan_required', 'createWebhook', free.live, {
    body: { url: 'https://hooks.harbour-roasters.example/signpost' },
  });
  for (let calls = 1; calls < 10; calls++) await ask('listQrCodes', free.live);
  await refuse('rate_limit_exceeded', 'listQrCodes', free.live);

  await admin('suspend-account', formatId('acct', small.id), '--reason', 'Codes that lead to phishing.');
  await refuse('forbidden', 'createQrCode', small.live, { body: menu });
  await idempotency(installation, recorder, key);
  await people(installation, recorder);

  // From here on nothing works any more.
  clickhouse.silent = true;
  await refuse('timeout', 'getAnalytics', key, { params });
  await fixture.db.query(
    sql('examples-retain', `update scan_retention set removed_from = '2025-03', retained_from = '2025-12'`),
  );
  await refuse('period_not_retained', 'getTimeseries', key, {
    params,
    query: { start_date: '2025-08-15', end_date: '2026-02-28', interval: 'week' },
  });
  clickhouse.close();
  await refuse('unavailable', 'getAnalytics', key, { params });
  await fixture.db.query(sql('examples-break', 'alter table qr_codes rename to qr_codes_of_before'));
  await refuse('internal_error', 'getQrCode', key, { params });
}

/** What only people are refused with, who sign in to the dashboard. */
async function people({ admin, server, fixture }: Installation, { refusePerson }: Recorder): Promise<void> {
  const email = 'ines@harbour-roasters.example';
  const [, token] = /#token=(\S+)/.exec(await admin('create-user', email, '--name', 'Ines'))!;
  const headers = new Headers({ origin: 'https://qr.example.com' });
  const post = (path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const password = 'correct horse battery';
  await post('/auth/reset-password', { token, password });
  const signedIn = await post('/auth/sign-in', { email, password });
  headers.set(
    'cookie',
    signedIn.headers
      .getSetCookie()
      .map(cookie => cookie.split(';')[0])
      .join('; '),
  );
  await refusePerson('last_owner', 'POST', '/account/leave', headers);
  await fixture.db.query(
    sql(
      'examples-leave',
      `with gone as (delete from members m using auth_users u where u.id = m.user_id and u.email = $1 returning u.id)
       update auth_users u set no_account_at = now() from gone where u.id = gone.id`,
    ),
    [email],
  );
  await refusePerson('no_account', 'GET', '/account/v1/qrcodes', headers);
}

async function idempotency({ fixture }: Installation, { refuse, ask }: Recorder, key: string): Promise<void> {
  const headers = { 'Idempotency-Key': '0d9b6c34-25f7-4a8e-b3c1-7e5a9f2d8c46' };
  const renamed = { ...menu, name: 'Lunch menu' };
  // The first request cannot go on while the table is locked, so that it is still running when the second comes.
  const first = await fixture.db.transaction(async tx => {
    await tx.query(sql('examples-lock', 'lock table qr_codes in exclusive mode'));
    const running = ask('createQrCode', key, { headers, body: menu });
    running.catch(() => undefined);
    await waitUntil('the first request waits', async () => (await tx.query(waiting)).length > 0);
    await refuse('idempotency_in_progress', 'createQrCode', key, { headers, body: menu });
    return { running };
  });
  await first.running;
  await refuse('idempotency_key_reused', 'createQrCode', key, { headers, body: renamed });
}

const waiting = sql(
  'examples-waiting',
  `select 1 from pg_locks l join pg_class c on c.oid = l.relation where c.relname = 'qr_codes' and not l.granted`,
);
