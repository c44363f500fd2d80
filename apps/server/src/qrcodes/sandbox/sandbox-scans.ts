import { createHash, randomBytes } from 'node:crypto';
import type { SendTestScans } from '@signpost/contract';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { type Ids, parseId, type Uuid, uuidFrom, zeroId } from '../../kernel/ids.ts';
import { defaultFields, type Scan } from '../../scans/scan.ts';
import { toWindowName, visitorBytes, type WindowKind } from '../../scans/visitor.ts';
import type { Owner, QrCode } from '../qr-code.ts';

const dayMs = 24 * 60 * 60_000;
/** How far back a test may scan. */
const maxAgeMs = 7 * dayMs;

type Parts = { readonly ids: Ids; readonly clock: Clock; readonly windowKind: WindowKind };

/** The scans of a call: alike but for their ids and visitors, which are random. */
export function createScans(
  { ids, clock, windowKind }: Parts,
  { accountId, mode }: Owner,
  code: Pick<QrCode, 'id' | 'routing' | 'placements'>,
  wanted: SendTestScans,
): Scan[] {
  const { count = 1, unique = count } = wanted;
  if (unique > count) throw invalid('unique', 'unique must be at most count: a visitor scans at least once.');
  const atMs = parseAt(wanted.at, clock.now().getTime());
  const common = {
    qrCodeId: code.id,
    accountId,
    mode,
    atMs,
    country: wanted.country ?? 'XX',
    region: '',
    city: wanted.city ?? '',
    device: wanted.device ?? 'other',
    browser: wanted.browser ?? 'other',
    window: toWindowName(atMs, windowKind),
    ...defaultFields,
    ...findRoute(code.routing.rules, wanted),
    placement: findPlacement(code.placements, wanted.placement),
    language: wanted.language ?? '',
    sandbox: true,
  } as const;
  const visitors = Array.from({ length: unique }, () => randomBytes(visitorBytes).toString('hex'));
  return Array.from({ length: count }, (_, index) => ({
    ...common,
    id: ids.next(),
    visitor: visitors[index % unique]!,
  }));
}

/** The same for a request that is repeated on the same day, so that its scans are counted once. */
export function deriveBatchId(
  { accountId, mode }: Owner,
  idempotencyKey: string,
  wanted: SendTestScans,
  now: Date,
): Uuid {
  const hash = createHash('sha256')
    .update([accountId, mode, idempotencyKey, JSON.stringify(wanted)].join('\n'))
    .digest();
  const id = hash.subarray(0, 16);
  // The time of the id tells ingest where to look for it.
  id.writeUIntBE(Math.floor(now.getTime() / dayMs) * dayMs, 0, 6);
  id[6] = 0x70 | (id[6]! & 0x0f);
  id[8] = 0x80 | (id[8]! & 0x3f);
  return uuidFrom(id.toString('hex'));
}

function parseAt(text: string | undefined, nowMs: number): number {
  if (text === undefined) return nowMs;
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) throw invalid('at', 'at must be a time in ISO 8601, like 2026-11-15T08:00:00Z.');
  if (atMs > nowMs || atMs < nowMs - maxAgeMs)
    throw invalid('at', 'at must be within the last 7 days, and not in the future.');
  return atMs;
}

function findPlacement(placements: QrCode['placements'], key: string | undefined): string {
  if (key === undefined || key === '') return '';
  if (placements.some(placement => placement.key === key)) return key;
  throw invalid('placement', `The code has no placement with the key ${key}.`);
}

function findRoute(
  rules: QrCode['routing']['rules'],
  { rule_id, target_id }: SendTestScans,
): Pick<Scan, 'ruleId' | 'targetId'> {
  if (rule_id === undefined && target_id === undefined) return { ruleId: zeroId, targetId: zeroId };
  const [ruleId, targetId] = [rule_id && parseId('rul', rule_id), target_id && parseId('tgt', target_id)];
  const rule = rules.find(
    ({ id, to }) =>
      (rule_id ? id === ruleId : true) && (target_id ? to.some(one => one.id === targetId) : true),
  );
  if (!rule)
    throw invalid(
      rule_id === undefined ? 'target_id' : 'rule_id',
      'The code has no rule with this id and target. Read the code to see its rules.',
    );
  if (!targetId && rule.to.length > 1)
    throw invalid('target_id', 'This rule has several targets. Name the one that the scans lead to.');
  return { ruleId: rule.id, targetId: targetId || rule.to[0]!.id };
}

const invalid = (param: string, message: string) => new AppError('invalid_request', message, { param });
