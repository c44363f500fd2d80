import { availabilityStates } from '@signpost/contract';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';

/** A list as the API filters it, against one that is filtered in memory. */
const seed = 20_261_117;
const codes = 2_400;
const questions = ciScale(1_000, 60);

type Code = {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly short_code: string;
  readonly destination_url: string;
  readonly status: string;
  archived: boolean;
  readonly tags: readonly string[];
  readonly external_id: string | null;
  readonly created_at: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly availability: { readonly state: string };
  scans: number;
};

let api: TestApi;
let owner: TestAccount;
const all: Code[] = [];

const names = ['Menu', 'Poster', 'Flyer 7', 'Table tent', 'Badge', 'x'];
const hosts = ['example.com', 'shop.example.com', 'bücher.example', 'b.example'];
const tagNames = ['red', 'Green', 'blue', 'Menu', 'printed 2026', 'poster wall', 'rare'];
const branches = ['berlin', 'Berlin', 'bern: "old town"', ''];
const yearsFromNow = (years: number) => new Date(Date.now() + years * 365 * 86_400_000).toISOString();
const [past, future] = [yearsFromNow(-1), yearsFromNow(1)];
const schedules = [{ starts_at: future }, { starts_at: past, expires_at: future }, { expires_at: past }];
const pick = <Item>(items: readonly Item[], n: number) => items[n % items.length]!;

beforeAll(async () => {
  api = await createTestApi({ DATABASE_TIMEOUT_MS: '30000' });
  owner = await api.account();
  const random = fc.sample(fc.nat({ max: 1 << 20 }), { seed, numRuns: codes * 3 });
  for (let from = 0; from < codes; from += 400) {
    const items = Array.from({ length: 400 }, (_, i) => {
      const n = from + i;
      const [a, b, c] = [random[3 * n]!, random[3 * n + 1]!, random[3 * n + 2]!];
      return {
        name: `${pick(names, a)} ${n % 97}`,
        destination_url: `https://${pick(hosts, b)}/page/${c % 13}`,
        tags: tagNames.filter((_, t) => (t === 6 ? n % 800 === 3 : ((c >> t) & 3) === 0)),
        ...(n % 3 === 0 ? { external_id: `ext-${n}-${pick(names, b)}` } : {}),
        ...(a % 7 === 0 ? { status: 'draft' } : {}),
        ...(b % 5 === 0 ? pick(schedules, c) : {}),
        ...(c % 29 === 0 ? { fallback_url: 'https://www.unmarked.example/' } : {}),
        metadata: {
          ...(b % 3 === 0 ? { branch: pick(branches, c) } : {}),
          ...(a % 4 === 0 ? { 'sheet.no': String(n % 800) } : {}),
        },
      };
    });
    const made = await api.call({
      method: 'POST',
      url: '/v1/qrcodes/bulk',
      key: owner.live,
      body: { items },
    });
    for (const [i, { qr_code }] of made.body.data.entries())
      all.push({
        ...qr_code,
        number: from + i,
        archived: (from + i) % 5 === 2,
        scans: (random[from + i]! * 7) % 50,
      });
  }
  const paused = all.filter((code, n) => n % 11 === 0 && code.status === 'active');
  const ids = paused.map(code => code.id);
  await api.call({
    method: 'PATCH',
    url: '/v1/qrcodes/bulk',
    key: owner.live,
    body: { ids: ids.slice(0, 500), set: { active: false } },
  });
  for (const id of ids) Object.assign(all.find(code => code.id === id)!, { status: 'paused' });
  const idsOf = (some: readonly Code[]) => [some.map(({ id }) => parseId('qr', id))];
  await api.api.db.query(
    sql('use-up-codes', 'update qr_codes set used_up_at = now() where id = any($1::uuid[])'),
    idsOf(all.filter((_, n) => n % 13 === 0)),
  );
  await api.api.db.query(
    sql(
      'suspend-codes',
      `insert into suspensions (id, account_id, qr_code_id, cause, reason, suspended_at, released_at)
       select gen_random_uuid(), account_id, id, 'operator', 'x', now(), case when number % 2 = 0 then now() end
         from qr_codes where id = any($1::uuid[])`,
    ),
    idsOf(all.filter((_, n) => n % 17 === 0)),
  );
  await api.api.db.query(
    sql(
      'block-host',
      `insert into blocked_hosts (host, reason, created_at) values ('unmarked.example', '', now())`,
    ),
  );
  const archived = all.filter(code => code.archived).map(({ id }) => id);
  for (const ids of [archived.slice(0, 500), archived.slice(500)])
    await api.call({
      method: 'PATCH',
      url: '/v1/qrcodes/bulk',
      key: owner.live,
      body: { ids, set: { archived: true } },
    });
  await api.api.db.query(
    sql(
      'scans-of-model',
      'insert into scan_counts (qr_code_id, total_scans) select * from unnest($1::uuid[], $2::bigint[])',
    ),
    [all.map(code => parseId('qr', code.id)), all.map(code => code.scans)],
  );
  for (let from = 0; from < codes; from += 100) {
    const ids = all.slice(from, from + 100).map(({ id }): [string, string] => ['ids', id]);
    const query = new URLSearchParams([...ids, ['include', 'availability'], ['limit', '100']]);
    const { body } = await api.call({ url: `/v1/qrcodes?${query}`, key: owner.live });
    for (const { id, availability } of body.data)
      Object.assign(all.find(code => code.id === id)!, { availability });
  }
});
afterAll(() => api?.close());

type Question = {
  readonly status?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly external_id?: string | undefined;
  readonly short_code?: string | undefined;
  readonly destination_host?: string | undefined;
  readonly metadata?: readonly string[] | undefined;
  readonly availability?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
  readonly sort?: string | undefined;
  readonly limit: number;
  readonly page?: number | undefined;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
};

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>, weight = 1) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

const code = () => fc.nat({ max: codes - 1 });
const spelled = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.nat({ max: 2 })).map(([one, how]) => [one, one.toUpperCase(), one.toLowerCase()][how]!);

const question: fc.Arbitrary<Question> = fc
  .record({
    status: maybe(fc.constantFrom('active', 'paused', 'draft')),
    archived: maybe(fc.boolean()),
    tag: maybe(fc.array(spelled(fc.constantFrom(...tagNames, 'none')), { minLength: 1, maxLength: 3 }), 3),
    search: maybe(
      spelled(
        fc.constantFrom(
          'menu',
          'flyer 7',
          'xt-1',
          '%',
          '_',
          'shop.example',
          'age/1',
          'e',
          'poster',
          'zzz',
          '7',
        ),
      ),
      3,
    ),
    external_id: maybe(code().map(n => `ext-${n}-Menu`)),
    shortCode: maybe(code()),
    destination_host: maybe(spelled(fc.constantFrom(...hosts, 'nowhere.example')), 2),
    metadata: maybe(
      fc.array(
        fc.oneof(
          fc.constantFrom(...branches, 'ber').map(text => `branch:${text}`),
          code().map(n => `sheet.no:${n % 800}`),
          fc.constant('none:x'),
        ),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    availability: maybe(fc.constantFrom(...availabilityStates)),
    from: maybe(code(), 2),
    to: maybe(code(), 2),
    sort: maybe(fc.constantFrom('created', '-created', 'name', '-name', 'scans', '-scans'), 8),
    limit: fc.integer({ min: 1, max: 100 }),
    page: maybe(fc.integer({ min: 1, max: 12 }), 4),
    cursor: maybe(fc.tuple(fc.boolean(), code()), 3),
  })
  .map(({ shortCode, from, to, cursor, page, ...rest }) => {
    const [first, last] = [from, to].toSorted((a, b) => (a ?? 0) - (b ?? 0));
    const isPeriod = from !== undefined && to !== undefined;
    const byTime = rest.sort === undefined || rest.sort.endsWith('created');
    const [isAfter, at] = cursor ?? [];
    return {
      ...rest,
      // Looked up when it is asked: the codes are made later.
      short_code: shortCode === undefined ? undefined : `#${shortCode}`,
      created_from: from === undefined ? undefined : `#${isPeriod ? first : from}`,
      created_to: to === undefined ? undefined : `#${isPeriod ? last : to}`,
      ...(byTime && cursor
        ? { [isAfter ? 'starting_after' : 'ending_before']: `#${at}` }
        : page === undefined
          ? {}
          : { page }),
    };
  });

/** Puts in what belongs to the codes that a question names. */
function resolved(given: Question): Question {
  const codeOf = (text: string) => all[Number(text.slice(1))]!;
  const put = (text: string | undefined, field: keyof Code) =>
    text?.startsWith('#') ? String(codeOf(text)[field]) : text;
  return {
    ...given,
    short_code: put(given.short_code, 'short_code')?.toUpperCase(),
    created_from: put(given.created_from, 'created_at'),
    created_to: put(given.created_to, 'created_at'),
    starting_after: put(given.starting_after, 'id'),
    ending_before: put(given.ending_before, 'id'),
  };
}

const menu = { name: 'Menu', destination_url: 'https://example.com' };
const folded = (text: string) => text.toLowerCase();

const pairsOf = ({ metadata }: Code) => Object.entries(metadata).map(([key, text]) => `${key}:${text}`);

function matches(one: Code, asked: Question): boolean {
  const tags = one.tags.map(folded);
  const text = [one.name, one.short_code, one.destination_url].join(' ');
  const search = folded(asked.search ?? '');
  const isNamed = asked.external_id !== undefined || asked.short_code !== undefined;
  const archived = asked.archived ?? (isNamed ? undefined : false);
  return (
    (asked.status === undefined || one.status === asked.status) &&
    (archived === undefined || one.archived === archived) &&
    (asked.tag ?? []).every(tag => tags.includes(folded(tag))) &&
    (asked.search === undefined ||
      folded(text).includes(search) ||
      folded(one.external_id ?? '').includes(search) ||
      tags.some(tag => tag.includes(search))) &&
    (asked.external_id === undefined || one.external_id === asked.external_id) &&
    (asked.short_code === undefined || folded(one.short_code) === folded(asked.short_code)) &&
    (asked.destination_host === undefined ||
      new URL(one.destination_url).host === new URL(`http://${asked.destination_host}`).host) &&
    (asked.metadata ?? []).every(pair => pairsOf(one).includes(pair)) &&
    (asked.availability === undefined || one.availability.state === asked.availability) &&
    (asked.created_from === undefined || one.created_at >= asked.created_from) &&
    (asked.created_to === undefined || one.created_at <= asked.created_to)
  );
}

type Answer = { ids: string[]; total: number; capped: boolean } | { refused: string };

/** What the documentation promises, worked out the simple way. */
function expected(asked: Question): Answer {
  const { sort = '-created', limit, page = 1 } = asked;
  const [by, sign] = [sort.replace('-', ''), sort.startsWith('-') ? -1 : 1];
  const newest = all.filter(one => matches(one, asked)).toReversed();
  const others = [asked.tag, asked.search, asked.external_id, asked.short_code, asked.destination_host];
  const more = [asked.metadata, asked.availability, asked.created_from, asked.created_to];
  const isFiltered =
    [...others, ...more].some(value => value !== undefined) ||
    (asked.archived === true && asked.status !== undefined);
  const most = !isFiltered
    ? Number.POSITIVE_INFINITY
    : by === 'created' || asked.search !== undefined || asked.metadata !== undefined
      ? 1000
      : 10_000;
  const byTime = sign === 1 ? newest.toReversed() : newest;
  const compare = (a: Code, b: Code) =>
    (by === 'name'
      ? sign * (folded(a.name) < folded(b.name) ? -1 : folded(a.name) > folded(b.name) ? 1 : 0)
      : sign * (a.scans - b.scans)) || b.number - a.number;
  const sorted = by === 'created' ? byTime.slice(0, most) : newest.slice(0, most).toSorted(compare);
  const answer = { total: Math.min(newest.length, most), capped: newest.length > most };
  const cursor = asked.starting_after ?? asked.ending_before;
  if (cursor === undefined) {
    if (answer.capped && (page - 1) * limit >= most) return { refused: 'too_many_codes' };
    return { ids: sorted.slice((page - 1) * limit, page * limit).map(({ id }) => id), ...answer };
  }
  const { number } = all.find(({ id }) => id === cursor)!;
  const isBefore = (one: Code) => sign * (one.number - number) < 0;
  const beside = byTime.filter(
    one => one.number !== number && isBefore(one) === (asked.ending_before !== undefined),
  );
  const shown = asked.ending_before === undefined ? beside.slice(0, limit) : beside.slice(-limit);
  return { ids: shown.map(({ id }) => id), ...answer };
}

async function ask(asked: Question): Promise<Answer> {
  const pairs = Object.entries(asked).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  );
  const { status, body } = await api.call({
    url: `/v1/qrcodes?${new URLSearchParams(pairs)}`,
    key: owner.live,
  });
  if (status !== 200) return { refused: body.error.code };
  return {
    ids: body.data.map(({ id }: Code) => id) as string[],
    total: body.pagination.total as number,
    capped: body.pagination.capped === true,
  };
}

describe('a list of codes', () => {
  test('with any filter, order and page equals one that is filtered in memory', async () => {
    let nonempty = 0;
    for (const given of fc.sample(question, { seed, numRuns: questions })) {
      const asked = resolved(given);
      const answer = await ask(asked);
      expect([asked, answer]).toEqual([asked, expected(asked)]);
      if ('ids' in answer && answer.ids.length > 0) nonempty++;
    }
    console.log(`list model: ${questions} questions, ${nonempty} with codes`);
    expect(nonempty).toBeGreaterThan(questions / 4);
  });

  test.each(availabilityStates)(
    'by availability %s has codes that show it when they are read',
    async state => {
      const list = await api.call({ url: `/v1/qrcodes?availability=${state}&limit=20`, key: owner.live });
      expect(list.body.data.length).toBe(state === 'held' ? 0 : 20);
      for (const { id } of list.body.data) {
        const { body } = await api.call({ url: `/v1/qrcodes/${id}`, key: owner.live });
        expect(body.availability.state).toBe(state);
      }
    },
  );

  test('by availability takes the state of the account into account', async () => {
    const account = await api.account();
    const accountId = parseId('acct', account.id) ?? account.id;
    await api.api.db.query(sql('hold-account', 'update accounts set held_at = now() where id = $1'), [
      accountId,
    ]);
    const body = { items: ['active', 'draft'].map(status => ({ ...menu, status })) };
    await api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: account.live, body });
    const countStates = async () => {
      const totals = availabilityStates.map(async state => {
        const url = `/v1/qrcodes?availability=${state}`;
        return [state, (await api.call({ url, key: account.live })).body.pagination.total] as const;
      });
      return Object.fromEntries((await Promise.all(totals)).filter(([, total]) => total > 0));
    };
    expect(await countStates()).toEqual({ held: 2 });
    await api.admin('suspend-account', formatId('acct', accountId), '--reason', 'Spam');
    expect(await countStates()).toEqual({ suspended: 2 });
  });

  test('finds metadata and words that only codes before the newest 20,000 have', async () => {
    const { id: accountId, live } = await api.account();
    const old = Array.from({ length: 30 }, (_, n) => ({
      ...menu,
      name: n < 20 ? 'Lighthouse' : 'Menu',
      tags: ['old'],
      metadata: { sheet: 'rare', row: String(n) },
    }));
    const made = await api.call({
      method: 'POST',
      url: '/v1/qrcodes/bulk',
      key: live,
      body: { items: old },
    });
    const ids: string[] = made.body.data.map((item: { qr_code: Code }) => item.qr_code.id).toReversed();
    await api.api.db.query(
      sql(
        'codes-that-are-newer',
        `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url,
                               style, created_at, updated_at, metadata)
         select gen_random_uuid(), $1, 'live', 100 + n, 'active', 'api', 'newer-' || n, 'newer-' || n, 'Newer',
                'https://example.com', '{}', now(), now(), '{"sheet": "common"}'
           from generate_series(1, 20000) n`,
      ),
      [accountId],
    );
    const found = async (query: string) => {
      const { body } = await api.call({ url: `/v1/qrcodes?limit=100&${query}`, key: live });
      return body.data.map((code: Code) => code.id);
    };
    expect(await found('metadata=sheet:rare')).toEqual(ids);
    expect(await found('metadata=sheet:rare&sort=created')).toEqual(ids.toReversed());
    expect(await found('metadata=sheet:rare&metadata=row:7')).toEqual([ids.at(-8)]);
    expect(await found('metadata=sheet:rare&search=lighthouse')).toEqual(ids.slice(10));
    expect(await found('metadata=sheet:rare&tag=old&availability=live')).toEqual(ids);
    expect(await found('metadata=sheet:rare&availability=off')).toEqual([]);
    expect(await found(`metadata=sheet:rare&starting_after=${ids[4]}`)).toEqual(ids.slice(5));
    expect(await found('metadata=sheet:common')).toHaveLength(100);
  });

  test('without include has the fields of the interface alone, and with it those that are named', async () => {
    const fields = async (query: string) => {
      const { body } = await api.call({ url: `/v1/qrcodes?limit=1${query}`, key: owner.live });
      return Object.keys(body.data[0]);
    };
    const usual = ['id', 'name', 'destination_url', 'short_url', 'status', 'total_scans', 'created_at'];
    expect(await fields('')).toEqual(usual);
    expect(await fields('&tag=red&sort=name')).toEqual(usual);
    expect((await fields('&include=tags,note,short_code')).toSorted()).toEqual(
      [...usual, 'tags', 'note', 'short_code'].toSorted(),
    );
  });

  test.each([
    ['sort=name&starting_after=qr_x', 'starting_after'],
    ['starting_after=qr_x&ending_before=qr_y', 'ending_before'],
    ['starting_after=qr_x&page=2', 'page'],
    ['starting_after=qr_01ghhhhhhhhhhhhhhhhhhhhhhh', 'starting_after'],
    ['include=scannability', 'include'],
    ['sort=id', 'sort'],
    ['created_from=2026-02-30', 'created_from'],
    ['metadata=branch', 'metadata.0'],
    ['metadata=a b:c', 'metadata.0'],
    ['metadata=:berlin', 'metadata.0'],
    ['availability=paused', 'availability'],
    ['created_from=2026-03-02&created_to=2026-03-01', 'created_to'],
    ['created_from=2026-03-01T08:00:01Z&created_to=2026-03-01T08:00:00Z', 'created_to'],
  ])('%s is refused', async (query, param) => {
    const { status, body } = await api.call({ url: `/v1/qrcodes?${query}`, key: owner.live });
    expect([status, body.error.param]).toEqual([400, param]);
  });

  test.each([
    'created_from=2026-03-01&created_to=2026-03-01',
    'created_from=2026-03-01T08:00:00Z&created_to=2026-03-01',
    'created_from=2026-03-01T08:00:00Z&created_to=2026-03-01T08:00:00Z',
  ])('%s is a period', async query => {
    expect((await api.call({ url: `/v1/qrcodes?${query}`, key: owner.live })).status).toBe(200);
  });

  test('walked by cursor while others create and delete, neither repeats nor misses what was there all along', async () => {
    const { live } = await api.account();
    const item = { ...menu, tags: ['walk'] };
    const make = async (count: number) => {
      const items = Array.from({ length: count }, () => item);
      const { body } = await api.call({
        method: 'POST',
        url: '/v1/qrcodes/bulk',
        key: live,
        body: { items },
      });
      return body.data.map((item: { qr_code: { id: string } }) => item.qr_code.id) as string[];
    };
    const before = await make(ciScale(300, 90));
    const doomed = before.filter((_, n) => n % 3 === 0);
    const kept = before.filter((_, n) => n % 3 !== 0);
    for (const query of ['', '&sort=created', '&tag=walk', '&tag=walk&sort=created']) {
      const seen: string[] = [];
      let after = '';
      for (let page = 0; page < 1000; page++) {
        const { body } = await api.call({ url: `/v1/qrcodes?limit=7${query}${after}`, key: live });
        const ids = body.data.map(({ id }: Code) => id);
        seen.push(...ids);
        if (ids.length < 7) break;
        // Now and then the very code that the cursor names is deleted.
        const gone = doomed.includes(ids.at(-1)) ? ids.at(-1) : doomed.pop();
        if (gone) await api.call({ method: 'DELETE', url: `/v1/qrcodes/${gone}`, key: live });
        if (page % 5 === 0) await make(2);
        after = `&starting_after=${ids.at(-1)}`;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(kept.filter(id => !seen.includes(id))).toEqual([]);
    }
  });
});
