import { type Conditions, type Scanner, type TimeWindow, weekdays } from './rule.ts';
import { wallClockOf } from './wall-clock.ts';

/** Whether the scanner meets a condition. */
export type Condition = (scanner: Scanner) => boolean;

/** The conditions that are given, ready to be checked, with the cheap ones first. */
export function compileConditions(conditions: Conditions): Condition[] {
  const compiled: Condition[] = [];
  const { date, device, browser, placement, time, query, language, country, region, city } = conditions;
  if (date) compiled.push(dateIn(date));
  if (placement) compiled.push(oneOf(placement, scanner => scanner.placement));
  if (time) compiled.push(timeIn(time));
  if (device) compiled.push(oneOf<string>(device, scanner => scanner.device));
  if (browser) compiled.push(oneOf<string>(browser, scanner => scanner.browser));
  if (query) compiled.push(queryHas(query));
  if (language) compiled.push(languageIn(language));
  if (country) compiled.push(oneOf(country, scanner => scanner.country));
  if (region) compiled.push(regionIn(region));
  if (city) compiled.push(cityIn(city));
  return compiled;
}

function oneOf<Value>(values: readonly Value[], read: (scanner: Scanner) => Value): Condition {
  const set = new Set(values);
  return scanner => set.has(read(scanner));
}

function dateIn({ from, until }: NonNullable<Conditions['date']>): Condition {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  return ({ atMs }) => fromMs <= atMs && atMs < untilMs;
}

function timeIn({ timezone, windows }: NonNullable<Conditions['time']>): Condition {
  const clock = wallClockOf(timezone);
  const compiled = windows.map(windowIn);
  return ({ atMs }) => {
    const { day, minute } = clock(atMs);
    return compiled.some(isIn => isIn(day, minute));
  };
}

function windowIn({ days, from, to }: TimeWindow): (day: number, minute: number) => boolean {
  const isDay = weekdays.map(name => days.includes(name));
  const [fromMinute, toMinute] = [minuteOf(from), minuteOf(to)];
  if (fromMinute < toMinute) return (day, minute) => isDay[day]! && fromMinute <= minute && minute < toMinute;
  // Past midnight: the end of the window falls on the day after the one that it belongs to.
  return (day, minute) =>
    (isDay[day]! && fromMinute <= minute) || (isDay[(day + 6) % 7]! && minute < toMinute);
}

export function minuteOf(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function queryHas(pairs: NonNullable<Conditions['query']>): Condition {
  return ({ query }) =>
    pairs.some(({ name, value }) =>
      value === undefined ? query.has(name) : query.getAll(name).includes(value),
    );
}

/** Basic filtering of RFC 4647: a range matches a language that is equal to it, or that continues it after a hyphen. */
function languageIn(ranges: readonly string[]): Condition {
  const names = ranges.map(range => ({ name: fold(range), start: `${fold(range)}-` }));
  return ({ languages }) =>
    languages.some(language =>
      names.some(({ name, start }) => name === '*' || language === name || language.startsWith(start)),
    );
}

function regionIn(regions: NonNullable<Conditions['region']>): Condition {
  const countries = countriesOf(regions);
  const known = new Set(regions.map(({ country, region }) => placeKey(country, region)));
  return ({ country, region }) => countries.has(country) && known.has(placeKey(country, region));
}

function cityIn(cities: NonNullable<Conditions['city']>): Condition {
  const countries = countriesOf(cities);
  const anywhere = new Set<string>();
  const inRegion = new Set<string>();
  for (const { country, city, region } of cities)
    region === undefined
      ? anywhere.add(placeKey(country, city))
      : inRegion.add(placeKey(country, region, city));
  return ({ country, region, city }) =>
    countries.has(country) &&
    (anywhere.has(placeKey(country, city)) ||
      (inRegion.size > 0 && inRegion.has(placeKey(country, region, city))));
}

/** Codes of countries have one spelling, so most scanners are told apart before any name is compared. */
const countriesOf = (places: readonly { readonly country: string }[]): ReadonlySet<string> =>
  new Set(places.map(({ country }) => country));

/** No name of a place contains a line break. */
const placeKey = (...names: readonly string[]) => fold(names.join('\n'));

/** Names are compared in lower case. */
export const fold = (text: string) => text.toLowerCase();
