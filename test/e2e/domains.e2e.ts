import type { TestAccount } from '@signpost/testing/api.ts';
import { type Answer, ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';

const host = 'go.own-brand.example';
const [serviceHost, publicHost] = ['sign.service.example', 'api.service.example'];

let fixture: Fixture;
let all: TestServer;
let redirect: TestServer;
let brand: TestAccount;

beforeAll(async () => {
  fixture = await createFixture({
    SHORT_BASE_URL: `https://${serviceHost}`,
    PUBLIC_URL: `https://${publicHost}`,
  });
  [all, redirect] = [await fixture.server({}, 'all'), await fixture.server({}, 'redirect')];
  brand = await fixture.account('business');
  await admin('add-domain', host, '--account', formatId('acct', brand.id));
});
afterAll(() => fixture?.close());

async function admin(...args: string[]): Promise<string> {
  const { code, output } = await runCommand(['admin', ...args], fixture.env);
  expect({ code, output }).toMatchObject({ code: 0 });
  return output;
}

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  ask({ method, url: `${all.url}${path}`, key: brand.live, ...(body === undefined ? {} : { body }) });
const scan = (path: string, on: string, server = redirect) =>
  ask({ url: `${server.url}${path}`, headers: { host: on } });
const create = async (body: object) =>
  (
    await call('POST', '/v1/qrcodes', {
      name: 'Menu',
      destination_url: 'https://own-brand.example/menu',
      ...body,
    })
  ).body;

test('the host of the service occurs in no answer about a code on a domain', async () => {
  const code = await create({
    domain: host,
    short_code: 'leak',
    style: { dotsType: 'rounded' },
    tags: ['Leak'],
  });
  const path = `/v1/qrcodes/${code.id}`;
  const answers: Record<string, Answer> = {
    read: await call('GET', path),
    list: await call('GET', '/v1/qrcodes?include=short_code,domain,placements'),
    edit: await call('PATCH', path, { name: 'Menu 2' }),
    placement: await call('POST', `${path}/placements`, { key: 'window', name: 'Window' }),
    placements: await call('GET', path),
    bulkCreate: await call('POST', '/v1/qrcodes/bulk', {
      items: [{ name: 'Second', destination_url: 'https://own-brand.example/2', domain: host }],
    }),
    bulkEdit: await call('PATCH', '/v1/qrcodes/bulk', { ids: [code.id], set: { note: 'x' } }),
    upsert: await call('PUT', '/v1/qrcodes/ext:leak', {
      name: 'Third',
      destination_url: 'https://own-brand.example/3',
      domain: host,
    }),
    domains: await call('GET', '/v1/domains'),
    svg: await call('GET', `${path}/download?format=svg`),
    pdf: await call('GET', `${path}/download?format=pdf`),
    sheet: await call('POST', '/v1/sheets', { ids: [code.id], layout: 'avery-l7160', caption: 'short_url' }),
    zip: await call('POST', '/v1/images/zip', { ids: [code.id], format: 'svg' }),
    public: await ask({ url: `${all.url}${new URL(code.image_url).pathname}` }),
    report: await ask({ url: `${all.url}/report?link=https://${host}/leak` }),
    preview: await scan('/leak+', host),
    scanned: await scan('/leak', host),
    unknown: await scan('/nobody', host),
    root: await scan('/', host),
    app: await scan('/app', host, all),
    securityTxt: await scan('/.well-known/security.txt', host),
  };
  const missing = ['unknown', 'root', 'app', 'securityTxt'];
  for (const [name, { status, headers, body }] of Object.entries(answers)) {
    if (missing.includes(name)) expect(status, name).toBe(404);
    else expect(status, name).toBeLessThan(400);
    const text = `${JSON.stringify(headers)}${typeof body === 'string' ? body : JSON.stringify(body)}`;
    expect(text.toLowerCase(), name).not.toContain(serviceHost);
  }
  expect(answers.preview!.body).toContain(
    `https://${publicHost}/report?link=${encodeURIComponent(`${host}/leak`)}`,
  );
  expect(answers.report!.body).toContain(`https://${host}/leak`);
});

test('the same short code on the service and on a domain counts, changes and pauses for itself', async () => {
  const here = await create({
    domain: host,
    short_code: 'same',
    destination_url: 'https://own-brand.example/here',
  });
  const there = await create({ short_code: 'same', destination_url: 'https://own-brand.example/there' });
  for (const spelling of [host, host.toUpperCase(), `${host}.:443`])
    expect((await scan('/SAME', spelling)).headers.location).toBe('https://own-brand.example/here');
  expect((await scan('/same', serviceHost)).headers.location).toBe('https://own-brand.example/there');
  await call('PATCH', `/v1/qrcodes/${there.id}`, { active: false });
  expect((await scan('/same', serviceHost)).status).toBe(404);
  expect((await scan('/same', host)).headers.location).toBe('https://own-brand.example/here');
  await call('PATCH', `/v1/qrcodes/${here.id}`, { destination_url: 'https://own-brand.example/moved' });
  expect((await scan('/same', host)).headers.location).toBe('https://own-brand.example/moved');
  const scans = async (id: string) => (await call('GET', `/v1/qrcodes/${id}`)).body.total_scans;
  await waitUntil('all scans are counted', async () => (await scans(here.id)) === 5);
  expect(await scans(there.id)).toBe(1);
});

test('a change of a domain holds on every process when its command has returned', async () => {
  await create({ domain: host, short_code: 'stale' });
  let stale = 0;
  const check = async (expected: (answer: Answer) => boolean, path: string) => {
    for (const server of [all, redirect]) if (!expected(await scan(path, host, server))) stale++;
  };
  for (let i = 0; i < 3; i++) {
    await admin('set-domain', host, '--root-url', `https://own-brand.example/${i}`);
    await check(({ headers }) => headers.location === `https://own-brand.example/${i}`, '/');
  }
  await admin('remove-domain', host, '--release');
  await check(({ status }) => status === 404, '/stale');
  await check(({ status, headers }) => status === 404 && headers.location === undefined, '/');
  await admin('add-domain', host, '--account', formatId('acct', brand.id));
  await check(({ status }) => status === 302, '/stale');
  await admin('block-host', 'own-brand.example');
  await check(({ headers }) => headers.location === undefined, '/');
  await admin('unblock-host', 'own-brand.example');
  expect((await call('GET', '/v1/domains')).body.data[0].root_url).toBeNull();
  expect(stale).toBe(0);
});

test('a proxy may get certificates for the hosts of the service and active domains', async () => {
  const asked = async (name: string) =>
    (await ask({ url: redirect.metricsUrl.replace('/metrics', `/tls-ask?domain=${name}`) })).status;
  expect([await asked(serviceHost), await asked(host), await asked('other.example')]).toEqual([
    200, 200, 404,
  ]);
});
