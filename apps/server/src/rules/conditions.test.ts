import { describe, expect, test, vi } from 'vitest';
import { compileRules } from './compile-rules.ts';
import { compileConditions, parseMinute } from './conditions.ts';
import type { Conditions, Rule, Scanner } from './rule.ts';
import { getWallClock } from './wall-clock.ts';

const anyone: Scanner = {
  atMs: Date.parse('2026-11-17T12:00:00Z'),
  device: 'ios',
  browser: 'safari',
  country: 'DE',
  region: 'Land Berlin',
  city: 'Berlin',
  languages: ['de-at'],
  query: new URLSearchParams('a=1&a=2&b='),
  placement: 'till',
  visitor: new Uint8Array(16),
};
const holds = (conditions: Conditions, more: Partial<Scanner> = {}) =>
  compileConditions([conditions])({ ...anyone, languages: [...anyone.languages], ...more }).low === 1;

describe('a condition', () => {
  test.each<[Conditions, boolean]>([
    [{}, true],
    [{ device: ['android', 'ios'] }, true],
    [{ device: ['android'] }, false],
    [{ browser: ['safari'] }, true],
    [{ browser: ['chrome', 'edge'] }, false],
    [{ country: ['AT', 'DE'] }, true],
    [{ country: ['XX'] }, false],
    [{ placement: ['till'] }, true],
    [{ placement: ['window'] }, false],
    [{ region: [{ country: 'DE', region: 'land BERLIN' }] }, true],
    [{ region: [{ country: 'AT', region: 'Land Berlin' }] }, false],
    [
      {
        region: [
          { country: 'DE', region: 'Bavaria' },
          { country: 'DE', region: 'Land Berlin' },
        ],
      },
      true,
    ],
    [{ city: [{ country: 'DE', city: 'BERLIN' }] }, true],
    [{ city: [{ country: 'US', city: 'Berlin' }] }, false],
    [{ city: [{ country: 'DE', city: 'Berlin', region: 'land berlin' }] }, true],
    [{ city: [{ country: 'DE', city: 'Berlin', region: 'Bavaria' }] }, false],
    [
      {
        city: [
          { country: 'DE', city: 'Bonn' },
          { country: 'DE', city: 'Berlin', region: 'Land Berlin' },
        ],
      },
      true,
    ],
    [{ language: ['de'] }, true],
    [{ language: ['DE-at'] }, true],
    [{ language: ['de-DE'] }, false],
    [{ language: ['d'] }, false],
    [{ language: ['fr', '*'] }, true],
    [{ query: [{ name: 'a' }] }, true],
    [{ query: [{ name: 'a', value: '2' }] }, true],
    [{ query: [{ name: 'a', value: '3' }] }, false],
    [{ query: [{ name: 'b', value: '' }] }, true],
    [{ query: [{ name: 'c' }, { name: 'b' }] }, true],
    [{ query: [{ name: 'c' }] }, false],
    [{ date: { from: '2026-11-17T12:00:00Z' } }, true],
    [{ date: { from: '2026-11-17T13:00:00.001+01:00' } }, false],
    [{ date: { until: '2026-11-17T12:00:00Z' } }, false],
    [{ date: { until: '2026-11-17T12:00:00.001Z' } }, true],
    [{ date: { from: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z' } }, true],
    [{ device: ['ios'], country: ['AT'] }, false],
    [{ device: ['ios'], country: ['DE'], language: ['de'], placement: ['till'] }, true],
  ])('%j holds: %s', (conditions, expected) => {
    expect(holds(conditions)).toBe(expected);
  });

  test('is not met by an unknown language, whatever the range', () => {
    expect(holds({ language: ['*', 'de'] }, { languages: [] })).toBe(false);
    expect(holds({ language: ['en'] }, { languages: ['de', 'en-us'] })).toBe(true);
  });

  test('of places names no region of one country together with a city of another', () => {
    expect(holds({ region: [{ country: 'DE', region: '' }] }, { region: '' })).toBe(true);
  });

  test('is checked in the order of its cost, so that a cheap one spares the others', () => {
    const conditions: Conditions = {
      city: [{ country: 'DE', city: 'Berlin' }],
      region: [{ country: 'DE', region: 'Land Berlin' }],
      country: ['DE'],
      language: ['de'],
      query: [{ name: 'a' }],
      browser: ['safari'],
      device: ['ios'],
      time: { timezone: 'UTC', windows: [{ days: ['tue'], from: '00:00', to: '24:00' }] },
      placement: ['till'],
      date: { from: '2020-01-01T00:00:00Z' },
    };
    const asked: string[] = [];
    const watched = new Proxy(anyone, {
      get(target, name: keyof Scanner) {
        if (asked.at(-1) !== name) asked.push(name);
        return target[name];
      },
    });
    expect(compileConditions([conditions])(watched).low).toBe(1);
    expect(asked.slice(0, 6)).toEqual(['atMs', 'placement', 'device', 'browser', 'query', 'languages']);
    asked.length = 0;
    expect(compileConditions([{ ...conditions, device: ['android'] }])(watched).low).toBe(0);
    expect(asked).toEqual(['atMs', 'placement', 'device']);
  });

  test('of a language is a whole part of it', () => {
    const speaks = (range: string, ...languages: string[]) => holds({ language: [range] }, { languages });
    for (const range of ['zh', 'zh-Hant', 'zh-hant-TW']) expect(speaks(range, 'zh-hant-tw')).toBe(true);
    for (const range of ['zh-h', 'zhhant', 'hant', 'zh-hant-tw-x', 'z'])
      expect(speaks(range, 'zh-hant-tw')).toBe(false);
    expect(speaks('fr', 'en-gb', 'fr-ca')).toBe(true);
  });

  test('of a place tells the parts of its name apart', () => {
    const at = (region: string, city: string) => ({ country: 'DE', region, city });
    const named = { city: [{ country: 'DE', region: 'Ab', city: 'c' }] };
    expect(holds(named, at('Ab', 'c'))).toBe(true);
    expect(holds(named, at('A', 'bc'))).toBe(false);
    expect(holds({ city: [{ country: 'DE', city: 'Abc' }] }, at('Ab', 'c'))).toBe(false);
    expect(holds({ region: [{ country: 'D', region: 'EAb' }] }, at('Ab', 'c'))).toBe(false);
  });

  test('of a query tells a name from another name with a value', () => {
    const query = (text: string) => ({ query: new URLSearchParams(text) });
    expect(holds({ query: [{ name: 'a', value: '' }] }, query('a='))).toBe(true);
    expect(holds({ query: [{ name: 'a=' }] }, query('a='))).toBe(false);
    expect(holds({ query: [{ name: 'a=b' }] }, query('a=b'))).toBe(false);
    expect(holds({ query: [{ name: 'a', value: 'b' }] }, query('a%3Db'))).toBe(false);
    expect(holds({ query: [{ name: '1:a' }] }, query('a'))).toBe(false);
    expect(holds({ query: [{ name: 'a', value: 'undefined' }] }, query('a=b'))).toBe(false);
  });

  test('of a query finds its parameter among thousands, and among thousands of its own name', () => {
    const named: Conditions = { query: [{ name: 'vip', value: '1' }] };
    for (const other of ['a', 'vip']) {
      const rest = `${other}&`.repeat(4_000);
      expect(holds(named, { query: new URLSearchParams(rest) })).toBe(false);
      expect(holds(named, { query: new URLSearchParams(`${rest}vip=1`) })).toBe(true);
    }
  });

  test('of each of many rules has its own bit', () => {
    const rules = Array.from(
      { length: 64 },
      (_, n): Conditions => (n % 3 === 0 ? { device: ['ios'] } : n % 3 === 1 ? { device: ['android'] } : {}),
    );
    const met = compileConditions(rules)(anyone);
    expect(rules.map((_, n) => ((n < 32 ? met.low : met.high) >>> n) & 1)).toEqual(
      rules.map((_, n) => (n % 3 === 1 ? 0 : 1)),
    );
  });
});

test('dates and minutes are met from their beginning to their end, whatever moment was asked before', () => {
  const startMs = Date.parse('2026-11-17T12:00:00Z');
  const at = (offsetMs: number) => new Date(startMs + offsetMs).toISOString();
  const rules: Conditions[] = [
    { date: { from: at(0), until: at(90_500) } },
    { time: { timezone: 'UTC', windows: [{ days: ['tue'], from: '12:01', to: '12:02' }] } },
    { date: { from: at(30_250) } },
    { date: { until: at(30_250) }, device: ['ios'] },
    {},
  ];
  // By rule: from and until, in milliseconds after the start.
  const open = [
    [0, 90_500],
    [60_000, 120_000],
    [30_250, Infinity],
    [-Infinity, 30_250],
    [-Infinity, Infinity],
  ] as const;
  const edges = open.flat().filter(Number.isFinite);
  const offsets = [...edges, 180_000].flatMap(edge => [edge - 1, edge, edge + 1]);
  const meets = compileConditions(rules);
  for (const first of offsets)
    for (const then of offsets) {
      for (const offset of [first, then]) {
        const expected = open.reduce(
          (bits, [from, until], n) => bits | (from <= offset && offset < until ? 1 << n : 0),
          0,
        );
        expect(meets({ ...anyone, atMs: startMs + offset }).low, `${offset} ms after ${first}`).toBe(
          expected,
        );
      }
    }
});

test('two words hold the bits of 64 rules, and no more', () => {
  const rules = Array.from({ length: 64 }, (_, n): Conditions => (n === 40 ? {} : { country: ['AT'] }));
  expect(compileConditions(rules)(anyone)).toEqual({ low: 0, high: 1 << 8 });
  expect(() => compileConditions([...rules, {}])).toThrow('64');
});

describe('a window of time', () => {
  const open = (
    at: string,
    days: readonly ('mon' | 'tue' | 'wed' | 'sun')[],
    from: string,
    to: string,
    zone = 'UTC',
  ) => holds({ time: { timezone: zone, windows: [{ days, from, to }] } }, { atMs: Date.parse(at) });

  test.each([
    ['2026-11-16T10:59:59Z', false],
    ['2026-11-16T11:00:00Z', true],
    ['2026-11-16T14:29:59Z', true],
    ['2026-11-16T14:30:00Z', false],
    ['2026-11-17T12:00:00Z', false],
  ])('on Mondays from 11:00 to 14:30 is open at %s: %s', (at, expected) => {
    expect(open(at, ['mon'], '11:00', '14:30')).toBe(expected);
  });

  test.each([
    ['2026-11-16T21:59:00Z', false],
    ['2026-11-16T22:00:00Z', true],
    ['2026-11-17T00:00:00Z', true],
    ['2026-11-17T01:59:00Z', true],
    ['2026-11-17T02:00:00Z', false],
    ['2026-11-17T22:00:00Z', false],
    ['2026-11-16T01:00:00Z', false],
  ])('on Mondays from 22:00 to 02:00 is open at %s: %s', (at, expected) => {
    expect(open(at, ['mon'], '22:00', '02:00')).toBe(expected);
  });

  test('on Sundays past midnight ends on Monday', () => {
    expect(open('2026-11-16T00:30:00Z', ['sun'], '23:00', '01:00')).toBe(true);
    expect(open('2026-11-15T00:30:00Z', ['sun'], '23:00', '01:00')).toBe(false);
  });

  test('of a whole day is open from its first to its last minute, on that day alone', () => {
    for (const at of ['2026-11-17T00:00:00Z', '2026-11-17T23:59:59Z'])
      expect(open(at, ['tue'], '00:00', '24:00')).toBe(true);
    for (const at of ['2026-11-16T23:59:59Z', '2026-11-18T00:00:00Z'])
      expect(open(at, ['tue'], '00:00', '24:00')).toBe(false);
  });

  test('is read from the clock of its zone', () => {
    expect(open('2026-11-16T23:30:00Z', ['tue'], '00:00', '01:00', 'Europe/Berlin')).toBe(true);
    expect(open('2026-07-13T22:30:00Z', ['tue'], '00:00', '01:00', 'Europe/Berlin')).toBe(true);
    expect(open('2026-07-13T22:30:00Z', ['tue'], '00:00', '01:00', 'UTC')).toBe(false);
  });

  test.each(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const)(
    'is open on its day of the week: %s',
    name => {
      const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
      // A zone of its own for each, since the clock of a zone is kept.
      const timezone = `Etc/GMT-${days.indexOf(name.toLowerCase() as 'mon') + 1}`;
      const day = name.toLowerCase() as (typeof days)[number];
      const isOpen = days.map((_, n) =>
        holds(
          { time: { timezone, windows: [{ days: [day], from: '00:00', to: '24:00' }] } },
          { atMs: Date.parse(`2026-11-${16 + n}T12:00:00Z`) },
        ),
      );
      expect(isOpen).toEqual(days.map(other => other === day));
    },
  );

  test('reads the clock of a zone once in a minute, for all rules', () => {
    const read = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    const windows = [{ days: ['tue'], from: '00:00', to: '24:00' }] as const;
    const isOpen = (atMs: number) => holds({ time: { timezone: 'Etc/GMT+9', windows } }, { atMs });
    const noon = Date.parse('2026-11-17T12:00:00Z');
    expect([isOpen(noon), isOpen(noon + 59_999)]).toEqual([true, true]);
    expect(read).toHaveBeenCalledTimes(1);
    expect(isOpen(noon + 60_000)).toBe(true);
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
  });

  test('shares the clock of a zone, however often its name is spelled in another way', () => {
    const clock = getWallClock('Asia/Tokyo');
    expect(getWallClock('Asia/Tokyo')).toBe(clock);
    const noon = Date.parse('2026-11-17T12:00:00Z');
    for (let n = 0; n < 1024; n++) {
      const city = [...'copenhagen'].map((letter, i) => ((n >> i) & 1 ? letter.toUpperCase() : letter));
      expect(getWallClock(`Europe/${city.join('')}`)(noon)).toEqual({ day: 1, minute: 13 * 60 });
    }
    // However many spellings owners use, memory stays bounded.
    expect(getWallClock('Asia/Tokyo')).not.toBe(clock);
  });

  test('is one of several', () => {
    const windows = [
      { days: ['tue'], from: '01:00', to: '02:00' },
      { days: ['tue'], from: '11:00', to: '13:00' },
    ] as const;
    expect(holds({ time: { timezone: 'UTC', windows } })).toBe(true);
    expect(holds({ time: { timezone: 'UTC', windows: [windows[0]] } })).toBe(false);
  });

  test('has minutes since midnight', () => {
    expect(['00:00', '01:05', '23:59', '24:00'].map(parseMinute)).toEqual([0, 65, 1439, 1440]);
  });
});

describe('rules', () => {
  const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
    id,
    name: '',
    active: true,
    when: {},
    unless: {},
    to: [
      { id: '00000000-0000-7000-8000-00000000000a', url: `https://example.com/${id}`, weight: 1, label: '' },
    ],
    ...more,
  });
  const chosen = (...rules: Rule[]) => compileRules(rules, ({ id }) => id).choose(anyone);

  test('are tried in order, and the first that applies decides', () => {
    expect(chosen(rule('a', { when: { device: ['android'] } }), rule('b'), rule('c'))).toBe('b');
    expect(chosen(rule('a', { when: { device: ['android'] } }))).toBeNull();
    expect(chosen()).toBeNull();
  });

  test.each([0, 15, 16, 17, 31])('are tried in order, however many there are: %i before it', n => {
    const never = Array.from({ length: n }, (_, at) => rule(`never ${at}`, { when: { country: ['AT'] } }));
    const exempt = never.map(one => ({ ...one, when: {}, unless: { country: ['DE'] } }));
    expect(chosen(...never, rule('a'), rule('b'))).toBe('a');
    expect(chosen(...never, ...exempt, rule('a'), rule('b'))).toBe('a');
    expect(chosen(...exempt, rule('a'), rule('b'))).toBe('a');
    expect(chosen(...never, ...exempt)).toBeNull();
  });

  test('that are switched off are passed over', () => {
    expect(chosen(rule('a', { active: false }), rule('b'))).toBe('b');
  });

  test('do not apply where all conditions of their exception hold', () => {
    expect(chosen(rule('a', { unless: { device: ['ios'] } }), rule('b'))).toBe('b');
    expect(chosen(rule('a', { unless: { device: ['ios'], country: ['AT'] } }), rule('b'))).toBe('a');
    expect(chosen(rule('a', { unless: { country: ['AT'], device: ['ios'] } }), rule('b'))).toBe('a');
    expect(chosen(rule('a', { unless: {} }), rule('b'))).toBe('a');
  });
});
