import type { QrCode, RuleBody } from '@signpost/contract';
import { rulesText } from '../../strings/rules.ts';
import { withScheme } from '../codes/destination.ts';

export type Conditions = NonNullable<RuleBody['when']>;
export type ConditionName = keyof Conditions;
export type TimeWindow = NonNullable<Conditions['time']>['windows'][number];

/** A rule while it is edited. The number stays with it, whatever its place is. */
export type RuleDraft = {
  readonly number: number;
  readonly id?: string | undefined;
  readonly name: string;
  readonly active: boolean;
  readonly when: Conditions;
  readonly unless: Conditions;
  readonly to: readonly TargetDraft[];
};

export type TargetDraft = {
  readonly number: number;
  readonly id?: string | undefined;
  readonly url: string;
  readonly weight: number;
  readonly label: string;
};

export const draftsOf = (rules: QrCode['rules']): RuleDraft[] =>
  rules.map((rule, number) => ({
    ...rule,
    number,
    when: rule.when as Conditions,
    unless: rule.unless as Conditions,
    to: rule.to.map((target, at) => ({ ...target, number: at })),
  }));

/** As the API takes them. Ids are sent back, so that figures continue. */
export const bodyOf = (drafts: readonly RuleDraft[]): RuleBody[] =>
  drafts.map(({ id, name, active, when, unless, to }) => ({
    ...(id === undefined ? {} : { id }),
    name,
    active,
    when,
    unless,
    to: to.map(target => ({
      ...(target.id === undefined ? {} : { id: target.id }),
      url: withScheme(target.url),
      weight: target.weight,
      label: target.label,
    })),
  }));

/** Asked at every letter: of rules that nobody touched it is enough that they are the same objects. */
export const isSame = (a: readonly RuleDraft[], b: readonly RuleDraft[]): boolean =>
  a.length === b.length &&
  a.every((one, at) => one === b[at] || JSON.stringify(bodyOf([one])) === JSON.stringify(bodyOf([b[at]!])));

export function move<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = [...items];
  const [item] = moved.splice(from, 1);
  if (item === undefined || to < 0 || to > moved.length) return [...items];
  moved.splice(to, 0, item);
  return moved;
}

export const nextNumber = (items: readonly { readonly number: number }[]): number =>
  1 + Math.max(-1, ...items.map(({ number }) => number));

export const nameOf = ({ name }: Pick<RuleDraft, 'name'>): string => name || rulesText.names.unnamed;

export type TemplateName = keyof typeof rulesText.templates;

type NewRule = Omit<RuleDraft, 'number'>;
const emptyTarget = { number: 0, url: '', weight: 1, label: '' };
const rule = (name: string, when: Conditions, targets = 1): NewRule => ({
  name,
  active: true,
  when,
  unless: {},
  to: Array.from({ length: targets }, (_, number) => ({ ...emptyTarget, number })),
});

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
const { names } = rulesText;

/** What people begin with. Where it takes two rules, there are two. */
export const templates: Readonly<Record<TemplateName, (zone: string, now: Date) => readonly NewRule[]>> = {
  blank: () => [rule('', {})],
  stores: () => [rule(names.ios, { device: ['ios'] }), rule(names.android, { device: ['android'] })],
  hours: zone => [
    rule(names.hours, {
      time: { timezone: zone, windows: [{ days: [...weekdays], from: '09:00', to: '17:00' }] },
    }),
  ],
  // Which ones is for the owner to say.
  country: () => [rule(names.country, { country: [] })],
  language: () => [rule(names.language, { language: [] })],
  date: (_zone, now) => [rule(names.date, { date: { from: now.toISOString() } })],
  split: () => [rule(names.split, {}, 2)],
};

export function addTemplate(
  drafts: readonly RuleDraft[],
  name: TemplateName,
  zone: string,
  now: Date,
): RuleDraft[] {
  const first = nextNumber(drafts);
  return [...drafts, ...templates[name](zone, now).map((added, n) => ({ ...added, number: first + n }))];
}

/** What a new condition begins with. */
export const newCondition = (name: ConditionName, zone: string, now: Date): Conditions => {
  switch (name) {
    case 'device':
      return { device: ['ios', 'android'] };
    case 'time':
      return templates.hours(zone, now)[0]!.when;
    case 'date':
      return { date: { from: now.toISOString() } };
    default:
      return { [name]: [] } as Conditions;
  }
};

/** Conditions that can be edited here; the others are shown and kept. */
export const editable = ['device', 'country', 'language', 'time', 'date', 'query', 'placement'] as const;

const colors = ['blue', 'orange', 'teal', 'grape', 'yellow', 'cyan', 'pink', 'lime'] as const;

/** The colour of a rule by its place, the same on its card and in the week. */
export const colorOf = (place: number): string =>
  place < 0
    ? 'var(--mantine-color-default-border)'
    : `var(--mantine-color-${colors[place % colors.length]}-6)`;
