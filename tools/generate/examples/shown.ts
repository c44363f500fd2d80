import { createHash } from 'node:crypto';
import { formatId, type IdPrefix, idPrefixes, parseId } from '../../../apps/server/src/kernel/ids.ts';
import { showSecret } from '../../../apps/server/src/webhooks/secret.ts';
import { fixedId } from './past-scans.ts';
import type { Step } from './recorder.ts';

/**
 * Replaces what is different in every run by fixed values of the same form: the same id by the same id throughout, and
 * times by those of the story.
 */
export type Shown = {
  /** A value as it is shown, where `answeredMs` is when the answer was there. */
  value(value: unknown, answeredMs: number): unknown;
  text(text: string): string;
  /** The time of the step in which this happened. */
  time(realMs: number): Date;
};

const id = new RegExp(`\\b(${idPrefixes.join('|')})_[0-9a-hjkmnp-tv-z]{26}\\b`, 'g');
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** How much is left of a minute. */
const wait = /\bWait \d+ s\b/g;
/** The token of a share link. */
const token = /(?<=\/s\/)[0-9a-hjkmnp-tv-z]{32}\b/g;
const apiKey = /\bsk_live_[0-9A-Za-z]{38}\b/g;
/** Not even the form of a key. */
const shownKey = 'sk_live_…mQ7z';
const secret = /\bwhsec_[A-Za-z0-9+/]{43}=/g;

/** An attempt begins this long after what it is about. */
const attemptAfterMs = 84;
const attemptTimes = new Set(['at', 'last_attempt_at', 'failing_since']);
/** What is still to come is shown to five seconds: how long an answer took is not the same in every run. */
const roundedMs = 5_000;
const attemptTookMs = 38;

type Options = {
  readonly steps: readonly Step[];
  /** Real texts and what stands for them, such as the address of the receiver. */
  readonly replaced: ReadonlyMap<string, string>;
};

export function createShown({ steps, replaced }: Options): Shown {
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();
  const secrets = new Map<string, string>();
  const tokens = new Map<string, string>();

  const countOf = (kind: string) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count;
  };

  /** Where the story has a time for this one. What is older was not made by this run, and is the same every time. */
  const stepAt = (realMs: number): Step | undefined => steps.findLast(({ startMs }) => startMs <= realMs);

  function shownId(real: string, prefix: IdPrefix): string {
    const known = ids.get(real);
    if (known) return known;
    const uuid = parseId(prefix, real);
    const step = uuid && stepAt(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16));
    if (!step) return real;
    const count = countOf(prefix);
    const tail = createHash('sha256').update(`${prefix} ${count}`).digest('hex');
    const made = formatId(prefix, fixedId(step.shownMs, count, tail));
    ids.set(real, made);
    return made;
  }

  function shownSecret(real: string): string {
    const known = secrets.get(real);
    if (known) return known;
    // Its bytes say what it is.
    const made = showSecret(Buffer.from(`an example, and no real secret ${countOf('secret')}`));
    secrets.set(real, made);
    return made;
  }

  function shownToken(real: string): string {
    const digest = () =>
      createHash('sha256')
        .update(`token ${countOf('token')}`)
        .digest('hex')
        .slice(0, 32);
    const made = tokens.get(real) ?? digest();
    tokens.set(real, made);
    return made;
  }

  /** The end of a token that was shown before it, or is in the same object; else of an API key. */
  function shownHint(real: string, { url = '' }: Record<string, unknown>): string {
    text(String(url));
    return [...tokens].find(([known]) => known.endsWith(real))?.[1].slice(-4) ?? shownKey.slice(-4);
  }

  function text(given: string): string {
    let shown = given
      .replace(id, (real, prefix: IdPrefix) => shownId(real, prefix))
      .replace(secret, shownSecret)
      .replace(token, shownToken)
      .replace(apiKey, shownKey)
      .replace(wait, 'Wait 58 s')
      .replace(time, real => shownTime(Date.parse(real)) ?? real);
    for (const [real, other] of replaced) shown = shown.replaceAll(real, other);
    return shown;
  }

  const shownTime = (realMs: number, afterMs = 0): string | null => {
    const step = stepAt(realMs);
    return step ? new Date(step.shownMs + afterMs).toISOString() : null;
  };

  /** A time that is still to come, after the one that the same object tells of. */
  function future(real: string, siblings: Record<string, unknown>): string {
    const name = typeof siblings.last_attempt_at === 'string' ? 'last_attempt_at' : 'updated_at';
    const sinceMs = Date.parse(String(siblings[name]));
    const waitMs = Math.round((Date.parse(real) - sinceMs) / roundedMs) * roundedMs;
    return shownTime(sinceMs, afterOf(name) + waitMs) ?? real;
  }

  const afterOf = (key: string) => (attemptTimes.has(key) ? attemptAfterMs : 0);

  function field(
    key: string,
    value: unknown,
    siblings: Record<string, unknown>,
    answeredMs: number,
  ): unknown {
    if (key === 'duration_ms') return attemptTookMs;
    if (key === 'last_four') return shownHint(String(value), siblings);
    if (typeof value !== 'string' || value.match(time)?.[0] !== value) return shown(value, answeredMs);
    const realMs = Date.parse(value);
    if (realMs > answeredMs) return future(value, siblings);
    return shownTime(realMs, afterOf(key)) ?? value;
  }

  function shown(value: unknown, answeredMs: number): unknown {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(item => shown(item, answeredMs));
    if (value === null || typeof value !== 'object') return value;
    const siblings = value as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(siblings).map(([key, item]) => [key, field(key, item, siblings, answeredMs)]),
    );
  }

  return {
    value: shown,
    text,
    time(realMs) {
      const step = stepAt(realMs);
      if (!step) throw new Error(`${new Date(realMs).toISOString()} is before the story`);
      return new Date(step.shownMs);
    },
  };
}
