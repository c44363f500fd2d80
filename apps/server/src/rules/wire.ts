import type { RuleBody, UpdateQrCode, Rule as WireRule } from '@signpost/contract';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId, type Uuid } from '../kernel/ids.ts';
import type { CodeRules, CodeRulesChange, WantedRule } from './code-rules.ts';
import type { Conditions, Rule } from './rule.ts';

type RulesBody = Pick<
  UpdateQrCode,
  'rules' | 'fallback_url' | 'starts_at' | 'expires_at' | 'max_scans' | 'forward_query' | 'append_query'
>;

/** What a body says about routing; undefined where it says nothing. Null stands for the default of each field. */
export function toRulesChange(body: RulesBody): CodeRulesChange | undefined {
  const { rules, fallback_url, starts_at, expires_at, max_scans, forward_query, append_query } = body;
  const change: CodeRulesChange = {
    ...(rules === undefined ? {} : { rules: toRules(rules ?? []) }),
    ...(fallback_url === undefined ? {} : { fallbackUrl: fallback_url }),
    ...(starts_at === undefined ? {} : { startsAt: readMoment(starts_at, 'starts_at') }),
    ...(expires_at === undefined ? {} : { expiresAt: readMoment(expires_at, 'expires_at') }),
    ...(max_scans === undefined ? {} : { maxScans: max_scans }),
    ...(forward_query === undefined ? {} : { forwardQuery: forward_query }),
    ...(append_query === undefined ? {} : { appendQuery: append_query ?? {} }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

export const toRules = (rules: readonly RuleBody[]): readonly WantedRule[] =>
  rules.map((rule, index) => ({
    id: readId('rul', rule.id, `rules.${index}.id`),
    name: rule.name ?? '',
    active: rule.active ?? true,
    when: (rule.when ?? {}) as Conditions,
    unless: (rule.unless ?? {}) as Conditions,
    to: rule.to.map(({ id, url, weight, label }, target) => ({
      id: readId('tgt', id, `rules.${index}.to.${target}.id`),
      url,
      weight: weight ?? 1,
      label: label ?? '',
    })),
  }));

function readId(prefix: 'rul' | 'tgt', id: string | undefined, param: string): Uuid | null {
  if (id === undefined) return null;
  const uuid = parseId(prefix, id);
  if (uuid === null) throw new AppError('invalid_rule', `${param} is not an id of this code.`, { param });
  return uuid;
}

/** The pattern lets days pass that a month does not have. */
function readMoment(text: string | null, param: string): Date | null {
  if (text === null) return null;
  const moment = new Date(text);
  if (isRealDay(text) && !Number.isNaN(moment.getTime())) return moment;
  throw new AppError('invalid_request', `${param} is a day that does not exist.`, { param });
}

export function isRealDay(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day;
}

export const presentRules = (rules: readonly Rule[]): WireRule[] =>
  rules.map(({ id, name, active, when, unless, to }) => ({
    id: formatId('rul', id),
    name,
    active,
    when: when as WireRule['when'],
    unless: unless as WireRule['unless'],
    to: to.map(target => ({ ...target, id: formatId('tgt', target.id) })),
  }));

export const presentRouting = (routing: CodeRules) => ({
  rules: presentRules(routing.rules),
  fallback_url: routing.fallbackUrl,
  starts_at: routing.startsAt?.toISOString() ?? null,
  expires_at: routing.expiresAt?.toISOString() ?? null,
  max_scans: routing.maxScans,
  forward_query: routing.forwardQuery,
  append_query: { ...routing.appendQuery },
});
