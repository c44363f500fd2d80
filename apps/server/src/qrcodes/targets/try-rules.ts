import { hash } from 'node:crypto';
import type { ReasonCode, RuleReason, RulesTest, TestRules } from '@signpost/contract';
import { preferredLanguages } from '../../kernel/accept-language.ts';
import { toLocation } from '../../kernel/addresses/location.ts';
import type { Standing } from '../../kernel/caller.ts';
import { formatId, type Uuid, zeroId } from '../../kernel/ids.ts';
import type { WantedRule } from '../../rules/code-rules.ts';
import { explainRule, reasonInWords } from '../../rules/explain.ts';
import { createLinkRules, type StoredLinkRules } from '../../rules/link-rules.ts';
import type { PlaceNames } from '../../rules/place-names.ts';
import type { Rule, Scanner } from '../../rules/rule.ts';
import { warningInWords, warnOfRules } from '../../rules/warnings.ts';
import { getAvailability } from '../availability.ts';
import type { QrCode } from '../qr-code.ts';

type Subject = {
  readonly code: QrCode;
  readonly owner: Standing;
  readonly placements: readonly string[];
  /** Rules to try instead of those of the code. */
  readonly draft: readonly WantedRule[] | undefined;
  /** Null where no rule names a place, or the files cannot be read. */
  readonly places: PlaceNames | null;
  readonly now: Date;
};

/** Where a scan would lead, by the decision that redirects use. Nothing is recorded. */
export function testRules(subject: Subject, request: TestRules): RulesTest {
  const { code, draft, placements, places } = subject;
  const rules = draft ? withPlaceholders(draft) : code.routing.rules;
  const warnings = warnOfRules(rules, { placements, places });
  const decided = decide(subject, rules, request);
  return {
    ...decided,
    because: decided.reasons.map(reasonInWords),
    warnings: warnings.map(warning => warningInWords(warning, rules)),
    warning_details: warnings,
  };
}

type Decided = Omit<RulesTest, 'because' | 'warnings' | 'warning_details'>;

function decide(
  { code, owner, placements, now }: Subject,
  rules: readonly Rule[],
  request: TestRules,
): Decided {
  const at = request.at === undefined ? now : new Date(request.at);
  const routing = createLinkRules(JSON.stringify(toStored(code, rules, placements)));
  const { state } = getAvailability(code, owner, at);
  if (state !== 'live') return offAnswer(state, code.status === 'draft' ? null : routing.fallback);
  const scanner = toScanner(
    request,
    at.getTime(),
    routing.findPlacement(request.placement?.toLowerCase() ?? ''),
  );
  const link = { qrCodeId: code.id, location: toLocation(code.destinationUrl) };
  const { location, ruleId, targetId } = routing.chooseRoute(
    link,
    scanner,
    (request.query ?? '').replace(/^\?/, ''),
  );
  const index = rules.findIndex(rule => rule.id === ruleId);
  const tried = index < 0 ? rules : rules.slice(0, index + 1);
  const isSaved = (id: Uuid) => id !== zeroId && !isPlaceholder(id);
  return {
    outcome: 'target',
    rule_id: isSaved(ruleId) ? formatId('rul', ruleId) : null,
    target_id: isSaved(targetId) ? formatId('tgt', targetId) : null,
    rule_index: index < 0 ? null : index,
    url: location,
    reasons: [
      ...tried.map((rule, number) => explainRule(rule, number, scanner)),
      ...(index < 0 ? [{ code: 'no_rule' } satisfies RuleReason] : []),
    ],
  };
}

/** What is stopped for safety has no fallback. */
function offAnswer(state: ReasonCode, fallback: string | null): Decided {
  const url = state === 'suspended' || state === 'held' ? null : fallback;
  return {
    outcome: url === null ? 'page' : 'fallback',
    rule_id: null,
    target_id: null,
    rule_index: null,
    url,
    reasons: [{ code: state }],
  };
}

const toStored = (
  { shortCode, routing }: QrCode,
  rules: readonly Rule[],
  placements: readonly string[],
): StoredLinkRules => ({
  shortCode,
  rules,
  fallback: routing.fallbackUrl,
  startsAtMs: null,
  expiresAtMs: null,
  usedUp: false,
  forward: routing.forwardQuery,
  append: routing.appendQuery,
  placements,
});

/** Rules that are not saved get ids that no saved one has: they begin with the year 1970. */
const placeholderStart = '00000000-0000-7000-8000-';
const isPlaceholder = (id: Uuid) => id.startsWith(placeholderStart);

function withPlaceholders(rules: readonly WantedRule[]): Rule[] {
  let last = 0;
  const id = (given: Uuid | null) => given ?? placeholderStart + (++last).toString(16).padStart(12, '0');
  return rules.map(rule => ({
    ...rule,
    id: id(rule.id),
    to: rule.to.map(target => ({ ...target, id: id(target.id) })),
  }));
}

const toScanner = (request: TestRules, atMs: number, placement: string): Scanner => ({
  atMs,
  device: request.device ?? 'other',
  browser: request.browser ?? 'other',
  country: request.country ?? 'XX',
  region: request.region ?? '',
  city: request.city ?? '',
  languages: preferredLanguages(request.language ?? ''),
  query: new URLSearchParams(request.query ?? ''),
  placement,
  visitor: hash('sha256', request.visitor ?? '', 'buffer').subarray(0, 16),
});
