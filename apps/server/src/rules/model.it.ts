import { maxRules } from '@signpost/contract/values.ts';
import { ciScale, isFullSize } from '@signpost/testing/ci-scale.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uuidFrom } from '../kernel/ids.ts';
import { browsers, devices } from '../scans/scan.ts';
import { compileRules } from './compile-rules.ts';
import {
  type Conditions,
  type Rule,
  type RuleTarget,
  type Scanner,
  type TimeWindow,
  weekdays,
} from './rule.ts';

/** Few values, so that conditions often hold. */
const countries = ['DE', 'AT', 'US', 'XX'];
const places = ['Berlin', 'berlin', 'Wien', 'Ohio', ''];
const languages = ['de', 'de-at', 'en', 'en-us', 'pt-br', 'p'];
const keys = ['window', 'till', ''];
const zones = Intl.supportedValuesOf('timeZone');

const some = <Value>(values: readonly Value[], maxLength = 3) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
  .map(parts => parts.map(part => String(part).padStart(2, '0')).join(':'));

const timeWindow: fc.Arbitrary<TimeWindow> = fc
  .record({
    days: some(weekdays, 7),
    from: time,
    to: fc.oneof({ weight: 9, arbitrary: time }, { weight: 1, arbitrary: fc.constant('24:00') }),
  })
  .filter(({ from, to }) => from !== to);

/** Around the days on which clocks change in most zones, and over two years. */
const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2028, 0) });
const isoTime = moment.map(ms => new Date(ms).toISOString());

const conditions = fc
  .record({
    device: maybe(some(devices)),
    browser: maybe(some(browsers)),
    country: maybe(some(countries)),
    region: maybe(
      fc.array(fc.record({ country: fc.constantFrom(...countries), region: fc.constantFrom(...places) })),
    ),
    city: maybe(
      fc.array(
        fc.record(
          {
            country: fc.constantFrom(...countries),
            city: fc.constantFrom(...places),
            region: fc.constantFrom(...places),
          },
          { requiredKeys: ['country', 'city'] },
        ),
      ),
    ),
    language: maybe(some([...languages, 'DE', '*'])),
    time: maybe(
      fc.record({
        timezone: fc.constantFrom(...zones),
        windows: fc.array(timeWindow, { minLength: 1, maxLength: 3 }),
      }),
    ),
    date: maybe(fc.record({ from: isoTime, until: isoTime }, { requiredKeys: [] })),
    query: maybe(
      fc.array(
        fc.record(
          { name: fc.constantFrom('a', 'b c', ''), value: fc.constantFrom('1', 'ä', '') },
          { requiredKeys: ['name'] },
        ),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    placement: maybe(some(keys)),
  })
  .chain(all => {
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    // One or two conditions, or else none would ever hold.
    return fc
      .subarray(given, { maxLength: Math.min(2, given.length) })
      .map(kept => Object.fromEntries(kept) as Conditions);
  });

const id = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map(bytes => uuidFrom(Buffer.from(bytes).toString('hex')));
const target = fc.record({
  id,
  url: fc.constant('https://example.com/'),
  weight: fc.integer({ min: 1, max: 100 }),
  label: fc.constant(''),
});
const rule: fc.Arbitrary<Rule> = fc.record({
  id,
  name: fc.constant(''),
  active: fc.boolean(),
  when: conditions,
  unless: fc.oneof(fc.constant({}), conditions),
  to: fc.array(target, { minLength: 1, maxLength: 4 }),
});

/** As many as a code may have, most of which do not apply. */
const many = fc.array(
  rule.map(one => ({ ...one, active: true })),
  { minLength: 30, maxLength: maxRules },
);

const scanner: fc.Arbitrary<Scanner> = fc.record({
  atMs: moment,
  device: fc.constantFrom(...devices),
  browser: fc.constantFrom(...browsers),
  country: fc.constantFrom(...countries),
  region: fc.constantFrom(...places),
  city: fc.constantFrom(...places),
  languages: fc.array(fc.constantFrom(...languages), { maxLength: 2 }),
  query: fc
    .array(fc.tuple(fc.constantFrom('a', 'b c', ''), fc.constantFrom('1', 'ä', '')), { maxLength: 3 })
    .map(pairs => new URLSearchParams(pairs)),
  placement: fc.constantFrom(...keys),
  visitor: fc.uint8Array({ minLength: 16, maxLength: 16 }),
});

test('random rules choose what a naive reading of the same rules chooses', () => {
  let chosen = 0;
  let decisions = 0;
  fc.assert(
    fc.property(
      fc.oneof({ weight: 9, arbitrary: fc.array(rule, { maxLength: 6 }) }, { weight: 1, arbitrary: many }),
      fc.array(scanner, { minLength: 5, maxLength: 5 }),
      (rules, scanners) => {
        const routing = compileRules(rules, ({ id: ruleId }, { id: targetId }) => ({ ruleId, targetId }));
        for (const one of scanners) {
          const choice = routing.choose(one);
          decisions++;
          if (choice) chosen++;
          expect(choice).toEqual(chooseNaively(rules, one));
        }
      },
    ),
    { numRuns: ciScale(5000, 500) },
  );
  // A model of which no rule ever applied would agree about nothing.
  expect(chosen / decisions).toBeGreaterThan(0.3);
});

test('in every time zone, windows follow the wall clock through each change of clocks', () => {
  const step = 15 * 60_000;
  let changes = 0;
  const tried = zones.filter((_zone, n) => isFullSize || n % 10 === 0);
  for (const timezone of tried) {
    for (const atMs of clockChangesOf(timezone)) {
      changes++;
      for (let ms = atMs - 26 * 60 * 60_000; ms <= atMs + 26 * 60 * 60_000; ms += step) {
        const windows: TimeWindow[] = [
          { days: ['sun', 'tue', 'fri'], from: '22:15', to: '02:30' },
          { days: ['mon', 'sat'], from: '02:30', to: '03:15' },
        ];
        const rules: Rule[] = [{ ...always, when: { time: { timezone, windows } } }];
        const one = { ...anyone, atMs: ms };
        expect(
          compileRules(rules, ({ id: ruleId }) => ruleId).choose(one) !== null,
          `${timezone} ${new Date(ms).toISOString()}`,
        ).toBe(chooseNaively(rules, one) !== null);
      }
    }
  }
  // Most zones have no change at all; the others have two.
  expect(changes).toBeGreaterThan(tried.length / 3);
});

/** When the offset of a zone changes in 2026, found by halving. */
function clockChangesOf(timezone: string): number[] {
  const offsetOf = createOffset(timezone);
  const found: number[] = [];
  const day = 24 * 60 * 60_000;
  for (let ms = Date.UTC(2026, 0); ms < Date.UTC(2027, 0); ms += day) {
    if (offsetOf(ms) === offsetOf(ms + day)) continue;
    let [low, high] = [ms, ms + day];
    while (high - low > 60_000) {
      const middle = Math.floor((low + high) / 2);
      if (offsetOf(middle) === offsetOf(ms)) low = middle;
      else high = middle;
    }
    found.push(high);
  }
  return found;
}

function createOffset(timezone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  return atMs => format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

const always: Rule = {
  id: uuidFrom('1'.repeat(32)),
  name: '',
  active: true,
  when: {},
  unless: {},
  to: [{ id: uuidFrom('2'.repeat(32)), url: 'https://example.com/', weight: 1, label: '' }],
};
const anyone: Scanner = {
  atMs: 0,
  device: 'ios',
  browser: 'safari',
  country: 'XX',
  region: '',
  city: '',
  languages: [],
  query: new URLSearchParams(),
  placement: '',
  visitor: new Uint8Array(16),
};

/** What the rules say, read as the documentation describes it and without any preparation. */
function chooseNaively(rules: readonly Rule[], one: Scanner): { ruleId: string; targetId: string } | null {
  for (const { id: ruleId, active, when, unless, to } of rules) {
    const isExempt = Object.keys(unless).length > 0 && holdsNaively(unless, one);
    if (active && holdsNaively(when, one) && !isExempt)
      return { ruleId, targetId: drawNaively(to, one.visitor).id };
  }
  return null;
}

function holdsNaively(given: Conditions, one: Scanner): boolean {
  const same = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  return [
    given.device?.some(value => value === one.device),
    given.browser?.some(value => value === one.browser),
    given.country?.some(value => value === one.country),
    given.region?.some(value => same(value.country, one.country) && same(value.region, one.region)),
    given.city?.some(
      value =>
        same(value.country, one.country) &&
        same(value.city, one.city) &&
        (value.region === undefined || same(value.region, one.region)),
    ),
    given.language?.some(range =>
      one.languages.some(
        language => range === '*' || same(`${language}-`.slice(0, range.length + 1), `${range}-`),
      ),
    ),
    given.time?.windows.some(window => isOpenNaively(window, given.time!.timezone, one.atMs)),
    given.date &&
      new Date(one.atMs) >= new Date(given.date.from ?? '1000-01-01') &&
      new Date(one.atMs) < new Date(given.date.until ?? '3000-01-01'),
    given.query?.some(({ name, value }) =>
      [...one.query].some(pair => pair[0] === name && (value === undefined || pair[1] === value)),
    ),
    given.placement?.some(value => value === one.placement),
  ].every(holds => holds !== false);
}

/** Compares texts such as `2026-03-29 02:30`: each window of this day and of the day before is written out. */
function isOpenNaively({ days, from, to }: TimeWindow, timezone: string, atMs: number): boolean {
  const local = new Date(atMs).toLocaleString('sv-SE', { timeZone: timezone }).slice(0, 16);
  const today = local.slice(0, 10);
  return [addDays(today, -1), today].some(began => {
    const name = weekdays[(new Date(began).getUTCDay() + 6) % 7]!;
    const ends = to <= from ? addDays(began, 1) : began;
    return days.includes(name) && `${began} ${from}` <= local && local < `${ends} ${to}`;
  });
}

const addDays = (date: string, count: number) =>
  new Date(Date.parse(date) + count * 24 * 60 * 60_000).toISOString().slice(0, 10);

function drawNaively(targets: readonly RuleTarget[], visitor: Uint8Array): RuleTarget {
  const hex = Buffer.from(visitor).toString('hex');
  const words = [0, 8, 16, 24].map(at => BigInt(`0x${hex.slice(at, at + 8)}`));
  const scores = targets.map(({ id: targetId, weight }) => {
    const bytes = targetId.replaceAll('-', '');
    const [first, second] = [BigInt(`0x${bytes.slice(16, 24)}`), BigInt(`0x${bytes.slice(24)}`)];
    let high = mixNaively(words[0]! ^ first);
    let low = mixNaively(words[1]! ^ second ^ high);
    high = mixNaively(words[2]! ^ high ^ low);
    low = mixNaively(words[3]! ^ low ^ ((high * 0x9e3779b1n) & 0xffffffffn));
    const x = ((high >> 12n) << 32n) | low;
    return -weight / Math.log((Number(x) + 0.5) / 2 ** 52);
  });
  return targets[scores.indexOf(Math.max(...scores))]!;
}

function mixNaively(word: bigint): bigint {
  const mask = 0xffffffffn;
  let h = ((word ^ (word >> 16n)) * 0x85ebca6bn) & mask;
  h = ((h ^ (h >> 13n)) * 0xc2b2ae35n) & mask;
  return h ^ (h >> 16n);
}
