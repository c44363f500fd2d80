import type { RuleWarning } from '@signpost/contract';
import { assertNever } from '../kernel/errors.ts';
import { ruleInWords } from './explain.ts';
import { listPlaces, type PlaceNames, placeInWords } from './place-names.ts';
import type { Conditions, Rule } from './rule.ts';

type RuleToCheck = Pick<Rule, 'name' | 'active' | 'when' | 'unless'>;

type Known = {
  /** Keys of the code's placements. */
  readonly placements: readonly string[];
  /** Null where no rule names a place, or the files cannot be read. */
  readonly places: PlaceNames | null;
};

/** A long list is shown by its beginning. */
const maxWarnings = 50;

/** What no scan can have: such a rule or value does nothing, silently. It may be saved all the same. */
export function warnOfRules(rules: readonly RuleToCheck[], known: Known): RuleWarning[] {
  const placements = new Set(known.placements);
  const warnings = rules.flatMap(({ name, when, unless }, index) =>
    [when, unless]
      .flatMap(conditions => warnOfConditions(conditions, placements, known.places))
      .map(warning => ({ ...warning, rule_index: index, rule_name: name })),
  );
  const byWords = new Map(
    [...warnings, ...warnOfUnreached(rules)].map(warning => [warningInWords(warning, rules), warning]),
  );
  const distinct = [...byWords.values()];
  if (distinct.length <= maxWarnings) return distinct;
  return [...distinct.slice(0, maxWarnings), { code: 'more', count: distinct.length - maxWarnings }];
}

/** The same in words, which begin with the rule. */
export function warningInWords(
  { code, rule_index: index = 0, rule_name = '', value = '', before_index = 0, count = 0 }: RuleWarning,
  rules: readonly Pick<RuleToCheck, 'name'>[],
): string {
  const rule = ruleInWords({ name: rule_name, index });
  switch (code) {
    case 'unknown_country':
      return `${rule}: no country has the code ${value}, so no scan has it.`;
    case 'unknown_language':
      return `${rule}: ${value} is not the code of a language, so no scan has it. Use a code such as de or pt-BR.`;
    case 'unknown_placement':
      return `${rule}: the code has no placement ${value}, so no scan has it. Add the placement, or use another one.`;
    case 'unknown_place':
      return `${rule}: ${value} is in no place file, so no scan has it. Use the name that scans show.`;
    case 'never_reached':
      return `${rule}: it never applies, because ${ruleInWords({ name: rules[before_index]?.name ?? '', index: before_index })} comes before it and has no conditions.`;
    case 'more':
      return `There are ${count} more warnings.`;
    default:
      return assertNever(code);
  }
}

function warnOfConditions(
  { country = [], language = [], placement = [], ...places }: Conditions,
  placements: ReadonlySet<string>,
  names: PlaceNames | null,
): RuleWarning[] {
  const warn = (code: RuleWarning['code'], values: readonly string[]): RuleWarning[] =>
    values.map(value => ({ code, value }));
  return [
    ...warn(
      'unknown_country',
      country.filter(code => !countries.has(code)),
    ),
    ...warn(
      'unknown_language',
      language.filter(range => !isLanguage(range)),
    ),
    ...warn(
      'unknown_placement',
      placement.filter(key => !placements.has(key)),
    ),
    ...warn(
      'unknown_place',
      listPlaces(places)
        .filter(place => names !== null && !names.has(place))
        .map(placeInWords),
    ),
  ];
}

function warnOfUnreached(rules: readonly RuleToCheck[]): RuleWarning[] {
  const isAlways = ({ active, when, unless }: RuleToCheck) =>
    active && Object.keys(when).length === 0 && Object.keys(unless).length === 0;
  const always = rules.findIndex(isAlways);
  if (always < 0) return [];
  return rules.flatMap(({ name, active }, index) =>
    active && index > always
      ? [{ code: 'never_reached' as const, rule_index: index, rule_name: name, before_index: always }]
      : [],
  );
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap(first => letters.map(second => first + second));

/** Codes of two letters that Unicode has a name for. */
const listKnown = (type: 'region' | 'language', codes: readonly string[]) => {
  const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
  return new Set(codes.filter(code => names.of(code) !== undefined));
};

/** Without other spellings (UK for GB) and pseudo-countries, which no scan has; with XX, which stands for an unknown country. */
const isCanonical = (code: string) => new Intl.Locale(`und-${code}`).region === code;
const countries = listKnown('region', pairs.filter(isCanonical)).add('XX');
for (const pseudo of ['ZZ', 'XA', 'XB', 'QO']) countries.delete(pseudo);

const shortLanguages = listKnown(
  'language',
  pairs.map(pair => pair.toLowerCase()),
);

/** Codes of three letters are too many to know: those are believed. */
function isLanguage(range: string): boolean {
  const [primary = ''] = range.toLowerCase().split('-', 1);
  return primary === '*' || primary.length === 3 || shortLanguages.has(primary);
}
