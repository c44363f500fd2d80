import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { mmdbFile } from '@signpost/testing/mmdb.ts';
import { type Browser, dashboardEnv, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../platform/postgres/postgres.ts';

let api: TestApi;
let owner: TestAccount;
let browser: Browser;

beforeAll(async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'signpost-places-')), 'city.mmdb');
  const munich = { country_code: 'DE', state1: 'Bavaria', city: 'Munich' };
  writeFileSync(file, mmdbFile({ '192.0.2.0/24': munich }));
  api = await createTestApi({ ...dashboardEnv, GEOIP_FILES: file });
  owner = await api.account();
  browser = await signUp(api);
});
afterAll(() => api.close());

const create = async (more: object = {}) =>
  await api.call({
    method: 'POST',
    url: '/v1/qrcodes',
    key: owner.live,
    body: { name: 'Menu', destination_url: 'https://fine.example/', ...more },
  });
const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  api.call({ method: 'PATCH', url: `/v1/qrcodes/${id}`, key: owner.live, body, headers });
const get = (id: string) => api.call({ url: `/v1/qrcodes/${id}`, key: owner.live });
const tryRules = (id: string, body: object = {}) =>
  api.call({ method: 'POST', url: `/v1/qrcodes/${id}/rules/test`, key: owner.live, body });

const lunch = {
  name: 'Lunch',
  when: {
    time: {
      timezone: 'Europe/Berlin',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '11:00', to: '14:30' }],
    },
  },
  to: [{ url: 'https://fine.example/lunch' }],
};
const german = { when: { language: ['de'] }, to: [{ url: 'https://fine.example/de', label: 'German' }] };

describe('the routing of a code', () => {
  test('has its defaults where nothing is said, and comes back as it was sent', async () => {
    const plain = (await create()).body;
    expect(plain).toMatchObject({
      rules: [],
      fallback_url: null,
      starts_at: null,
      expires_at: null,
      max_scans: null,
      forward_query: false,
      append_query: {},
      revision: 0,
      placements: [],
    });
    const routing = {
      fallback_url: 'https://fine.example/closed',
      starts_at: '2026-01-01T00:00:00+01:00',
      expires_at: '2099-01-01T00:00:00Z',
      max_scans: 1000,
      forward_query: true,
      append_query: { utm_source: 'qr', a: '{country}' },
    };
    const { status, body } = await create({ ...routing, rules: [lunch, german] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...routing,
      starts_at: '2025-12-31T23:00:00.000Z',
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    expect(Object.keys(body.append_query)).toEqual(['utm_source', 'a']);
    expect(body.rules).toEqual([
      {
        id: expect.stringMatching(/^rul_/),
        name: 'Lunch',
        active: true,
        when: lunch.when,
        unless: {},
        to: [{ id: expect.stringMatching(/^tgt_/), url: 'https://fine.example/lunch', weight: 1, label: '' }],
      },
      expect.objectContaining({ name: '', to: [expect.objectContaining({ label: 'German' })] }),
    ]);
    expect((await get(body.id)).body).toEqual(body);
    const cleared = await patch(body.id, {
      rules: null,
      fallback_url: null,
      starts_at: null,
      expires_at: null,
      max_scans: null,
      forward_query: false,
      append_query: null,
    });
    expect(cleared.body).toMatchObject({ ...plain, ...pickOf(cleared.body), revision: 1 });
  });

  /** What differs between any two codes. */
  const pickOf = ({
    id,
    short_code,
    short_url,
    image_url,
    created_at,
    updated_at,
  }: Record<string, unknown>) => ({
    id,
    short_code,
    short_url,
    image_url,
    created_at,
    updated_at,
  });

  test('keeps ids that are sent back, and knows those of before an edit that is undone', async () => {
    const { body: code } = await create({ rules: [lunch, german] });
    const [first, second] = code.rules;
    const { body: swapped } = await patch(code.id, { rules: [second, { ...first, name: 'Noon' }] });
    expect(swapped.rules).toEqual([second, { ...first, name: 'Noon' }]);
    const { body: gone } = await patch(code.id, { rules: [] });
    expect(gone.rules).toEqual([]);
    const undone = await patch(code.id, { rules: swapped.rules });
    expect(undone.status).toBe(200);
    expect(undone.body.rules).toEqual(swapped.rules);
  });

  test.each([
    ['an id of another code', (other: string) => [{ ...german, id: other }], 'rules.0.id'],
    [
      'a window that is empty',
      () => [withWindow({ from: '11:00', to: '11:00' })],
      'rules.0.when.time.windows.0.from',
    ],
    [
      'a time of 24:00 at the beginning',
      () => [lunch, withWindow({ from: '24:00' })],
      'rules.1.when.time.windows.0.from',
    ],
    [
      'a time zone that does not exist',
      () => [{ ...lunch, when: { time: { ...lunch.when.time, timezone: 'Mars/Base' } } }],
      'rules.0.when.time.timezone',
    ],
    ['an unknown condition', () => [{ ...german, when: { moon: ['full'] } }], 'rules.0.when.moon'],
    [
      'a day that does not exist',
      () => [{ ...german, when: { date: { from: '2026-02-30T00:00:00Z' } } }],
      'rules.0.when.date.from',
    ],
    ['no target', () => [{ ...german, to: [] }], 'rules.0.to'],
    ['too many rules', () => Array.from({ length: 51 }, () => german), 'rules'],
    [
      'too many bytes',
      () =>
        Array.from({ length: 40 }, () => ({
          ...german,
          to: [{ url: `https://fine.example/${'x'.repeat(2000)}` }],
        })),
      'rules',
    ],
  ])('is refused with %s', async (_, rulesOf, param) => {
    const other = (await create({ rules: [german] })).body;
    const { body: code } = await create();
    const { status, body } = await patch(code.id, { rules: rulesOf(other.rules[0].id) });
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({
      status: 400,
      code: 'invalid_rule',
      param,
    });
    expect((await get(code.id)).body).toEqual(code);
  });
  const withWindow = (window: object) => ({
    ...lunch,
    when: { time: { ...lunch.when.time, windows: [{ ...lunch.when.time.windows[0], ...window }] } },
  });

  test.each([
    [{ append_query: { a: '{scan_id}' } }, 'append_query.a'],
    [{ starts_at: '2026-02-01T00:00:00Z', expires_at: '2026-02-01T00:00:00Z' }, 'expires_at'],
    [{ starts_at: '2026-02-30T00:00:00Z' }, 'starts_at'],
    [{ starts_at: '2026-02-01' }, 'starts_at'],
    [{ max_scans: 0 }, 'max_scans'],
  ])('is refused with %j', async (more, param) => {
    const { status, body } = await create(more);
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({
      status: 400,
      code: 'invalid_request',
      param,
    });
  });

  test('leads to no blocked host and not back to the service, whatever field says so', async () => {
    await api.admin('block-host', 'blocked.example');
    const own = new URL(api.config.shortBaseUrl).href;
    for (const [url, code, status] of [
      ['https://a.blocked.example/', 'destination_blocked', 403],
      [`${own}abc`, 'invalid_url', 400],
      ['https://user@fine.example/', 'invalid_url', 400],
    ] as const) {
      for (const [more, param] of [
        [{ fallback_url: url }, 'fallback_url'],
        [{ rules: [german, { to: [{ url: 'https://fine.example' }, { url }] }] }, 'rules.1.to.1.url'],
      ] as const) {
        const made = await create(more);
        expect({ status: made.status, code: made.body.error.code, param: made.body.error.param }).toEqual({
          status,
          code,
          param,
        });
        const { body: plain } = await create();
        const edited = await patch(plain.id, more);
        expect([edited.status, edited.body.error.code, edited.body.error.param]).toEqual([
          status,
          code,
          param,
        ]);
      }
    }
  });

  test('is in the search for hosts: a host that is blocked later suspends the code', async () => {
    const { body: code } = await create({ rules: [{ to: [{ url: 'https://later.example/' }] }] });
    await api.admin('block-host', 'later.example');
    expect((await get(code.id)).body.availability.state).toBe('suspended');
    // What it is already needs no permission; to resume it does.
    expect((await patch(code.id, { active: true })).status).toBe(200);
    await patch(code.id, { active: false });
    const { body: blocked } = await patch(code.id, { active: true });
    expect(blocked.error.code).toBe('destination_blocked');
  });
});

test('an edit that is based on an older revision changes nothing', async () => {
  const { body: code } = await create();
  const { body: renamed } = await patch(code.id, { name: 'One' }, { 'if-match': '"0"' });
  expect(renamed.revision).toBe(1);
  const late = await patch(code.id, { name: 'Two' }, { 'if-match': '"0"' });
  expect([late.status, late.body.error.code]).toEqual([412, 'precondition_failed']);
  expect((await patch(code.id, { name: 'Two' }, { 'if-match': '"x"' })).status).toBe(400);
  expect((await patch(code.id, { name: 'Three' }, { 'if-match': '*' })).body).toMatchObject({
    name: 'Three',
    revision: 2,
  });
});

describe('availability', () => {
  test('follows the schedule and the limit, also in lists that ask for it', async () => {
    const later = (await create({ starts_at: '2090-01-01T00:00:00Z' })).body;
    expect(later).toMatchObject({
      status: 'active',
      active: true,
      availability: { state: 'scheduled', since: null },
    });
    const ended = (await create({ expires_at: '2020-01-01T00:00:00Z' })).body;
    expect(ended.availability).toEqual({ state: 'ended', since: '2020-01-01T00:00:00.000Z', reason: null });
    const { body: list } = await api.call({
      url: '/v1/qrcodes?include=availability&limit=2',
      key: owner.live,
    });
    expect(list.data.map(({ availability }: { availability: object }) => availability)).toEqual([
      ended.availability,
      later.availability,
    ]);
    const { body: bare } = await api.call({ url: '/v1/qrcodes?limit=1', key: owner.live });
    expect(bare.data[0]).not.toHaveProperty('availability');
  });
});

describe('the history', () => {
  test('has one entry for the rules, by which they can be undone', async () => {
    const made = await browser.call({
      method: 'POST',
      url: '/account/v1/qrcodes',
      body: { name: 'x', destination_url: 'https://fine.example/', rules: [german] },
    });
    const url = `/account/v1/qrcodes/${made.body.id}`;
    await browser.call({ method: 'PATCH', url, body: { rules: [lunch], max_scans: 5 } });
    const history = await browser.call({ method: 'GET', url: `/account/qrcodes/${made.body.id}/history` });
    const fields = history.body.data.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['created', 'max_scans', 'rules']);
    const edit = history.body.data.find(({ field }: { field: string }) => field === 'rules');
    const undone = await browser.call({ method: 'PATCH', url, body: { rules: JSON.parse(edit.from) } });
    expect(undone.body.rules).toEqual(made.body.rules);
  });

  test('keeps at most about 1 MiB of rules', async () => {
    const { body: code } = await create();
    const long = (n: number) => ({
      when: {},
      name: `${n}`,
      to: [{ url: `https://fine.example/${'x'.repeat(4000)}` }],
    });
    for (let n = 0; n < 24; n++)
      expect((await patch(code.id, { rules: Array.from({ length: 14 }, () => long(n)) })).status).toBe(200);
    const [row] = await api.api.db.query<{ bytes: number }>(
      sql(
        'bytes-of-edits',
        `select sum(length(before) + length(after)) as bytes from code_edits where field = 'rules'`,
      ),
    );
    expect(row!.bytes).toBeLessThan(1.2 * 1024 * 1024);
    expect(row!.bytes).toBeGreaterThan(0.8 * 1024 * 1024);
  });
});

describe('a test of rules', () => {
  test('says which rule decides and why, and saves nothing', async () => {
    const { body: code } = await create({ rules: [lunch, german] });
    const noon = (await tryRules(code.id, { at: '2026-11-17T12:00:00+01:00' })).body;
    expect(noon).toEqual({
      outcome: 'target',
      rule_id: code.rules[0].id,
      target_id: code.rules[0].to[0].id,
      rule_index: 0,
      url: 'https://fine.example/lunch',
      because: [
        'Rule 1 (Lunch) applies: time 2026-11-17T11:00:00.000Z is in [mon tue wed thu fri 11:00 to 14:30] of Europe/Berlin',
      ],
      reasons: [
        {
          code: 'rule_applies',
          rule_index: 0,
          rule_name: 'Lunch',
          conditions: [
            {
              name: 'time',
              holds: true,
              value: '2026-11-17T11:00:00.000Z',
              wanted: ['mon tue wed thu fri 11:00 to 14:30'],
              wanted_count: 1,
              time_zone: 'Europe/Berlin',
            },
          ],
        },
      ],
      warnings: [],
      warning_details: [],
    });
    const evening = (
      await tryRules(code.id, { at: '2026-11-17T20:00:00+01:00', language: 'de-AT, en;q=0.8' })
    ).body;
    expect(evening).toMatchObject({ rule_index: 1, url: 'https://fine.example/de' });
    const french = (await tryRules(code.id, { at: '2026-11-17T20:00:00+01:00', language: 'fr' })).body;
    expect(french).toMatchObject({
      outcome: 'target',
      rule_id: null,
      target_id: null,
      url: 'https://fine.example/',
    });
    expect(french.because.at(-1)).toContain('No rule applies');
    expect(french.reasons.map(({ code }: { code: string }) => code)).toEqual([
      'rule_fails',
      'rule_fails',
      'no_rule',
    ]);
    const drafted = (
      await tryRules(code.id, {
        rules: [{ when: { country: ['DE'] }, to: [{ url: 'https://fine.example/x' }] }],
        country: 'DE',
      })
    ).body;
    expect(drafted).toMatchObject({
      outcome: 'target',
      rule_id: null,
      rule_index: 0,
      url: 'https://fine.example/x',
    });
    expect((await get(code.id)).body).toEqual(code);
  });

  test('says where scanners go while the code is off', async () => {
    const fallback_url = 'https://fine.example/closed';
    const { body: code } = await create({ fallback_url, starts_at: '2090-01-01T00:00:00Z' });
    expect((await tryRules(code.id)).body).toMatchObject({ outcome: 'fallback', url: fallback_url });
    expect((await tryRules(code.id, { at: '2091-01-01T00:00:00Z' })).body).toMatchObject({
      outcome: 'target',
    });
    const { body: paused } = await create({ status: 'draft', fallback_url });
    expect((await tryRules(paused.id)).body).toMatchObject({ outcome: 'page', url: null });
  });

  test('refuses what could not be saved', async () => {
    const { body: code } = await create();
    const refused = await tryRules(code.id, { rules: [{ to: [{ url: 'https://blocked.example/' }] }] });
    expect(refused.body.error.code).toBe('destination_blocked');
    expect((await tryRules(code.id, { rules: [withTwoTimes] })).body.error.code).toBe('invalid_rule');
  });
  const withTwoTimes = {
    when: { time: { timezone: 'UTC', windows: [{ days: ['mon'], from: '10:00', to: '10:00' }] } },
    to: [{ url: 'https://fine.example' }],
  };
});

test('an upsert sets rules in a new code and in one that exists', async () => {
  const put = (body: object) =>
    api.call({
      method: 'PUT',
      url: '/v1/qrcodes/ext:rules-1',
      key: owner.live,
      body: { name: 'x', destination_url: 'https://fine.example/', ...body },
    });
  const made = await put({ rules: [german], max_scans: 7 });
  expect([made.status, made.body.rules.length, made.body.max_scans]).toEqual([201, 1, 7]);
  const kept = await put({});
  expect(kept.body).toMatchObject({ rules: made.body.rules, max_scans: 7 });
  const changed = await put({ rules: [made.body.rules[0], lunch], max_scans: null });
  expect([changed.status, changed.body.rules.length, changed.body.max_scans]).toEqual([200, 2, null]);
  expect(changed.body.rules[0]).toEqual(made.body.rules[0]);
});

describe('warnings', () => {
  const to = [{ url: 'https://fine.example/near' }];
  const rules = [
    { when: { country: ['ZZ'] }, to },
    { name: 'Window', when: { placement: ['window'], language: ['German'] }, to },
  ];
  const warnings = [
    expect.stringMatching(/^Rule 1: .*ZZ/),
    expect.stringMatching(/^Rule 2 \(Window\): German/),
    expect.stringMatching(/^Rule 2 \(Window\): .*placement window/),
  ];

  test('of rules that can never match come with every save and every test of them, and refuse nothing', async () => {
    const { status, body: code } = await create({ rules });
    expect([status, code.warnings]).toEqual([201, warnings]);
    expect((await tryRules(code.id)).body.warnings).toEqual(warnings);
    const saved = await patch(code.id, { rules });
    expect([saved.status, saved.body.warnings]).toEqual([200, warnings]);
    const named = { name: 'Menu', destination_url: 'https://fine.example/', rules };
    const put = await api.call({
      method: 'PUT',
      url: '/v1/qrcodes/ext:warned',
      key: owner.live,
      body: named,
    });
    expect([put.status, put.body.warnings]).toEqual([201, warnings]);
    const bulk = {
      method: 'POST',
      url: '/v1/qrcodes/bulk',
      key: owner.live,
      body: { items: [named] },
    } as const;
    expect((await api.call(bulk)).body.data[0].qr_code.warnings).toEqual(warnings);
    expect((await get(code.id)).body).not.toHaveProperty('warnings');
    expect((await patch(code.id, { name: 'Other' })).body).not.toHaveProperty('warnings');
    const placed = {
      url: `/v1/qrcodes/${code.id}/placements`,
      key: owner.live,
      body: { key: 'window', name: 'W' },
    };
    await api.call({ method: 'POST', ...placed });
    expect((await patch(code.id, { rules })).body.warnings).toEqual(warnings.slice(0, 2));
    expect((await patch(code.id, { rules: [] })).body).not.toHaveProperty('warnings');
  });

  test('of a place come with the save too', async () => {
    const wrong = { when: { city: [{ country: 'DE', city: 'München' }] }, to };
    // The names are read by then: a save does not wait for that.
    const { body: plain } = await create();
    await tryRules(plain.id, { rules: [wrong] });
    const { body: code } = await create({ rules: [wrong] });
    expect(code.warnings).toEqual([expect.stringContaining('München')]);
  });
});

describe('names of places', () => {
  const to = [{ url: 'https://fine.example/near' }];
  const why = 'is in no place file, so no scan has it. Use the name that scans show.';
  const munich = { when: { city: [{ country: 'DE', city: 'munich' }] }, to };

  test('that are in no place file are warned of, for saved rules and for a draft, also while the code is off', async () => {
    const wrong = { when: { city: [{ country: 'DE', city: 'München' }] }, to };
    const { body: code } = await create({ rules: [munich, wrong] });
    const saved = await tryRules(code.id, { country: 'DE', city: 'Munich' });
    expect(saved.body).toMatchObject({ rule_index: 0, warnings: [`Rule 2: the city München in DE ${why}`] });
    const draft = { ...munich, name: 'North', unless: { region: [{ country: 'DE', region: 'Bayern' }] } };
    const drafted = await tryRules(code.id, { rules: [draft] });
    expect(drafted.body.warnings).toEqual([`Rule 1 (North): the region Bayern in DE ${why}`]);
    await patch(code.id, { active: false });
    expect((await tryRules(code.id)).body).toMatchObject({ outcome: 'page', warnings: [expect.any(String)] });
    expect((await tryRules(code.id, { rules: [munich] })).body.warnings).toEqual([]);
  });

  test('are not warned of where the files cannot be read, and the rules are tried all the same', async () => {
    const without = await createTestApi({ GEOIP_FILES: '/nowhere/city.mmdb' });
    const { live: key } = await without.account();
    const body = { name: 'Menu', destination_url: 'https://fine.example/', rules: [munich] };
    const code = await without.call({ method: 'POST', url: '/v1/qrcodes', key, body });
    const url = `/v1/qrcodes/${code.body.id}/rules/test`;
    const tried = await without.call({ method: 'POST', url, key, body: { country: 'DE', city: 'Munich' } });
    expect(tried.body).toMatchObject({ outcome: 'target', url: 'https://fine.example/near', warnings: [] });
    await without.close();
  });
});

describe('placements', () => {
  const add = (id: string, body: object) =>
    api.call({ method: 'POST', url: `/v1/qrcodes/${id}/placements`, key: owner.live, body });
  const call = (method: 'PATCH' | 'DELETE', id: string, key: string, body?: object) =>
    api.call({
      method,
      url: `/v1/qrcodes/${id}/placements/${key}`,
      key: owner.live,
      ...(body ? { body } : {}),
    });

  test('are added, changed and deleted, and are in the code', async () => {
    const { body: code } = await create({ short_code: 'placed' });
    const window = await add(code.id, { key: 'Window', name: 'Shop window' });
    expect(window.status).toBe(201);
    expect(window.body).toEqual({
      key: 'window',
      name: 'Shop window',
      note: null,
      short_url: `${code.short_url}.window`,
      created_at: expect.any(String),
    });
    expect((await add(code.id, { key: 'window', name: 'Other' })).body.error.code).toBe('placement_taken');
    for (const key of ['png', 'html', 'a.b', 'x'.repeat(25), ''])
      expect((await add(code.id, { key, name: 'x' })).status, key).toBe(400);
    await add(code.id, { key: 'till', name: 'Till' });
    const renamed = (await call('PATCH', code.id, 'window', { name: 'Window', note: 'A4' })).body;
    expect(renamed).toEqual({ ...window.body, name: 'Window', note: 'A4' });
    expect((await get(code.id)).body.placements.map(({ key }: { key: string }) => key)).toEqual([
      'window',
      'till',
    ]);
    expect((await call('DELETE', code.id, 'window')).body).toEqual({ deleted: true, key: 'window' });
    expect((await call('DELETE', code.id, 'window')).status).toBe(404);
    expect((await get(code.id)).body.placements).toHaveLength(1);
    await api.call({ method: 'DELETE', url: `/v1/qrcodes/${code.id}`, key: owner.live });
    expect(
      await api.api.db.query(sql('placements-left', `select from placements where key = 'till'`)),
    ).toEqual([]);
  });

  const addMany = (id: string, items: unknown) =>
    api.call({
      method: 'POST',
      url: `/v1/qrcodes/${id}/placements/bulk`,
      key: owner.live,
      body: { items },
    });
  const keysOf = async (id: string) =>
    (await get(id)).body.placements.map(({ key }: { key: string }) => key) as string[];

  test('are added by the thousand in one call, in its order, and not one more', async () => {
    const { body: code } = await create();
    const items = Array.from({ length: 1000 }, (_, index) => ({
      key: `T${1000 - index}`,
      name: `Table ${1000 - index}`,
      ...(index === 0 ? { note: '=1+1, by the door' } : {}),
    }));
    const { status, body } = await addMany(code.id, items);
    expect([status, body.created, body.data.length]).toEqual([201, 1000, 1000]);
    expect(body.data[0]).toEqual({
      key: 't1000',
      name: 'Table 1000',
      note: '=1+1, by the door',
      short_url: `${code.short_url}.t1000`,
      created_at: expect.any(String),
    });
    expect(await keysOf(code.id)).toEqual(items.map(({ key }) => key.toLowerCase()));
    const full = await addMany(code.id, [{ key: 'one-more', name: 'x' }]);
    expect([full.status, full.body.error.code, full.body.error.used]).toEqual([403, 'quota_exceeded', 1000]);
    const tooMany = await addMany(code.id, [...items, { key: 'one-more', name: 'x' }]);
    expect([tooMany.status, tooMany.body.error.param]).toEqual([400, 'items']);
  });

  test('are added all or none, and the refusal names every wrong item by its position', async () => {
    const { body: code } = await create();
    await add(code.id, { key: 'window', name: 'Window' });
    const { status, body } = await addMany(code.id, [
      { key: 'till', name: 'Till' },
      { key: 'a.b', name: 'Dot' },
      { key: 'Window', name: 'Other' },
      { key: 'TILL', name: 'Same' },
      { key: 'png', name: 'File' },
      { key: 'door' },
      'table',
    ]);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toMatch(/^Nothing was created. Item 1: .* 6 of 7 items are invalid/);
    const found = body.error.errors.map(({ index, code, param }: Record<string, unknown>) => [
      index,
      code,
      param,
    ]);
    expect(found).toEqual([
      [1, 'invalid_request', 'items.1.key'],
      [2, 'placement_taken', 'items.2.key'],
      [3, 'placement_taken', 'items.3.key'],
      [4, 'invalid_request', 'items.4.key'],
      [5, 'invalid_request', 'items.5.name'],
      [6, 'invalid_request', 'items.6'],
    ]);
    expect(await keysOf(code.id)).toEqual(['window']);
    expect((await addMany(code.id, [])).body.error.param).toBe('items');
    expect((await addMany('qr_none', [{ key: 'a', name: 'A' }])).status).toBe(404);
  });

  test('are 1,000 for a code at the most', async () => {
    const { body: code } = await create();
    await api.api.db.query(
      sql(
        'many-placements',
        `with made as (insert into placements (qr_code_id, key, name, created_at)
           select c.id, 'p' || n, 'x', now() from qr_codes c, generate_series(1, 1000) n where c.short_code = $1
           returning qr_code_id, key)
         update qr_codes set placement_keys = (select array_agg(key) from made) where short_code = $1`,
      ),
      [code.short_code],
    );
    expect((await get(code.id)).body.placements).toHaveLength(1000);
    const { status, body } = await add(code.id, { key: 'one-more', name: 'x' });
    expect([status, body.error.code, body.error.limit]).toEqual([403, 'quota_exceeded', 1000]);
  });

  test('have images of their own', async () => {
    const { body: code } = await create();
    await add(code.id, { key: 'window', name: 'Window' });
    const download = (query: string) =>
      api.call({ url: `/v1/qrcodes/${code.id}/download?format=svg${query}`, key: owner.live });
    const [plain, placed] = [await download(''), await download('&placement=window')];
    expect([plain.status, placed.status]).toEqual([200, 200]);
    expect(placed.text).not.toBe(plain.text);
    expect(placed.headers['content-disposition']).toContain(`${code.short_code}-window.svg`);
    expect((await download('&placement=none')).status).toBe(400);
  });

  test('are tested regardless of case, as their links work; an unknown one counts as none', async () => {
    const { body: code } = await create();
    await add(code.id, { key: 'window', name: 'Window' });
    const rule = { when: { placement: ['window'] }, to: [{ url: 'https://fine.example/window' }] };
    await patch(code.id, { rules: [rule] });
    const leadsTo = async (placement: string) => (await tryRules(code.id, { placement })).body.url;
    expect(await Promise.all(['window', 'Window', 'WINDOW', 'door', ''].map(leadsTo))).toEqual([
      ...Array(3).fill('https://fine.example/window'),
      ...Array(2).fill('https://fine.example/'),
    ]);
  });
});
