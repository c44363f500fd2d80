import { parseHost, toLocation } from '../kernel/addresses/location.ts';
import { formatId, toIdBytes, type Uuid, zeroId } from '../kernel/ids.ts';
import type { AppendedQuery } from './code-rules.ts';
import { compileRules, type RuleChooser } from './compile-rules.ts';
import { extendQuery, type MacroValues, type QueryOptions } from './query.ts';
import type { Rule, RuleTarget, Scanner } from './rule.ts';

/** Why a code that is switched on does not redirect. */
export type OffReason = 'not_begun' | 'ended' | 'used_up';

/** Where a scanner is sent, and what the scan says about it. */
export type Route = {
  /** As the Location header carries it. */
  readonly location: string;
  /** Zero: no rule decided. */
  readonly ruleId: Uuid;
  /** Zero: the destination of the code. */
  readonly targetId: Uuid;
  /** Both as bytes, as scans hold them; null where no rule decided. */
  readonly idBytes: Uint8Array | null;
};

/** What decides where a link leads, besides its destination. It is read when a scan first needs it. */
export type LinkRules = {
  /** As PostgreSQL and snapshots hold it. */
  readonly text: string;
  /** The hosts of all URLs that it can lead to, in the form that blocked hosts are stored in. */
  readonly hosts: readonly string[];
  /** Where scanners go while the code is off, as the Location header carries it. */
  readonly fallback: string | null;
  offAt(nowMs: number): OffReason | null;
  /** The placement with this key; empty where there is none. */
  findPlacement(key: string): string;
  chooseRoute(link: RoutedLink, scanner: Scanner, rawQuery: string): Route;
};

type RoutedLink = { readonly qrCodeId: Uuid; readonly location: string };

/** As it is stored, in JSON. */
export type StoredLinkRules = {
  readonly shortCode: string;
  readonly rules: readonly Rule[] | null;
  readonly fallback: string | null;
  readonly startsAtMs: number | null;
  readonly expiresAtMs: number | null;
  readonly usedUp: boolean;
  readonly forward: boolean;
  readonly append: AppendedQuery | null;
  readonly placements: readonly string[] | null;
};

type Compiled = Pick<StoredLinkRules, 'shortCode' | 'startsAtMs' | 'expiresAtMs' | 'usedUp' | 'fallback'> & {
  readonly chooser: RuleChooser<Route> | null;
  readonly query: QueryOptions | null;
  readonly placements: ReadonlySet<string>;
  readonly hosts: readonly string[];
};

export function createLinkRules(text: string): LinkRules {
  let compiled: Compiled | null = null;
  const read = (): Compiled => {
    compiled ??= compile(JSON.parse(text));
    return compiled;
  };
  return {
    text,
    get hosts() {
      return read().hosts;
    },
    get fallback() {
      return read().fallback;
    },
    offAt(nowMs) {
      const { startsAtMs, expiresAtMs, usedUp } = read();
      if (startsAtMs !== null && nowMs < startsAtMs) return 'not_begun';
      if (expiresAtMs !== null && nowMs >= expiresAtMs) return 'ended';
      return usedUp ? 'used_up' : null;
    },
    findPlacement: key => (read().placements.has(key) ? key : ''),
    chooseRoute(link, scanner, rawQuery) {
      const { chooser, query, shortCode } = read();
      const route = chooser?.choose(scanner) ?? routeToDestination(link);
      if (query === null) return route;
      const values = () => macroValues(link.qrCodeId, shortCode, scanner, route);
      return { ...route, location: extendQuery(route.location, rawQuery, query, values) };
    },
  };
}

const routeToDestination = ({ location }: RoutedLink): Route => ({
  location,
  ruleId: zeroId,
  targetId: zeroId,
  idBytes: null,
});

const routeBy = ({ id: ruleId }: Rule, { id: targetId, url }: RuleTarget): Route => ({
  location: toLocation(url),
  ruleId,
  targetId,
  idBytes: toIdBytes(ruleId, targetId),
});

function compile(stored: StoredLinkRules): Compiled {
  const { shortCode, rules, startsAtMs, expiresAtMs, usedUp, forward } = stored;
  const fallback = stored.fallback === null ? null : toLocation(stored.fallback);
  const append = Object.entries(stored.append ?? {});
  const urls = [
    ...(rules ?? []).flatMap(({ to }) => to.map(({ url }) => toLocation(url))),
    ...(fallback === null ? [] : [fallback]),
  ];
  return {
    shortCode,
    startsAtMs,
    expiresAtMs,
    usedUp,
    fallback,
    chooser: rules === null || rules.length === 0 ? null : compileRules(rules, routeBy),
    query: forward || append.length > 0 ? { forward, append } : null,
    placements: new Set(stored.placements),
    hosts: [...new Set(urls.map(parseHost))],
  };
}

function macroValues(
  qrCodeId: Uuid,
  shortCode: string,
  scanner: Scanner,
  { ruleId, targetId }: Route,
): MacroValues {
  const [language = ''] = scanner.languages;
  return {
    qr_id: formatId('qr', qrCodeId),
    short_code: shortCode,
    placement: scanner.placement,
    country: scanner.country,
    device: scanner.device,
    language: language.split('-', 1)[0]!,
    rule: ruleId === zeroId ? '' : formatId('rul', ruleId),
    target: targetId === zeroId ? '' : formatId('tgt', targetId),
  };
}
