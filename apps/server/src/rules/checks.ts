import { maxRulesBytes } from '@signpost/contract/values.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { CodeRulesChange, WantedRule } from './code-rules.ts';
import { findUnknownMacro } from './query.ts';
import type { Conditions, Rule } from './rule.ts';
import { isRealDay } from './wire.ts';

/** Refuses what the schema accepts but no rule can mean. */
export function checkRules({ rules = [], appendQuery = {} }: CodeRulesChange): void {
  for (const [index, rule] of rules.entries()) {
    checkConditions(rule.when, `rules.${index}.when`);
    checkConditions(rule.unless, `rules.${index}.unless`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(rules));
  if (bytes > maxRulesBytes)
    throw invalid('rules', `The rules take ${bytes} bytes of JSON, and ${maxRulesBytes} are allowed.`);
  for (const [name, value] of Object.entries(appendQuery)) {
    const text = findUnknownMacro(value);
    const param = `append_query.${name}`;
    if (text !== null)
      throw new AppError(
        'invalid_request',
        `${text} in ${param} is none of the texts that are replaced. Leave the braces out.`,
        { param },
      );
  }
}

function checkConditions({ time, date }: Conditions, path: string): void {
  if (time) {
    if (!isTimeZone(time.timezone))
      throw invalid(
        `${path}.time.timezone`,
        `${time.timezone} is not a time zone. Use a name such as Europe/Berlin.`,
      );
    for (const [index, { from, to }] of time.windows.entries())
      if (from === to)
        throw invalid(
          `${path}.time.windows.${index}.from`,
          'A window begins and ends at the same time. For a whole day, write 00:00 to 24:00.',
        );
  }
  if (!date) return;
  for (const edge of ['from', 'until'] as const)
    if (date[edge] !== undefined && !isRealDay(date[edge]))
      throw invalid(`${path}.date.${edge}`, `${date[edge]} is a day that does not exist.`);
  const { from, until } = date;
  if (from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until))
    throw invalid(`${path}.date.until`, 'until must be later than from: no moment lies between them.');
}

/** Names that are known to be time zones: to ask takes a tenth of a millisecond. In any case of letters, so they are bounded. */
const knownZones = new Set<string>();
const maxKnownZones = 1000;

function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    if (knownZones.size < maxKnownZones) knownZones.add(name);
    return true;
  } catch {
    return false;
  }
}

const invalid = (param: string, message: string) => new AppError('invalid_rule', message, { param });

/** The ids that rules of a code have or had: only these may be sent back. */
export type KnownIds = { readonly rules: ReadonlySet<Uuid>; readonly targets: ReadonlySet<Uuid> };

export const idsOfRules = (rules: readonly Rule[]): KnownIds => ({
  rules: new Set(rules.map(({ id }) => id)),
  targets: new Set(rules.flatMap(({ to }) => to.map(({ id }) => id))),
});

export const noIds: KnownIds = { rules: new Set(), targets: new Set() };

/** The rules with their ids: those that were sent back, and new ones for the others. */
export function withIds(wanted: readonly WantedRule[], known: KnownIds, ids: Pick<Ids, 'next'>): Rule[] {
  const used = new Set<Uuid>();
  const keep = (id: Uuid | null, of: ReadonlySet<Uuid>, param: string): Uuid => {
    if (id === null) return ids.next();
    if (!of.has(id))
      throw invalid(param, `${param} is not an id of this code. Leave it out for something new.`);
    if (used.has(id)) throw invalid(param, `${param} is there twice. Leave it out for something new.`);
    used.add(id);
    return id;
  };
  return wanted.map((rule, index) => ({
    ...rule,
    id: keep(rule.id, known.rules, `rules.${index}.id`),
    to: rule.to.map((target, at) => ({
      ...target,
      id: keep(target.id, known.targets, `rules.${index}.to.${at}.id`),
    })),
  }));
}
