import { formatId, idBytesOf, type Uuid, zeroId } from '../kernel/ids.ts';
import { hostIn, toLocation } from '../kernel/location.ts';
import type { AppendedQuery } from './code-routing.ts';
import { extendQuery, type MacroValues, type QueryOptions } from './query.ts';
import { compileRules, type Routing } from './routing.ts';
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
export type LinkRouting = {
  /** As PostgreSQL and snapshots hold it. */
  readonly text: string;
  /** The hosts of all URLs that it can lead to, in the form that blocked hosts are stored in. */
  readonly hosts: readonly string[];
  /** Where scanners go while the code is off, as the Location header carries it. */
  readonly fallback: string | null;
  offAt(nowMs: number): OffReason | null;
  /** The placement with this key; empty where there is none. */
  placementOf(key: string): string;
  routeOf(link: RoutedLink, scanner: Scanner, rawQuery: string): Route;
};

type RoutedLink = { readonly qrCodeId: Uuid; readonly location: string };

/** As it is stored, in JSON. */
export type StoredRouting = {
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

type Compiled = Pick<StoredRouting, 'shortCode' | 'startsAtMs' | 'expiresAtMs' | 'usedUp' | 'fallback'> & {
  readonly routing: Routing<Route> | null;
  readonly query: QueryOptions | null;
  readonly placements: ReadonlySet<string>;
  readonly hosts: readonly string[];
};

export function createLinkRouting(text: string): LinkRouting {
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
    placementOf: key => (read().placements.has(key) ? key : ''),
    routeOf(link, scanner, rawQuery) {
      const { routing, query, shortCode } = read();
      const route = routing?.choose(scanner) ?? homeOf(link);
      if (query === null) return route;
      const values = () => macroValues({ ...link, shortCode }, scanner, route);
      return { ...route, location: extendQuery(route.location, rawQuery, query, values) };
    },
  };
}

/** To the destination of the code. */
const homeOf = ({ location }: RoutedLink): Route => ({
  location,
  ruleId: zeroId,
  targetId: zeroId,
  idBytes: null,
});

const routeBy = ({ id: ruleId }: Rule, { id: targetId, url }: RuleTarget): Route => ({
  location: toLocation(url),
  ruleId,
  targetId,
  idBytes: idBytesOf(ruleId, targetId),
});

function compile(stored: StoredRouting): Compiled {
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
    routing: rules === null || rules.length === 0 ? null : compileRules(rules, routeBy),
    query: forward || append.length > 0 ? { forward, append } : null,
    placements: new Set(stored.placements),
    hosts: [...new Set(urls.map(hostIn))],
  };
}

function macroValues(
  { qrCodeId, shortCode }: { readonly qrCodeId: Uuid; readonly shortCode: string },
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
