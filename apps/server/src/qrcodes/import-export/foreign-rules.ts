import type { CreateQrCode, RuleBody } from '@signpost/contract';

/** Where a link of another service leads by rules, as a request for a code; and what of it cannot be kept. */
export type ForeignRules = {
  readonly routing: Pick<CreateQrCode, 'rules' | 'fallback_url' | 'starts_at' | 'expires_at' | 'max_scans'>;
  readonly notes: readonly string[];
};

type Fields = Readonly<Record<string, unknown>>;

/** Dub tries iOS, then Android, then countries, and splits what is left. */
export function readDubRules(record: Fields): ForeignRules {
  const { read, moment, notes } = createReader(record);
  const countries = Object.entries(toObject(read('geo')));
  const variants = toList(read('testVariants')).map(toObject);
  const rules: RuleBody[] = [
    ...(['ios', 'android'] as const).flatMap(device => {
      const url = toText(read(device));
      return url === '' ? [] : [{ name: deviceNames[device], when: { device: [device] }, to: [{ url }] }];
    }),
    ...countries.map(([country, url]) => ({
      name: country,
      when: { country: [country.toUpperCase()] },
      to: [{ url: toText(url) }],
    })),
    ...(variants.length === 0
      ? []
      : [
          {
            name: 'A/B test',
            to: variants.map(({ url, percentage }) => ({
              url: toText(url),
              weight: Math.max(1, Math.round(Number(percentage) || 1)),
            })),
          },
        ]),
  ];
  const expired = toText(read('expiredUrl'));
  const expiresAt = moment('expiresAt');
  const routing = {
    ...(rules.length === 0 ? {} : { rules }),
    ...(expired === '' ? {} : { fallback_url: expired }),
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
  };
  return { routing, notes };
}

const deviceNames = { ios: 'iOS', android: 'Android' } as const;

/** Shlink has its rules apart from the list of links: a file has them only where both were put together. */
export function readShlinkRules(record: Fields): ForeignRules {
  const { read, moment, notes } = createReader({ ...toObject(record.meta), ...record });
  const others = toList(read('redirectRules')).map(toObject);
  const rules = others
    .toSorted((a, b) => Number(a.priority ?? 0) - Number(b.priority ?? 0))
    .flatMap((rule, index): RuleBody[] => {
      const when = shlinkConditions(toList(rule.conditions).map(toObject));
      if (typeof when === 'object') return [{ when, to: [{ url: toText(rule.longUrl) }] }];
      notes.push(`its rule ${index + 1} cannot be kept: ${when}`);
      return [];
    });
  if (read('hasRedirectRules') === true && others.length === 0)
    notes.push('it has rules there, which are not in the file');
  const startsAt = moment('validSince');
  const expiresAt = moment('validUntil');
  const visits = Number(read('maxVisits') ?? 0);
  const routing = {
    ...(rules.length === 0 ? {} : { rules }),
    ...(startsAt === null ? {} : { starts_at: startsAt }),
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    // Visits of before are not imported: the limit counts from now on.
    ...(Number.isInteger(visits) && visits > 0 ? { max_scans: visits } : {}),
  };
  return { routing, notes };
}

type When = NonNullable<RuleBody['when']>;

/** All of them must hold there and here; the reason where one has no counterpart. */
function shlinkConditions(conditions: readonly Fields[]): When | string {
  const when: { -readonly [Name in keyof When]: When[Name] } = {};
  for (const { type, matchKey, matchValue } of conditions) {
    const added = shlinkCondition(toText(type), toText(matchKey), toText(matchValue));
    if (!added) return `there is no condition here for ${toText(type)} ${toText(matchValue)}`.trimEnd();
    for (const [name, value] of Object.entries(added)) {
      // A list holds where one of its values does, so two conditions of a kind cannot be one list.
      if (name in when && name !== 'date') return `it has two conditions of the kind ${toText(type)}`;
      const known = when[name as keyof When];
      Object.assign(when, { [name]: name === 'date' ? { ...known, ...value } : value });
    }
  }
  return when;
}

function shlinkCondition(type: string, key: string, value: string): When | null {
  const at = toIsoMoment(value);
  switch (type) {
    case 'device': {
      const device = shlinkDevices[value];
      return device ? { device: [...device] } : null;
    }
    case 'browser': {
      const browser = shlinkBrowsers.find(name => name === value);
      return browser ? { browser: [browser] } : null;
    }
    case 'language':
      return { language: [value.replace('_', '-')] };
    case 'query-param':
      return { query: [{ name: key, value }] };
    case 'any-value-query-param':
      return { query: [{ name: key }] };
    case 'valueless-query-param':
      return { query: [{ name: key, value: '' }] };
    case 'geolocation-country-code':
      return { country: [value.toUpperCase()] };
    case 'before-date':
      return at === null ? null : { date: { until: at } };
    case 'after-date':
      return at === null ? null : { date: { from: at } };
    default:
      return null;
  }
}

/** Shlink tells desktops apart by their system, which we do not. */
const shlinkDevices: Readonly<Record<string, readonly ('ios' | 'android' | 'desktop')[] | undefined>> = {
  ios: ['ios'],
  android: ['android'],
  mobile: ['ios', 'android'],
  desktop: ['desktop'],
};
const shlinkBrowsers = ['safari', 'chrome', 'firefox', 'edge'] as const;

/** Reads fields whatever the case and punctuation of their names: titles of a CSV differ in both. */
function createReader(record: Fields) {
  const notes: string[] = [];
  const fields = new Map(Object.entries(record).map(([name, value]) => [normalize(name), value]));
  const read = (name: string): unknown => fields.get(normalize(name));
  const moment = (name: string): string | null => {
    const text = toText(read(name));
    const at = toIsoMoment(text);
    if (text !== '' && at === null) notes.push(`its ${name} cannot be read`);
    return at;
  };
  return { read, moment, notes };
}

const normalize = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function toIsoMoment(text: string): string | null {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
}

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

const toObject = (value: unknown): Fields => {
  const found = parsed(value);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Fields) : {};
};

const toList = (value: unknown): readonly unknown[] => {
  const found = parsed(value);
  return Array.isArray(found) ? found : [];
};

/** A cell of a CSV may hold JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // Text that only looks like JSON has no fields.
    return null;
  }
}
