import type { Conditions, Rule, TimeWindow } from './rule.ts';

/** Enough to tell rules apart. A city rule may name hundreds of places. */
const maxLength = 500;

/** When a rule applies, on one line for operators: `device ios, android; country DE; except language de`. */
export function describeConditions({ when, unless }: Pick<Rule, 'when' | 'unless'>): string {
  const [applies, except] = [parts(when).join('; '), parts(unless).join('; ')];
  const text = `${applies || 'always'}${except && `; except ${except}`}`;
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
}

function parts(conditions: Conditions): string[] {
  const { device, browser, country, region, city, language, time, date, query, placement } = conditions;
  const list = (name: string, values: readonly string[] | undefined) =>
    values ? [`${name} ${values.join(', ')}`] : [];
  return [
    ...list('device', device),
    ...list('browser', browser),
    ...list('country', country),
    ...list(
      'region',
      region?.map(place => `${place.region} (${place.country})`),
    ),
    ...list(
      'city',
      city?.map(place => `${place.city} (${[place.region, place.country].filter(Boolean).join(', ')})`),
    ),
    ...list('language', language),
    ...(time ? [`time ${time.windows.map(describeTimeWindow).join(', ')} ${time.timezone}`] : []),
    ...(date
      ? [`date${date.from ? ` from ${date.from}` : ''}${date.until ? ` until ${date.until}` : ''}`]
      : []),
    ...list(
      'query',
      query?.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)),
    ),
    ...list('placement', placement),
  ];
}

const describeTimeWindow = ({ days, from, to }: TimeWindow) => `${days.join(' ')} ${from}–${to}`;
