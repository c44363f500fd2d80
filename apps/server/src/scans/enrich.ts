import type { Ids } from '../kernel/ids.ts';
import { type Automaton, automatonOf, userAgentLimit } from './agents.ts';
import { countScan, type NotCounted, type ScanRequest } from './counting-rule.ts';
import { browserOf, deviceOf } from './device.ts';
import { createMemo } from './memo.ts';
import { type Places, unknownPlace } from './place.ts';
import type { Salts } from './salts.ts';
import type { Browser, Device, Scan } from './scan.ts';
import { createSaltBytes, type Salt, toSalt, visitorOf, type WindowKind, windowAt } from './visitor.ts';

/** A request for an active code. Its address was settled by whoever knows the proxies: no header is asked for it here. */
export type Hit = ScanRequest & {
  readonly link: Pick<Scan, 'qrCodeId' | 'accountId' | 'mode'>;
  readonly address: string;
  readonly atMs: number;
};

/** Works a scan out of a hit, at once and without waiting, or says why it is none. */
export type Enricher = (hit: Hit) => Scan | NotCounted;

type Options = {
  readonly places: Places;
  readonly salts: Pick<Salts, 'of'>;
  readonly ids: Ids;
  readonly windowKind: WindowKind;
  /** Called for each scan whose visitor is known to this process alone, since the shared salt could not be read. */
  readonly onLonelyVisitor?: () => void;
};

/** The scan as it comes about. Each step fills in its part, or ends the work with a reason. */
type Draft = { -readonly [Field in keyof Scan]: Scan[Field] };
type Step = (hit: Hit, userAgent: string, draft: Draft) => NotCounted | null;

export function createEnricher({ places, salts, ids, windowKind, onLonelyVisitor }: Options): Enricher {
  const agentOf = createMemo({ maxEntries: 10_000, maxLength: userAgentLimit }, readAgent);
  const steps: readonly Step[] = [
    countingStep(agentOf),
    placeStep(places),
    deviceStep(agentOf),
    visitorStep(windowKind, salts, onLonelyVisitor),
  ];
  return hit => {
    const userAgent = hit.headers['user-agent'] ?? '';
    const draft = draftOf(hit);
    for (const step of steps) {
      const reason = step(hit, userAgent, draft);
      if (reason !== null) return reason;
    }
    draft.id = ids.next();
    return draft;
  };
}

const draftOf = ({ link, atMs }: Hit): Draft => ({
  id: '',
  qrCodeId: link.qrCodeId,
  accountId: link.accountId,
  mode: link.mode,
  atMs,
  country: unknownPlace.country,
  region: unknownPlace.region,
  city: unknownPlace.city,
  device: 'other',
  browser: 'other',
  visitor: '',
  window: '',
});

/** All that is read out of a user agent, at once: the same few thousand come again and again. */
type Agent = { readonly automaton: Automaton | null; readonly device: Device; readonly browser: Browser };
type AgentOf = (userAgent: string) => Agent;

const readAgent: AgentOf = userAgent => ({
  automaton: automatonOf(userAgent),
  device: deviceOf(userAgent),
  browser: browserOf(userAgent),
});

function countingStep(agentOf: AgentOf): Step {
  const automaton = (userAgent: string) => agentOf(userAgent).automaton;
  return hit => {
    const counting = countScan(hit, automaton);
    return counting === 'counted' ? null : counting;
  };
}

function placeStep(places: Places): Step {
  return (hit, _userAgent, draft) => {
    const place = places.of(hit.address);
    draft.country = place.country;
    draft.region = place.region;
    draft.city = place.city;
    return null;
  };
}

function deviceStep(agentOf: AgentOf): Step {
  return (_hit, userAgent, draft) => {
    const agent = agentOf(userAgent);
    draft.device = agent.device;
    draft.browser = agent.browser;
    return null;
  };
}

function visitorStep(kind: WindowKind, salts: Pick<Salts, 'of'>, onLonelyVisitor = () => {}): Step {
  let window = windowAt(0, kind);
  let ownSalt: Salt | null = null;
  return (hit, userAgent, draft) => {
    if (hit.atMs < window.startMs || hit.atMs >= window.endMs) {
      window = windowAt(hit.atMs, kind);
      ownSalt = null;
    }
    let salt = salts.of(window.name);
    if (salt === null) {
      // Better a visitor who counts once too often than a scan without one. The salt lives in this process and window only.
      ownSalt ??= toSalt(createSaltBytes());
      salt = ownSalt;
      onLonelyVisitor();
    }
    draft.window = window.name;
    draft.visitor = visitorOf(salt, hit.link.accountId, hit.address, userAgent);
    return null;
  };
}
