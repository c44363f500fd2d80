import { type Conditions, type Scanner, type TimeWindow, weekdays } from './rule.ts';
import { bitsWhere, type RuleBits } from './rule-bits.ts';
import { getWallClock } from './wall-clock.ts';

/** Which of several rules a scanner meets. */
export type Matcher = (scanner: Scanner) => RuleBits;

/**
 * Matches the conditions of all rules at once, so that fifty take hardly longer than one: for each kind of condition it finds
 * the rules that the scanner meets, or that have none of that kind, and keeps what is left. Cheap kinds come first. A rule
 * without conditions is always met.
 */
export function compileConditions(rules: readonly Conditions[]): Matcher {
  const kinds = compilers.flatMap(compile => compile(rules) ?? []);
  const all = bitsWhere(rules, () => true);
  return scanner => {
    let { low, high } = all;
    for (const match of kinds) {
      const met = match(scanner);
      low &= met.low;
      high &= met.high;
      if ((low | high) === 0) break;
    }
    return { low, high };
  };
}

/** Compiles the conditions of one kind; null where no rule has any. */
type Compiler = (rules: readonly Conditions[]) => Matcher | null;

const compilers: readonly Compiler[] = [
  moments,
  oneOf(
    ({ placement }) => placement,
    scanner => scanner.placement,
  ),
  oneOf(
    ({ device }) => device,
    scanner => scanner.device,
  ),
  oneOf(
    ({ browser }) => browser,
    scanner => scanner.browser,
  ),
  queries,
  languages,
  oneOf(
    ({ country }) => country,
    scanner => scanner.country,
  ),
  regions,
  cities,
];

type Values = (conditions: Conditions) => readonly string[] | undefined;

/** A condition that lists values, of which a scanner has exactly one. */
function oneOf(getValues: Values, read: (scanner: Scanner) => string): Compiler {
  return rules => {
    const table = buildTable(rules, getValues);
    return table && (scanner => table.metBy.get(read(scanner)) ?? table.indifferent);
  };
}

type Table = {
  /** For each value that a rule lists: the rules that list it, and the indifferent ones. */
  readonly metBy: ReadonlyMap<string, RuleBits>;
  /** The rules without such a condition. */
  readonly indifferent: RuleBits;
};

function buildTable(rules: readonly Conditions[], getValues: Values): Table | null {
  const listed = rules.map(getValues);
  if (listed.every(values => values === undefined)) return null;
  const rulesOf = new Map<string, Set<number>>();
  for (const [index, values = []] of listed.entries())
    for (const value of values) {
      const known = rulesOf.get(value) ?? new Set();
      rulesOf.set(value, known.add(index));
    }
  const isIndifferent = (index: number) => listed[index] === undefined;
  const indexes = [...listed.keys()];
  // Most values are listed by the same rules as others. They share their bits, of which fewer have to be fetched then.
  const shared = new Map<string, RuleBits>();
  const shareBits = (listing: ReadonlySet<number>): RuleBits => {
    const key = [...listing].join();
    const bits = shared.get(key) ?? bitsWhere(indexes, index => listing.has(index) || isIndifferent(index));
    shared.set(key, bits);
    return bits;
  };
  return {
    metBy: new Map([...rulesOf].map(([value, listing]) => [value, shareBits(listing)])),
    indifferent: bitsWhere(indexes, isIndifferent),
  };
}

function metByAny({ metBy, indifferent }: Table, values: Iterable<string>): RuleBits {
  let met = indifferent;
  for (const value of values) {
    const more = metBy.get(value);
    if (more) met = { low: met.low | more.low, high: met.high | more.high };
  }
  return met;
}

/** Codes of countries have one spelling, so most scanners are told apart before any name is compared. */
function regions(rules: readonly Conditions[]): Matcher | null {
  const table = buildTable(rules, conditions =>
    conditions.region?.map(({ country, region }) => placeKey(country, region)),
  );
  const countries = new Set(
    rules.flatMap(conditions => conditions.region?.map(({ country }) => country) ?? []),
  );
  return (
    table &&
    (({ country, region }) =>
      countries.has(country) ? metByAny(table, [placeKey(country, region)]) : table.indifferent)
  );
}

function cities(rules: readonly Conditions[]): Matcher | null {
  const table = buildTable(rules, conditions =>
    conditions.city?.map(({ country, city, region }) =>
      region === undefined ? placeKey(country, city) : placeKey(country, region, city),
    ),
  );
  const countries = new Set(
    rules.flatMap(conditions => conditions.city?.map(({ country }) => country) ?? []),
  );
  return (
    table &&
    (({ country, region, city }) =>
      countries.has(country)
        ? metByAny(table, [placeKey(country, city), placeKey(country, region, city)])
        : table.indifferent)
  );
}

const minuteMs = 60_000;

/** Dates and times of day. What is met changes with a date or with a minute, and is kept until then. */
function moments(rules: readonly Conditions[]): Matcher | null {
  if (rules.every(({ date, time }) => !date && !time)) return null;
  const tests = rules.map(({ date, time }) => {
    const [isDate, isTime] = [date && compileDate(date), time && compileTime(time)];
    return (atMs: number) => (isDate?.(atMs) ?? true) && (isTime?.(atMs) ?? true);
  });
  const changes = rules.flatMap(({ date = {} }) =>
    [date.from, date.until].flatMap(at => (at === undefined ? [] : [Date.parse(at)])),
  );
  let [fromMs, untilMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let met = bitsWhere(rules, () => false);
  return ({ atMs }) => {
    if (atMs < fromMs || atMs >= untilMs) {
      const minute = Math.floor(atMs / minuteMs) * minuteMs;
      fromMs = Math.max(minute, ...changes.filter(change => change <= atMs));
      untilMs = Math.min(minute + minuteMs, ...changes.filter(change => change > atMs));
      met = bitsWhere(tests, test => test(atMs));
    }
    return met;
  };
}

function compileDate({ from, until }: NonNullable<Conditions['date']>): (atMs: number) => boolean {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  return atMs => fromMs <= atMs && atMs < untilMs;
}

function compileTime({ timezone, windows }: NonNullable<Conditions['time']>): (atMs: number) => boolean {
  const clock = getWallClock(timezone);
  const compiled = windows.map(compileTimeWindow);
  return atMs => {
    const { day, minute } = clock(atMs);
    return compiled.some(isIn => isIn(day, minute));
  };
}

function compileTimeWindow({ days, from, to }: TimeWindow): (day: number, minute: number) => boolean {
  const isDay = weekdays.map(name => days.includes(name));
  const [fromMinute, toMinute] = [parseMinute(from), parseMinute(to)];
  if (fromMinute < toMinute) return (day, minute) => isDay[day]! && fromMinute <= minute && minute < toMinute;
  // Past midnight: the end of the window falls on the day after the one that it belongs to.
  return (day, minute) =>
    (isDay[day]! && fromMinute <= minute) || (isDay[(day + 6) % 7]! && minute < toMinute);
}

/** Of a time such as 09:30. */
export const parseMinute = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** With the length of the name, so that no name reads like another name and its value. */
const queryKey = (name: string, value?: string) =>
  value === undefined ? `${name.length}:${name}` : `${name.length}:${name}=${value}`;

/** Whoever sends a request may send thousands of parameters: only those that a rule names are looked up. */
function queries(rules: readonly Conditions[]): Matcher | null {
  const table = buildTable(rules, ({ query }) => query?.map(({ name, value }) => queryKey(name, value)));
  const names = new Set(rules.flatMap(({ query }) => query?.map(({ name }) => name) ?? []));
  return (
    table &&
    (({ query }) => {
      if (query.size === 0) return table.indifferent;
      const keys = new Set<string>();
      query.forEach((value, name) => {
        if (names.has(name)) keys.add(queryKey(name)).add(queryKey(name, value));
      });
      return metByAny(table, keys);
    })
  );
}

function languages(rules: readonly Conditions[]): Matcher | null {
  const table = buildTable(rules, ({ language }) => language?.map(fold));
  return table && (scanner => metByAny(table, listRanges(scanner.languages)));
}

/** By list: scans with the same Accept-Language header share theirs. */
const knownRanges = new WeakMap<readonly string[], readonly string[]>();

/**
 * Basic filtering of RFC 4647: a range matches a language that is equal to it, or that continues it after a hyphen. So the
 * ranges that match `de-at` are `de-at`, `de` and `*`.
 */
function listRanges(spoken: readonly string[]): readonly string[] {
  let ranges = knownRanges.get(spoken);
  if (!ranges) {
    const matching = spoken.flatMap(language =>
      language.split('-').map((_, at, parts) => parts.slice(0, at + 1).join('-')),
    );
    ranges = spoken.length === 0 ? [] : [...new Set([...matching, '*'])];
    knownRanges.set(spoken, ranges);
  }
  return ranges;
}

/** No name of a place contains a line break. */
const placeKey = (...names: readonly string[]) => fold(names.join('\n'));

/** Names are compared in lower case. */
export function fold(text: string): string {
  return text.toLowerCase();
}
