import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../kernel/ids.ts';

let api: TestApi;
let brand: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  api = await createTestApi();
  brand = await api.account('business');
  other = await api.account('business');
});
afterAll(() => api?.close());

const menu = { name: 'Menu', destination_url: 'https://brand.example/menu' };
let n = 0;
const newHost = () => `go${++n}.brand.example`;
const add = (host: string, account = brand) =>
  api.admin('add-domain', host, '--account', formatId('acct', account.id));
const create = (body: object, key = brand.live) =>
  api.call({ method: 'POST', url: '/v1/qrcodes', key, body: { ...menu, ...body } });
const list = async (key = brand.live) => (await api.call({ url: '/v1/domains', key })).body.data;
const get = async (id: string) => (await api.call({ url: `/v1/qrcodes/${id}`, key: brand.live })).body;

describe('a code on a domain', () => {
  test('has its short link there, however the host is written, and says so when it is read', async () => {
    const host = newHost();
    await add(host.toUpperCase());
    const { status, body } = await create({ short_code: 'Menu', domain: `${host.toUpperCase()}.` });
    expect([status, body.domain, body.short_url]).toEqual([201, host, `https://${host}/Menu`]);
    expect((await get(body.id)).domain).toBe(host);
    const plain = await create({});
    expect([plain.body.domain, plain.body.short_url]).toEqual([
      null,
      `https://sign.example/${plain.body.short_code}`,
    ]);
  });

  test('has a short code that is unique there and nowhere else, ignoring case', async () => {
    const [first, second] = [newHost(), newHost()];
    await add(first);
    await add(second, other);
    const statuses = async (...wanted: [string | null, string][]) => {
      const found = [];
      for (const [domain, key] of wanted)
        found.push((await create({ short_code: 'same-name', domain }, key)).status);
      return found;
    };
    expect(
      await statuses([null, brand.live], [first, brand.live], [second, other.live], [first, brand.live]),
    ).toEqual([201, 201, 201, 409]);
    const twice = { ...menu, short_code: 'Twice' };
    const bulk = await api.call({
      method: 'POST',
      url: '/v1/qrcodes/bulk',
      key: brand.live,
      body: { items: [twice, { ...twice, domain: first }, { ...twice, short_code: 'twice', domain: first }] },
    });
    expect(bulk.body.data.map(({ status }: { status: string }) => status)).toEqual([
      'created',
      'created',
      'failed',
    ]);
  });

  test('is refused on a domain of another account, one that nobody has, and in test mode', async () => {
    const host = newHost();
    await add(host);
    for (const [domain, key] of [
      [host, other.live],
      ['nobody.example', brand.live],
      ['not a host', brand.live],
      [host, brand.test],
    ] as const) {
      const { status, body } = await create({ domain }, key);
      expect([status, body.error.param], `${domain}`).toEqual([400, 'domain']);
    }
    expect((await create({ domain: null }, brand.test)).status).toBe(201);
  });

  test('stays on it: an update and an upsert refuse another', async () => {
    const host = newHost();
    await add(host);
    const put = (body: object) =>
      api.call({
        method: 'PUT',
        url: '/v1/qrcodes/ext:stays',
        key: brand.live,
        body: { ...menu, ...body },
      });
    const { body: code } = await put({ domain: host });
    expect(code.domain).toBe(host);
    expect((await put({ domain: `${host}.` })).status).toBe(200);
    expect((await put({})).body.domain).toBe(host);
    const moved = await put({ domain: null });
    expect([moved.status, moved.body.error.code, moved.body.error.param]).toEqual([
      409,
      'immutable_field',
      'domain',
    ]);
    const patch = (body: object) =>
      api.call({ method: 'PATCH', url: `/v1/qrcodes/${code.id}`, key: brand.live, body });
    expect((await patch({ ...code, name: 'Renamed' })).status).toBe(200);
    expect((await patch({ domain: null })).status).toBe(400);
  });

  test('is found by its domain, and by its short code beside one of the service', async () => {
    const host = newHost();
    await add(host);
    const { body: here } = await create({ domain: host, short_code: `found-${n}`, tags: ['Found'] });
    const { body: there } = await create({ short_code: `found-${n}`, tags: ['Found'] });
    const find = async (query: string) =>
      (await api.call({ url: `/v1/qrcodes?${query}&include=domain`, key: brand.live })).body.data.map(
        ({ id, domain }: { id: string; domain: string }) => [id, domain],
      );
    expect(await find(`domain=${host.toUpperCase()}`)).toEqual([[here.id, host]]);
    expect(await find(`domain=${host}&tag=Found`)).toEqual([[here.id, host]]);
    expect(await find(`short_code=found-${n}`)).toEqual([
      [there.id, null],
      [here.id, host],
    ]);
    expect(await find(`short_code=FOUND-${n}&domain=${host}`)).toEqual([[here.id, host]]);
    expect(await find('domain=nobody.example')).toEqual([]);
  });

  test('can be reclaimed by its account after it was deleted', async () => {
    const host = newHost();
    await add(host);
    const { body } = await create({ domain: host, short_code: 'again' });
    await api.call({ method: 'DELETE', url: `/v1/qrcodes/${body.id}`, key: brand.live });
    expect((await create({ domain: host, short_code: 'again' })).status).toBe(409);
    const again = await create({ domain: host, short_code: 'again', reclaim: true });
    expect([again.status, again.body.short_url]).toEqual([201, `https://${host}/again`]);
  });
});

describe('a domain', () => {
  test('is listed for its account alone, with what the operator has set', async () => {
    const account = await api.account('business');
    const host = newHost();
    await add(host, account);
    await api.admin('set-domain', host, '--root-url', 'https://brand.example/', '--default');
    await create({ domain: host }, account.live);
    const [domain, ...more] = await list(account.live);
    expect(more).toEqual([]);
    expect(domain).toMatchObject({
      host,
      status: 'active',
      is_default: true,
      root_url: 'https://brand.example/',
      not_found_url: null,
      qr_codes: 1,
    });
    expect(await list(account.test)).toEqual([domain]);
    expect((await list()).some((one: { host: string }) => one.host === host)).toBe(false);
    await api.admin(
      'set-domain',
      host,
      '--root-url',
      'none',
      '--not-found-url',
      'https://brand.example/lost',
    );
    expect((await list(account.live))[0]).toMatchObject({
      root_url: null,
      not_found_url: 'https://brand.example/lost',
    });
    expect(await api.admin('list-domains', '--account', formatId('acct', account.id))).toContain(
      `${host}  ${formatId('acct', account.id)}  active  default  codes 1`,
    );
  });

  test('is the default instead of the one before', async () => {
    const account = await api.account('business');
    const [first, second] = [newHost(), newHost()];
    for (const host of [first, second]) {
      await add(host, account);
      await api.admin('set-domain', host, '--default');
    }
    const defaults = (await list(account.live)).filter((one: { is_default: boolean }) => one.is_default);
    expect(defaults.map((one: { host: string }) => one.host)).toEqual([second]);
  });

  test('is the only default, also where several are made it at once', async () => {
    const account = await api.account('business');
    const hosts = Array.from({ length: 6 }, newHost);
    for (const host of hosts) await add(host, account);
    for (let round = 0; round < 3; round++) {
      await Promise.all(hosts.map(host => api.admin('set-domain', host, '--default')));
      expect(
        (await list(account.live)).filter((one: { is_default: boolean }) => one.is_default),
      ).toHaveLength(1);
    }
  });

  test('with codes is removed only as a release, and returns to the account that had it, and to no other', async () => {
    const host = newHost();
    await add(host);
    const { body: code } = await create({ domain: host, short_code: 'kept' });
    await expect(api.admin('remove-domain', host)).rejects.toThrow(/1 code is on/);
    await api.admin('remove-domain', host, '--release');
    expect((await create({ domain: host })).status).toBe(400);
    expect((await get(code.id)).short_url).toBe(`https://${host}/kept`);
    await expect(add(host, other)).rejects.toThrow(/1 code is on/);
    await add(host);
    expect((await list()).find((one: { host: string }) => one.host === host)).toMatchObject({
      status: 'active',
      qr_codes: 1,
    });
    expect((await create({ domain: host, short_code: 'kept' })).status).toBe(409);
  });

  test('without codes may go to another account, which never gets a short code that was used', async () => {
    const host = newHost();
    await add(host);
    await expect(add(host, other)).rejects.toThrow(/of another account/);
    const { body: code } = await create({ domain: host, short_code: 'printed' });
    await api.call({ method: 'DELETE', url: `/v1/qrcodes/${code.id}`, key: brand.live });
    await api.admin('set-domain', host, '--root-url', 'https://brand.example/');
    await api.admin('remove-domain', host);
    await add(host, other);
    const [domain] = (await list(other.live)).filter((one: { host: string }) => one.host === host);
    expect(domain.root_url).toBeNull();
    for (const reclaim of [false, true])
      expect((await create({ domain: host, short_code: 'printed', reclaim }, other.live)).status).toBe(409);
    expect((await create({ domain: host, short_code: 'fresh' }, other.live)).status).toBe(201);
  });

  test('is no host of the service and no address, and belongs to an account that is there', async () => {
    for (const host of [
      'sign.example',
      'api.signpost.example',
      '10.0.0.1',
      '[::1]',
      'a',
      'https://go.example',
      '',
    ])
      await expect(add(host), host).rejects.toThrow();
    await expect(api.admin('add-domain', newHost(), '--account', 'acct_none')).rejects.toThrow(/account id/);
    await expect(
      api.admin('add-domain', newHost(), '--account', 'acct_01j2jx4z0yfay8vvr14d2pf2db'),
    ).rejects.toThrow(/No account/);
  });

  test('never leads to what no code may lead to', async () => {
    const host = newHost();
    await add(host);
    await api.admin('block-host', 'evil.example');
    for (const url of [
      'https://login.evil.example/',
      'https://sign.example/menu',
      'javascript:alert(1)',
      'https://user@brand.example/',
      'brand.example',
    ])
      await expect(api.admin('set-domain', host, '--not-found-url', url), url).rejects.toThrow();
    expect((await list()).find((one: { host: string }) => one.host === host).not_found_url).toBeNull();
  });

  test('is no place for a code or a domain to lead to: scanners would go round in circles', async () => {
    const host = newHost();
    const looping = `https://${host.toUpperCase()}./menu`;
    const { body: earlier } = await create({ destination_url: looping });
    await add(host);
    const patch = (body: object) =>
      api.call({ method: 'PATCH', url: `/v1/qrcodes/${earlier.id}`, key: brand.live, body });
    const refused = { status: 400, body: { error: { code: 'invalid_url', param: 'destination_url' } } };
    expect(await create({ destination_url: looping })).toMatchObject(refused);
    expect(await create({ destination_url: `https://${host}/`, domain: host })).toMatchObject(refused);
    expect(await patch({ destination_url: `https://${host}/other` })).toMatchObject(refused);
    // What was there before the domain can be saved again.
    expect((await patch({ destination_url: looping, name: 'As before' })).status).toBe(200);
    expect((await create({ destination_url: `https://www.${host}/` })).status).toBe(201);
    await expect(api.admin('set-domain', host, '--root-url', `https://${host}/`)).rejects.toThrow(
      /short link/,
    );
    await api.admin('remove-domain', host);
    expect((await create({ destination_url: looping })).status).toBe(201);
  });

  test('leads no more to a host that is blocked or a URL that is listed, which operators still see', async () => {
    const host = newHost();
    await add(host);
    const [root, lost] = ['https://login.bad.example/', 'https://listed.example/lure'];
    await api.admin('set-domain', host, '--root-url', root, '--not-found-url', lost);
    expect(await api.admin('who', 'https://bad.example/x')).toContain(
      `leads to ${root} without a short code`,
    );
    await api.admin('block-host', 'bad.example');
    const read = async () => (await list()).find((one: { host: string }) => one.host === host);
    expect(await read()).toMatchObject({ root_url: null, not_found_url: lost });
    const file = join(mkdtempSync(join(tmpdir(), 'signpost-list-')), 'list.txt');
    writeFileSync(file, `${lost}\n`);
    await api.admin('import-list', file, '--name', 'domains', '--format', 'urls');
    expect(await read()).toMatchObject({ root_url: null, not_found_url: null });
    expect(await api.admin('who', root)).toMatch(/led until .* to https:\/\/login.bad.example/);
    expect(await api.admin('who', `https://${host}`)).toContain(`${host} is a domain of`);
  });

  test('of a closed account is released with what it leads to', async () => {
    const account = await api.account('business');
    const host = newHost();
    await add(host, account);
    await api.admin('set-domain', host, '--root-url', 'https://brand.example/');
    const id = formatId('acct', account.id);
    await api.admin('close-account', id, '--yes');
    expect(await api.admin('list-domains', '--account', id)).toMatch(
      new RegExp(`^${host}  ${id}  released  codes 0\\s*$`),
    );
    await add(host, other);
  });

  test('is released while codes are created on it: none is created afterwards', async () => {
    const host = newHost();
    await add(host);
    const created = Promise.all(Array.from({ length: 12 }, () => create({ domain: host })));
    await api.admin('remove-domain', host, '--release');
    const statuses = (await created).map(({ status }) => status);
    expect(statuses.every(status => status === 201 || status === 400)).toBe(true);
    const [domain] = (await list()).filter((one: { host: string }) => one.host === host);
    expect(domain.qr_codes).toBe(statuses.filter(status => status === 201).length);
    expect((await create({ domain: host })).status).toBe(400);
  });
});
