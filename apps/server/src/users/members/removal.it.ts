import type { AddressInfo } from 'node:net';
import type { Role } from '@signpost/contract';
import { createTestApi, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
import { type Browser, createBrowser, dashboardEnv, goodPassword, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../http/app.ts';
import { sendStream } from '../../http/connections/streams.ts';
import { parseId } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';

let api: TestApi;
/** Lets the file go on to its next chunk. */
let goOn: () => void = () => {};

beforeAll(async () => {
  api = await createTestApi({ ...dashboardEnv, DEFAULT_PLAN: roomyPlan }, { prepare: addFile });
  await api.api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => api.close());

/** An export that stops after its first chunk, until it is let go on. */
function addFile(app: App): void {
  async function* content() {
    yield 'first';
    await new Promise<void>(resolve => {
      goOn = resolve;
    });
    for (let n = 0; n < 3; n++) yield 'more';
  }
  const config = { authScheme: 'session', permission: 'qrcodes:read' } as const;
  const slowReaders = { bytesPerSecond: 1, graceMs: 60_000, onAborted: () => {} };
  app.get('/account/export-in-steps', { config }, (request, reply) =>
    sendStream(request, reply, { type: 'text/csv', headers: {}, content }, slowReaders),
  );
}

type Person = Browser & { readonly email: string };

const accountOf = async (person: Person) =>
  (await person.call({ url: '/account/me' })).body.account.id as string;

/** A person who works in this account, and has one of their own. */
async function anyColleague(account: string, role: Role): Promise<Person> {
  const person = await signUp(api);
  await api.admin('create-user', person.email, '--account', account, '--role', role, '--unconfirmed');
  const browser: Browser = {
    cookies: person.cookies,
    call: options =>
      person.call({ ...options, headers: { 'x-signpost-account': account, ...options.headers } }),
  };
  return { ...browser, email: person.email };
}

async function remove(owner: Person, { email }: Person): Promise<void> {
  const { data } = (await owner.call({ url: '/account/members' })).body;
  const { id } = data.find((member: { email: string }) => member.email === email);
  expect((await owner.call({ method: 'DELETE', url: `/account/members/${id}` })).status).toBe(200);
}

const menu = { name: 'Menu', destination_url: 'https://example.com/a' };

test('an export ends with the next chunk after the removal of the person who reads it, and is no whole file', async () => {
  const owner = await signUp(api);
  const account = await accountOf(owner);
  const { port } = api.api.app.server.address() as AddressInfo;
  const open = async (person: Person) => {
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const origin = new URL(api.config.publicUrl).origin;
    const headers = { cookie, origin, 'x-signpost-account': account };
    const response = await fetch(`http://127.0.0.1:${port}/account/export-in-steps`, { headers });
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('first');
    return reader;
  };
  const colleague = await anyColleague(account, 'viewer');
  const interrupted = await open(colleague);
  await remove(owner, colleague);
  goOn();
  await expect(interrupted.read()).rejects.toThrow();

  const whole = await open(owner);
  goOn();
  let text = '';
  for (let chunk = await whole.read(); !chunk.done; chunk = await whole.read())
    text += Buffer.from(chunk.value).toString();
  expect(text).toBe('moremoremore');
});

test('a key stays valid when the person who created it is removed, leaves or is deleted', async () => {
  const owner = await signUp(api);
  const account = await accountOf(owner);
  const admin = await anyColleague(account, 'admin');
  const made = await admin.call({
    method: 'POST',
    url: '/account/keys',
    body: { name: 'Shop', mode: 'live', current_password: goodPassword },
  });
  expect(made.status).toBe(201);
  const { key } = made.body;
  const isValid = async () => (await api.call({ url: '/v1/qrcodes', key })).status === 200;
  expect(await isValid()).toBe(true);
  await remove(owner, admin);
  expect((await admin.call({ url: '/account/v1/qrcodes' })).status).toBe(404);
  expect(await isValid()).toBe(true);
  await closeOwn(admin);
  expect(await isValid()).toBe(true);
  expect((await owner.call({ url: '/account/keys' })).body.data).toHaveLength(1);
});

test('the history names nobody who has left the account', async () => {
  const owner = await signUp(api);
  const account = await accountOf(owner);
  const editor = await anyColleague(account, 'editor');
  await editor.call({ method: 'PATCH', url: '/account/me', body: { name: 'Edith' } });
  const { id } = (await editor.call({ method: 'POST', url: '/account/v1/qrcodes', body: menu })).body;
  await editor.call({ method: 'PATCH', url: `/account/v1/qrcodes/${id}`, body: { name: 'Lunch' } });
  await owner.call({ method: 'PATCH', url: `/account/v1/qrcodes/${id}`, body: { name: 'Dinner' } });
  const authors = async () =>
    (await owner.call({ url: `/account/qrcodes/${id}/history` })).body.data.map(
      ({ by }: { by: { kind: string; name: string } }) => `${by.kind} ${by.name}`,
    );
  expect(await authors()).toEqual(['user Somebody', 'user Edith', 'user Edith']);
  await remove(owner, editor);
  const left = ['user Somebody', 'user A person who left', 'user A person who left'];
  expect(await authors()).toEqual(left);
  await closeOwn(editor);
  expect(await rows('select 1 from auth_users where email = $1', [editor.email])).toEqual([]);
  expect(await authors()).toEqual(left);
});

test('evidence of a suspended code has the person who made it, also after they left and were deleted', async () => {
  const owner = await signUp(api);
  const account = await accountOf(owner);
  const editor = await anyColleague(account, 'editor');
  const code = (await editor.call({ method: 'POST', url: '/account/v1/qrcodes', body: menu })).body;
  await api.admin('suspend-code', code.short_code, '--reason', 'Phishing');
  expect((await editor.call({ method: 'POST', url: '/account/leave', body: {} })).status).toBe(200);
  await closeOwn(editor);
  expect((await owner.call({ method: 'DELETE', url: `/account/v1/qrcodes/${code.id}` })).status).toBe(200);
  const kept = await rows(`select evidence->>'maker' as maker from suspensions where qr_code_id = $1`, [
    parseId('qr', code.id),
  ]);
  expect(kept).toEqual([{ maker: editor.email }]);
});

const rows = (text: string, values: readonly unknown[]) =>
  api.api.db.query<Record<string, unknown>>(sql('', text), values);

/** Of what is left, the person's own account: with it the person is deleted. */
async function closeOwn({ email }: Person): Promise<void> {
  const browser = createBrowser(api);
  const signedIn = await browser.call({
    method: 'POST',
    url: '/auth/sign-in',
    body: { email, password: goodPassword },
  });
  expect(signedIn.status).toBe(200);
  const body = { confirmation: email, current_password: goodPassword };
  expect((await browser.call({ method: 'POST', url: '/account/close', body })).status).toBe(200);
}
