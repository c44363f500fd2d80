import type { Ids } from '../kernel/ids.ts';
import { type AutomatedAgent, automatedAgentOf, userAgentLimit } from './agents.ts';
import { countScan, type NotCounted, type ScanRequest } from './counting-rule.ts';
import { browserOf, deviceOf } from './device.ts';
import { type GeoIp, unknownLocation } from './geoip.ts';
import { createMemo } from './memo.ts';
import type { Salts } from './salts.ts';
import type { Browser, Device, Scan } from './scan.ts';
import { createSaltBytes, type Salt, toSalt, visitorOf, type WindowKind, windowAt } from './visitor.ts';

/** A request for an active code. The caller, which knows the trusted proxies, has resolved the address: no header is read for it here. */
export type Hit = ScanRequest & {
  readonly link: Pick<Scan, 'qrCodeId' | 'accountId' | 'mode'>;
  readonly address: string;
  readonly atMs: number;
};

/** Turns a hit into a scan, synchronously, or returns why it is not one. */
export type Enricher = (hit: Hit) => Scan | NotCounted;

type Options = {
  readonly geoip: GeoIp;
  readonly salts: Pick<Salts, 'of'>;
  readonly ids: Ids;
  readonly windowKind: WindowKind;
  /** Called for each scan whose visitor id is only valid in this process, because the shared salt could not be read. */
  readonly onVisitorWithoutSalt?: () => void;
};

/** The scan under construction. Each step fills in its part, or stops with a reason. */
type Draft = { -readonly [Field in keyof Scan]: Scan[Field] };
type Step = (hit: Hit, userAgent: string, draft: Draft) => NotCounted | null;

export function createEnricher({ geoip, salts, ids, windowKind, onVisitorWithoutSalt }: Options): Enricher {
  const agentOf = createMemo({ maxEntries: 10_000, maxLength: userAgentLimit }, readAgent);
  const steps: readonly Step[] = [
    countingStep(agentOf),
    locationStep(geoip),
    deviceStep(agentOf),
    visitorStep(windowKind, salts, onVisitorWithoutSalt),
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
  country: unknownLocation.country,
  region: unknownLocation.region,
  city: unknownLocation.city,
  device: 'other',
  browser: 'other',
  visitor: '',
  window: '',
});

/** Everything parsed from a user agent, cached together: the same few thousand keep coming back. */
type Agent = {
  readonly automated: AutomatedAgent | null;
  readonly device: Device;
  readonly browser: Browser;
};
type AgentOf = (userAgent: string) => Agent;

const readAgent: AgentOf = userAgent => ({
  automated: automatedAgentOf(userAgent),
  device: deviceOf(userAgent),
  browser: browserOf(userAgent),
});

function countingStep(agentOf: AgentOf): Step {
  const automatedOf = (userAgent: string) => agentOf(userAgent).automated;
  return hit => {
    const counting = countScan(hit, automatedOf);
    return counting === 'counted' ? null : counting;
  };
}

function locationStep(geoip: GeoIp): Step {
  return (hit, _userAgent, draft) => {
    const location = geoip.locate(hit.address);
    draft.country = location.country;
    draft.region = location.region;
    draft.city = location.city;
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

function visitorStep(kind: WindowKind, salts: Pick<Salts, 'of'>, onVisitorWithoutSalt = () => {}): Step {
  let window = windowAt(0, kind);
  let ownSalt: Salt | null = null;
  return (hit, userAgent, draft) => {
    if (hit.atMs < window.startMs || hit.atMs >= window.endMs) {
      window = windowAt(hit.atMs, kind);
      ownSalt = null;
    }
    let salt = salts.of(window.name);
    if (salt === null) {
      // Counting a visitor twice beats losing the scan. This salt is only used in this process and window.
      ownSalt ??= toSalt(createSaltBytes());
      salt = ownSalt;
      onVisitorWithoutSalt();
    }
    draft.window = window.name;
    draft.visitor = visitorOf(salt, hit.link.accountId, hit.address, userAgent);
    return null;
  };
}
