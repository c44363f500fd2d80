import type { Uuid } from '../kernel/ids.ts';
import type { Rule } from './rule.ts';

/** What decides where a code leads, besides its destination. */
export type CodeRules = {
  /** In the order in which they are tried. */
  readonly rules: readonly Rule[];
  /** Where scanners go while the code is off. */
  readonly fallbackUrl: string | null;
  readonly startsAt: Date | null;
  readonly expiresAt: Date | null;
  /** Scans in total after which it stops. */
  readonly maxScans: number | null;
  /** Whether the query of the short link is passed on to the destination. */
  readonly forwardQuery: boolean;
  /** Parameters that are appended to the destination, in order. */
  readonly appendQuery: AppendedQuery;
};

export type AppendedQuery = Readonly<Record<string, string>>;

/** A rule as it is asked for: those that are new have no ids yet. */
export type WantedRule = Omit<Rule, 'id' | 'to'> & {
  readonly id: Uuid | null;
  readonly to: readonly (Omit<Rule['to'][number], 'id'> & { readonly id: Uuid | null })[];
};

/** What an edit sets; what is left out stays. */
export type CodeRulesChange = { readonly [Field in keyof Omit<CodeRules, 'rules'>]?: CodeRules[Field] } & {
  readonly rules?: readonly WantedRule[];
};

export const noRules: CodeRules = {
  rules: [],
  fallbackUrl: null,
  startsAt: null,
  expiresAt: null,
  maxScans: null,
  forwardQuery: false,
  appendQuery: {},
};

/** The same as if all rules were new. */
export const withoutIds = (change: CodeRulesChange | undefined): CodeRulesChange | undefined =>
  change?.rules
    ? {
        ...change,
        rules: change.rules.map(rule => ({
          ...rule,
          id: null,
          to: rule.to.map(target => ({ ...target, id: null })),
        })),
      }
    : change;

/** A URL that a code can lead to, with the name of its field. */
export type NamedUrl = { readonly param: string; readonly url: string };

export const listRuleUrls = ({ rules = [], fallbackUrl }: CodeRulesChange): NamedUrl[] => [
  ...rules.flatMap(({ to }, rule) =>
    to.map(({ url }, target) => ({ param: `rules.${rule}.to.${target}.url`, url })),
  ),
  ...(fallbackUrl ? [{ param: 'fallback_url', url: fallbackUrl }] : []),
];
