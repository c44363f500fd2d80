import { createTestApi, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
import { type Browser, dashboardEnv, signUp } from '@signpost/testing/people.ts';
import { type SmtpSink, startSmtpSink } from '@signpost/testing/smtp-sink.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/postgres/postgres.ts';

let sink: SmtpSink;
let api: TestApi;

beforeAll(async () => {
  sink = await startSmtpSink();
  api = await createTestApi({ ...dashboardEnv, SMTP_URL: sink.url, DEFAULT_PLAN: roomyPlan });
});
afterAll(async () => {
  await api.close();
  sink.close();
});

const makeCode = async (browser: Browser) => {
  const body = { name: 'Menu', destination_url: 'https://secret-destination.example' };
  return (await browser.call({ method: 'POST', url: '/account/v1/qrcodes', body })).body;
};
const reason = 'Words of a stranger';

test('owners are mailed what was stopped by a command and what was released, without reason or destination', async () => {
  const owner = await signUp(api);
  await api.admin('confirm-email', owner.email);
  const { account } = (await owner.call({ url: '/account/me' })).body;
  const { short_code: name, short_url: link } = await makeCode(owner);
  const mails = () => sink.mails.filter(mail => mail.includes(`To: ${owner.email}`));
  const told = (subject: string) => sink.mail(`To: ${owner.email}`, subject);

  await api.admin('suspend-code', name, '--reason', reason);
  const stopped = await told('Your code was suspended for safety');
  expect(stopped).toContain(link);
  expect(stopped).toContain(`${api.config.publicUrl}/app`);
  await api.admin('release-code', name);
  expect(await told('Your code is no longer suspended')).toContain(link);

  await api.admin('suspend-account', account.id, '--reason', reason);
  await told('Your account was suspended for safety');
  await api.admin('release-account', account.id);
  await told('Your account is no longer suspended');
  for (const mail of mails()) {
    expect(mail).not.toContain(reason);
    expect(mail).not.toContain('secret-destination');
  }
  const unmailed = sql(
    'test-unmailed',
    'select from suspensions where mailed_at is null or release_mailed_at is null',
  );
  expect(await api.api.db.query(unmailed)).toEqual([]);
  // The mail at sign-up, and one for each of the four.
  expect(mails()).toHaveLength(5);
}, 60_000);

test('of a shared account every owner is mailed, and nobody else', async () => {
  const [first, second, admin] = [await signUp(api), await signUp(api), await signUp(api)];
  const { account } = (await first.call({ url: '/account/me' })).body;
  for (const [{ email }, role] of [
    [second, 'owner'],
    [admin, 'admin'],
  ] as const) {
    await api.admin('confirm-email', email);
    await api.admin('create-user', email, '--account', account.id, '--role', role);
  }
  await api.admin('suspend-account', account.id, '--reason', reason);
  for (const { email } of [first, second])
    await sink.mail(`To: ${email}`, 'Your account was suspended for safety');
  await api.admin('release-account', account.id);
  for (const { email } of [first, second])
    await sink.mail(`To: ${email}`, 'Your account is no longer suspended');
  expect(
    sink.mails.filter(mail => mail.includes(`To: ${admin.email}`) && mail.includes('suspended')),
  ).toEqual([]);
}, 60_000);

test('a short link, whose words somebody chose, is mailed to no address that is not confirmed', async () => {
  const owner = await signUp(api);
  const { account } = (await owner.call({ url: '/account/me' })).body;
  const { short_code: name } = await makeCode(owner);
  await api.admin('suspend-code', name, '--reason', reason);
  // What is stopped after it is mailed after whatever came before.
  await api.admin('suspend-account', account.id, '--reason', reason);
  await sink.mail(`To: ${owner.email}`, 'Your account was suspended for safety');
  expect(sink.mails.filter(mail => mail.includes(`To: ${owner.email}`) && mail.includes(name))).toEqual([]);
}, 60_000);

test('a code that was stopped for its host is not mailed', async () => {
  const owner = await signUp(api);
  await makeCode(owner);
  await api.admin('block-host', 'secret-destination.example');
  // What is stopped after it, by hand, is mailed after whatever came before.
  const other = await signUp(api);
  await api.admin('confirm-email', other.email);
  const body = { name: 'x', destination_url: 'https://fine.example' };
  const fine = (await other.call({ method: 'POST', url: '/account/v1/qrcodes', body })).body;
  await api.admin('suspend-code', fine.short_code, '--reason', reason);
  await sink.mail(`To: ${other.email}`, 'was suspended for safety');
  const toOwner = sink.mails.filter(mail => mail.includes(`To: ${owner.email}`));
  expect(toOwner.filter(mail => mail.includes('suspended for safety'))).toEqual([]);
}, 60_000);
