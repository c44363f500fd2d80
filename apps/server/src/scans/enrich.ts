import { preferredLanguage } from '../kernel/accept-language.ts';
import { addressBlock } from '../kernel/client-address.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { type AutomatedAgent, automatedAgentOf, userAgentLimit } from './agents.ts';
import { countScan, type NotCounted, type ScanRequest } from './counting-rule.ts';
import { browserOf, deviceOf } from './device.ts';
import type { GeoIp } from './geoip.ts';
import { encodeAddedFields } from './log/added-fields.ts';
import { type EncodedScan, encodeTexts, enumsOf, maxScanBytes, scanLayout } from './log/scan-bytes.ts';
import { createMemo } from './memo.ts';
import type { Salts } from './salts.ts';
import { defaultFields, type Scan } from './scan.ts';
import {
  createSaltBytes,
  type Salt,
  toSalt,
  userAgentBytes,
  type WindowKind,
  windowAt,
  writeVisitor,
} from './visitor.ts';

/** A request for an active code. The caller, which knows the trusted proxies, has resolved the address: no header is read for it here. */
export type Hit = ScanRequest & {
  readonly link: {
    readonly accountId: Uuid;
    readonly mode: Scan['mode'];
    /** The id of the code and that of the account, as bytes. */
    readonly idBytes: Uint8Array;
  };
  readonly address: string;
  readonly atMs: number;
};

/** Turns a hit into a scan, synchronously, or returns why it is not one. The next scan reuses the bytes. */
export type Enricher = (hit: Hit) => EncodedScan | NotCounted;

type Options = {
  readonly geoip: GeoIp;
  readonly salts: Pick<Salts, 'of'>;
  readonly ids: Ids;
  readonly windowKind: WindowKind;
  /** Called for each scan whose visitor id is only valid in this process, because the shared salt could not be read. */
  readonly onVisitorWithoutSalt?: () => void;
};

export function createEnricher({ geoip, salts, ids, windowKind, onVisitorWithoutSalt }: Options): Enricher {
  const agentOf = createMemo({ maxEntries: 10_000, maxLength: userAgentLimit }, readAgent);
  // Phones of one carrier share few addresses, and locating one takes longer than the rest of a scan.
  const originOf = createMemo({ maxEntries: 20_000, maxLength: 45 }, address => readOrigin(geoip, address));
  const languageOf = createMemo({ maxEntries: 10_000, maxLength: 200 }, readLanguage);
  const windows = createWindows(windowKind, salts, onVisitorWithoutSalt);
  const bytes = Buffer.alloc(maxScanBytes);
  const scan = { bytes, length: 0, length1: 0 };
  return hit => {
    const agent = agentOf(hit.headers['user-agent'] ?? '');
    const counting = countScan(hit, agent.automated);
    if (counting !== 'counted') return counting;
    const { link, atMs, headers } = hit;
    const { location, block } = originOf(hit.address);
    const window = windows.at(atMs);
    ids.write(bytes, scanLayout.id);
    bytes.set(link.idBytes, scanLayout.linkIds);
    writeVisitor(window.salt, link.accountId, block, agent.bytes, bytes, scanLayout.visitor);
    bytes.writeUIntBE(atMs, scanLayout.atMs, 6);
    bytes[scanLayout.enums] = link.mode === 'test' ? agent.testEnums : agent.liveEnums;
    bytes.set(location, scanLayout.texts);
    bytes.set(window.name, scanLayout.texts + location.length);
    scan.length1 = scanLayout.texts + location.length + window.name.length;
    const added = languageOf(headers['accept-language'] ?? '');
    bytes.set(added, scan.length1);
    scan.length = scan.length1 + added.length;
    return scan;
  };
}

/** Everything parsed from a user agent, cached together: the same few thousand keep coming back. */
type Agent = {
  readonly automated: AutomatedAgent | null;
  readonly liveEnums: number;
  readonly testEnums: number;
  readonly bytes: Uint8Array;
};

function readAgent(userAgent: string): Agent {
  const [device, browser] = [deviceOf(userAgent), browserOf(userAgent)];
  return {
    automated: automatedAgentOf(userAgent),
    liveEnums: enumsOf('live', device, browser),
    testEnums: enumsOf('test', device, browser),
    bytes: userAgentBytes(userAgent),
  };
}

/** Everything derived from an address: the location, encoded, and the block by which its visitors are told apart. */
type Origin = { readonly location: Uint8Array; readonly block: string };

function readOrigin(geoip: GeoIp, address: string): Origin {
  const { country, region, city } = geoip.locate(address);
  return { location: encodeTexts(country, region, city), block: addressBlock(address) };
}

/** The added fields of a scan in its preferred language, encoded. */
const readLanguage = (acceptLanguage: string): Uint8Array =>
  encodeAddedFields({
    ...defaultFields,
    language: preferredLanguage(acceptLanguage, name => (name === '*' ? null : name)) ?? '',
  });

type VisitorWindow = { readonly name: Uint8Array; readonly salt: Salt };

/** The window of a scan, its name encoded, and the salt of its visitors. */
function createWindows(kind: WindowKind, salts: Pick<Salts, 'of'>, onVisitorWithoutSalt = () => {}) {
  let window = windowAt(0, kind);
  let name = encodeTexts(window.name);
  let ownSalt: Salt | null = null;
  return {
    at(atMs: number): VisitorWindow {
      if (atMs < window.startMs || atMs >= window.endMs) {
        window = windowAt(atMs, kind);
        name = encodeTexts(window.name);
        ownSalt = null;
      }
      const salt = salts.of(window.name);
      if (salt !== null) return { name, salt };
      // Counting a visitor twice beats losing the scan. This salt is only used in this process and window.
      ownSalt ??= toSalt(createSaltBytes());
      onVisitorWithoutSalt();
      return { name, salt: ownSalt };
    },
  };
}
