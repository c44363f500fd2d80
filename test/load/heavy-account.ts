import { request } from 'node:http';
import { missingLetter } from '@signpost/qr/frames';
import { captionPath } from '@signpost/qr/labels';
import type { TestAccount } from '@signpost/testing/api.ts';
import { type Answer, ask } from '@signpost/testing/client.ts';
import type { Fixture } from '@signpost/testing/fixture.ts';
import { noisyPng } from '@signpost/testing/noisy-png.ts';
import { goodPassword, newEmail } from '@signpost/testing/people.ts';
import { formatId, parseId, type Uuid, zeroId } from '../../apps/server/src/kernel/ids.ts';
import { type Database, sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { createScanPartitions } from '../../apps/server/src/scans/stores/postgres/partitions.ts';

/** An account of the free plan that has of everything as much as it may have, in test mode, where it may have most. */
export type HeavyAccount = {
  readonly key: string;
  /** Headers of a session of one of its people, in test mode. */
  readonly session: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
  /** Of the first five codes, each with 1,000 placements. */
  readonly placed: readonly string[];
  readonly assetId: string;
  readonly designId: string;
};

export const codesPerCall = 500;
const placementsPerCode = 1000;
const placedCodes = 5;

/** The letter of captions whose outline is longest. */
const heaviestLetter: string = (() => {
  const box = { x: 0, y: 0, width: 100, height: 100, isBeside: true };
  const letters = Array.from({ length: 0x2200 }, (_, at) => String.fromCodePoint(0x21 + at));
  const lengthOf = (letter: string) => (missingLetter(letter) === null ? captionPath(letter, box).length : 0);
  return letters.reduce((best, letter) => (lengthOf(letter) > lengthOf(best) ? letter : best));
})();

/** A name or caption that takes longest to draw: words of it are wrapped, in every size that is tried. */
export const heavyText = (length: number): string =>
  Array.from({ length }, (_, at) => (at % 5 === 4 ? ' ' : heaviestLetter))
    .join('')
    .slice(0, length - 1)
    .concat(heaviestLetter);

const filler = (length: number, letter: string) => letter.repeat(length);

/** Fifty keys of metadata, each as long as it may be. */
export const fullMetadata = (letter: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`${filler(37, 'k')}${100 + at}`, filler(500, letter)]),
  );

const zones = Intl.supportedValuesOf('timeZone');

const time = (at: number) => ({
  timezone: zones[at % zones.length],
  windows: [{ days: ['mon'], from: '23:58', to: '23:59' }],
});

/** A rule of few values: a body may have 20,000. */
export const smallRule = (index: number) => ({
  when: { time: time(2 * index) },
  unless: { time: time(2 * index + 1) },
  to: [{ url: 'https://example.com/' }],
});

/** Rules of a size just below the limit, each in two time zones and split between ten targets. */
export function largestRules(mark: string): object[] {
  return Array.from({ length: 50 }, (_, at) => ({
    name: `Rule ${at}`,
    when: { time: time(2 * at), country: ['DE', 'FR', 'ES'], city: [{ country: 'DE', city: `Köln ${at}` }] },
    unless: { time: time(2 * at + 1), query: [{ name: `source-${at}`, value: mark }] },
    to: Array.from({ length: 10 }, (_, target) => ({ url: `https://example.com/${mark}${at}/${target}` })),
  }));
}

/** A style of everything that takes long: separate dots, a gradient of five colours and the largest logo. */
export const heavyStyle = (assetId: string, shade = 0, stops = 5) => ({
  dotsType: 'classy-rounded',
  cornersSquareType: 'extra-rounded',
  cornersDotType: 'dot',
  dotsGradient: {
    type: 'radial',
    stops: Array.from({ length: stops }, (_, step) => ({
      offset: step / (stops - 1),
      color: `#${(0x100000 + 256 * (shade % 64) + 16 * step).toString(16)}`,
    })),
  },
  logo: { asset_id: assetId, size: 'large', shape: 'circle' },
});

const longUrl = (index: number) => `https://example.com/${index}/`.padEnd(4000, 'a');

/** A code as large as 500 in a body of 5 MB can be. */
export const largeCode = (index: number, mark: string, look: object = {}) => ({
  name: heavyText(255),
  destination_url: longUrl(index),
  external_id: `${mark}-${index}-`.padEnd(255, 'e'),
  note: filler(2000, 'n'),
  tags: Array.from({ length: 2 }, (_, at) => `${mark}-${(index + at) % 100}-`.padEnd(50, 't')),
  metadata: Object.fromEntries(Object.entries(fullMetadata('m')).slice(0, 2)),
  ...look,
});

export type Sending = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** A client hangs up after this time. */
  readonly maxMs: number;
};
export type Sent = {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  readonly hungUp: boolean;
  readonly text: string;
  /** After how long to try again, if it was refused. */
  readonly retryAfterMs: number;
};

/** Sends a request and drops what it answers as it comes. */
export function send({ method, url, headers, body, maxMs }: Sending): Promise<Sent> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    let [status, bytes, text, retryAfterMs] = [0, 0, '', 0];
    const done = (hungUp: boolean) =>
      resolve({ status, bytes, ms: performance.now() - startMs, hungUp, text, retryAfterMs });
    const outgoing = request(url, { method, headers, agent: false }, response => {
      status = response.statusCode!;
      retryAfterMs = Number(response.headers['retry-after'] ?? 0) * 1000;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes < 4096) text += piece.toString();
      });
      response.on('end', () => done(false));
      response.on('error', reject);
    });
    const timer = setTimeout(() => {
      done(true);
      outgoing.destroy();
    }, maxMs);
    outgoing.on('error', reject).on('close', () => clearTimeout(timer));
    outgoing.end(body);
  });
}

type Caller = (method: string, path: string, body?: object) => Promise<Answer>;

function callerOf(baseUrl: string, key: string): Caller {
  return async (method, path, body) => {
    const answer = await ask({
      method,
      url: `${baseUrl}/v1${path}`,
      key,
      timeoutMs: 300_000,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
}

/** Limits of pace are lifted, so that a test can make in a minute what an account makes in a day. */
export async function liftPace({ db }: Fixture): Promise<void> {
  await db.query(
    sql(
      'test-lift-pace',
      `update plans set requests_per_minute = 1000000, creations_per_minute = 1000000, asset_bytes = 1000000000
        where name = 'free'`,
    ),
  );
}

const origin = { origin: 'http://localhost:8080' };

/** A session of a new person who belongs to the account. */
async function signIn(fixture: Fixture, baseUrl: string, accountId: string): Promise<Record<string, string>> {
  const body = { name: 'Somebody', email: newEmail(), password: goodPassword };
  const { status, headers } = await ask({
    method: 'POST',
    url: `${baseUrl}/auth/sign-up`,
    headers: origin,
    body,
  });
  if (status !== 201) throw new Error(`sign-up: ${status}`);
  const cookies = ([] as string[]).concat(headers['set-cookie'] ?? []);
  await fixture.db.query(
    sql(
      'test-move-member',
      'update members set account_id = $1 where user_id = (select id from auth_users where email = $2)',
    ),
    [accountId, body.email],
  );
  return {
    ...origin,
    cookie: cookies.map(cookie => cookie.split(';')[0]).join('; '),
    'x-signpost-mode': 'test',
  };
}

/** A hundred thousand scans or more of one code, of every placement: stored before the server starts. */
export async function storeScans(
  db: Database,
  accountId: string,
  codeId: Uuid,
  scans: number,
): Promise<void> {
  const now = Date.now();
  await createScanPartitions(db).prepare([now - 30 * 86_400_000, now]);
  for (let first = 0; first < scans; first += scansPerInsert)
    await db.query(insertScans, [accountId, codeId, first, Math.min(scans, first + scansPerInsert) - 1]);
}

const scansPerInsert = 50_000;

const insertScans = sql(
  'load-insert-scans',
  `insert into scans (account_id, qr_code_id, at, id, mode, country, region, city, device, browser, language, visitor,
                      visitor_number, time_window, is_unique, rule_id, target_id, shard, log_number, position, place, placement)
   select $1, $2, now() - n % 2500000 * interval '1 second', gen_random_uuid(), 'test',
          (array['DE', 'FR', 'US'])[n % 3 + 1], 'Region ' || n % 60, 'City ' || n % 1000, 'ios', 'safari', 'de',
          md5((n % 50000)::text)::uuid, n % 50000, '2026-11', false, '${zeroId}', '${zeroId}', 65535, 0, n, 0,
          'place-' || n % ${placementsPerCode}
     from generate_series($3::int, $4::int) n`,
);

/** Fills an account. Its first code gets the id whose scans are stored already. */
export async function fillAccount(
  fixture: Fixture,
  baseUrl: string,
  account: TestAccount,
  scannedId: Uuid,
): Promise<HeavyAccount> {
  const call = callerOf(baseUrl, account.test);
  const session = await signIn(fixture, baseUrl, account.id);
  const logo = await call('POST', '/assets', { image: noisyPng(1024, 400 * 1024, 1).toString('base64') });
  const style = heavyStyle(logo.body.id);
  const frame = { type: 'card', text: heavyText(40) };
  const design = await call('POST', '/designs', { name: 'Heavy', style, frame });
  const created = await call('POST', '/qrcodes/bulk', {
    items: Array.from({ length: codesPerCall }, (_, index) =>
      largeCode(index, 'first', { design_id: design.body.id }),
    ),
  });
  const codes: { id: string }[] = created.body.data.map((item: { qr_code: { id: string } }) => item.qr_code);
  const ids = [formatId('qr', scannedId), ...codes.slice(1).map(({ id }) => id)];
  await fixture.db.query(adoptCode, [parseId('qr', codes[0]!.id), scannedId]);
  await call('PATCH', `/qrcodes/${ids[0]}`, { rules: largestRules('a'), metadata: fullMetadata('m') });
  await call('PATCH', `/qrcodes/${ids[0]}`, { rules: largestRules('b') });
  await call('POST', `/qrcodes/${ids[0]}/placements/bulk`, { items: placementItems('place') });
  const uuids = ids.map(id => parseId('qr', id));
  await fixture.db.query(copyCode, [scannedId, uuids]);
  await fixture.db.query(copyEdits, [scannedId]);
  await fixture.db.query(copyPlacements, [scannedId, uuids.slice(1, placedCodes)]);
  await fixture.db.query(copyKeys, [scannedId, uuids.slice(1, placedCodes)]);
  await fixture.db.query(copyDesigns, [parseId('dsn', design.body.id)]);
  await fixture.db.query(addTags, [account.id]);
  await fixture.db.query(addEvents, [account.id, ids]);
  return {
    key: account.test,
    session,
    ids,
    placed: ids.slice(0, placedCodes),
    assetId: logo.body.id,
    designId: design.body.id,
  };
}

/** As many placements as a code may have, of names as long as they may be. */
export const placementItems = (mark: string) =>
  Array.from({ length: placementsPerCode }, (_, at) => ({
    key: `${mark}-${at}`,
    name: heavyText(80),
    note: filler(500, 'p'),
  }));

const adoptCode = sql(
  'test-adopt-code',
  `with targets as (update code_targets set qr_code_id = $2 where qr_code_id = $1),
        tagged as (update code_tags set qr_code_id = $2 where qr_code_id = $1)
   update qr_codes set id = $2 where id = $1`,
);
// What hundreds of calls like the ones before would store.
const copyCode = sql(
  'test-copy-code',
  `update qr_codes set rules = whole.rules, metadata = whole.metadata
     from (select rules, metadata from qr_codes where id = $1) whole where id = any($2::uuid[])`,
);
// A megabyte of rules is the most that the history of a code holds; the other edits are of destinations.
const copyEdits = sql(
  'test-copy-edits',
  `insert into code_edits (id, qr_code_id, at, by_kind, by_id, field, before, after)
   select gen_random_uuid(), qr_code_id, at, by_kind, by_id, case when n <= 7 then field else 'destination_url' end,
          case when n <= 7 then before else repeat('a', 4096) end, case when n <= 7 then after else repeat('b', 4096) end
     from (select * from code_edits where qr_code_id = $1 and field = 'rules' order by id desc limit 1) last,
          generate_series(1, 120) n`,
);
// Of 1,000 bulk edits of all codes.
const addEvents = sql(
  'test-add-events',
  `with head as (
     insert into audit_heads (account_id, mode, last) values ($1, 'test', 100000)
     on conflict (account_id, mode) do update set last = excluded.last
   )
   insert into audit_events (account_id, mode, number, action, actor_kind, subjects, detail)
   select $1, 'test', 1000 + n, 'bulkEditQrCodes', 'key', $2::text[], '{"count": 500}' from generate_series(1, 1000) n`,
);
const copyPlacements = sql(
  'test-copy-placements',
  `insert into placements (qr_code_id, key, name, note, created_at)
   select id, key, name, note, created_at from placements, unnest($2::uuid[]) as id where qr_code_id = $1`,
);
const copyKeys = sql(
  'test-copy-keys',
  `update qr_codes set placement_keys = (select placement_keys from qr_codes where id = $1) where id = any($2::uuid[])`,
);
const copyDesigns = sql(
  'test-copy-designs',
  `insert into designs select gen_random_uuid(), account_id, mode, name, style, frame, false, created_at, updated_at
     from designs, generate_series(1, 80) where id = $1`,
);
const addTags = sql(
  'test-add-tags',
  `insert into tags (id, account_id, mode, folded, name, color)
   select gen_random_uuid(), $1, 'test', rpad('tag-' || n, 50, 'x'), rpad('tag-' || n, 50, 'x'), 'blue'
     from generate_series(1, 9000) n`,
);
