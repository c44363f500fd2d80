import { preferredLanguage, preferredLanguages } from '../kernel/accept-language.ts';
import { addressBlock } from '../kernel/addresses/client-address.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { countScan, type NotCounted, type ScanRequest } from './counting-rule.ts';
import { type AutomatedAgent, detectAutomatedAgent, userAgentLimit } from './device/agents.ts';
import { detectBrowser, detectDevice } from './device/device.ts';
import type { GeoIp, GeoLocation } from './geoip/geoip.ts';
import { encodeAddedFields, writeRoutedFields } from './log/format/added-fields.ts';
import {
  type EncodedScan,
  encodeTexts,
  maxScanBytes,
  packEnums,
  scanLayout,
} from './log/format/scan-bytes.ts';
import { createMemo } from './memo.ts';
import type { Salts } from './salts.ts';
import { type Browser, type Device, defaultFields, type Scan } from './scan.ts';
import {
  createSaltBytes,
  type Salt,
  toSalt,
  userAgentBytes,
  visitorBytes,
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

/** A hit of a code with rules: the query of the link as it was sent, and the placement that it names. */
type RoutedHit = Hit & { readonly query: string; readonly placement: string };

export type Enricher = {
  /** Turns a hit into a scan, synchronously, or returns why it is not one. The next scan reuses the bytes. */
  toScan(hit: Hit): EncodedScan | NotCounted;
  /** Whoever sends a hit, for a code that leads different people to different places. */
  createScanner(hit: RoutedHit): ScannerOfHit;
  /** The scan of such a hit, with where it led to. */
  toRoutedScan(scanner: ScannerOfHit, route: RouteOfScan): EncodedScan | NotCounted;
};

/** The rule that decided and its target, as bytes; null where none did. */
type RouteOfScan = { readonly idBytes: Uint8Array | null };

/** What can be told about whoever sends a hit. Each part is worked out when it is asked for, and at most once. */
export type ScannerOfHit = {
  readonly hit: RoutedHit;
  readonly atMs: number;
  readonly device: Device;
  readonly browser: Browser;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  /** The languages that the scanner weighs highest, in lower case with their regions. */
  readonly languages: readonly string[];
  readonly query: URLSearchParams;
  readonly placement: string;
  /** The 16 bytes that identify the visitor within the window. */
  readonly visitor: Buffer;
};

type Options = {
  readonly geoip: GeoIp;
  readonly salts: Pick<Salts, 'of'>;
  readonly ids: Ids;
  readonly windowKind: WindowKind;
  /** Called for each scan whose visitor id is only valid in this process, because the shared salt could not be read. */
  readonly onVisitorWithoutSalt?: () => void;
};

export function createEnricher({ geoip, salts, ids, windowKind, onVisitorWithoutSalt }: Options): Enricher {
  const getAgent = createMemo({ maxEntries: 10_000, maxLength: userAgentLimit }, readAgent);
  // Phones of one carrier share few addresses, and locating one takes longer than the rest of a scan.
  const getOrigin = createMemo({ maxEntries: 20_000, maxLength: 45 }, address => readOrigin(geoip, address));
  const getLanguage = createMemo({ maxEntries: 10_000, maxLength: 200 }, readLanguage);
  const windows = createSaltedWindows(windowKind, salts, onVisitorWithoutSalt);
  const bytes = Buffer.alloc(maxScanBytes);
  const scan = { bytes, length: 0, length1: 0 };

  /** Everything up to the added fields. Null: the visitor is not known yet. */
  function writeScan(hit: Hit, agent: Agent, { location, block }: Origin, visitor: Uint8Array | null): void {
    const { link, atMs } = hit;
    const window = windows.at(atMs);
    ids.write(bytes, scanLayout.id);
    bytes.set(link.idBytes, scanLayout.linkIds);
    if (visitor) bytes.set(visitor, scanLayout.visitor);
    else writeVisitor(window.salt, link.idBytes, block, agent.bytes, bytes, scanLayout.visitor);
    bytes.writeUIntBE(atMs, scanLayout.atMs, 6);
    bytes[scanLayout.enums] = link.mode === 'test' ? agent.testEnums : agent.liveEnums;
    bytes.set(location, scanLayout.texts);
    bytes.set(window.name, scanLayout.texts + location.length);
    scan.length1 = scanLayout.texts + location.length + window.name.length;
  }

  const readLanguages = (hit: Hit) => getLanguage(hit.headers['accept-language'] ?? '');

  class Scanner implements ScannerOfHit {
    readonly hit: RoutedHit;
    readonly agent: Agent;
    #origin: Origin | null = null;
    #spoken: Languages | null = null;
    #params: URLSearchParams | null = null;
    #visitor: Buffer | null = null;

    constructor(hit: RoutedHit) {
      this.hit = hit;
      this.agent = getAgent(hit.headers['user-agent'] ?? '');
    }

    get atMs() {
      return this.hit.atMs;
    }
    get placement() {
      return this.hit.placement;
    }
    get device() {
      return this.agent.device;
    }
    get browser() {
      return this.agent.browser;
    }
    get country() {
      return this.origin.place.country;
    }
    get region() {
      return this.origin.place.region;
    }
    get city() {
      return this.origin.place.city;
    }
    get languages() {
      return this.spoken.preferred;
    }
    get query() {
      this.#params ??= this.hit.query === '' ? noParams : new URLSearchParams(this.hit.query);
      return this.#params;
    }
    get visitor() {
      if (this.#visitor === null) {
        const { hit, agent, origin } = this;
        this.#visitor = Buffer.allocUnsafe(visitorBytes);
        const { salt } = windows.at(hit.atMs);
        writeVisitor(salt, hit.link.idBytes, origin.block, agent.bytes, this.#visitor, 0);
      }
      return this.#visitor;
    }
    /** Null where no rule has asked for it. */
    get knownVisitor() {
      return this.#visitor;
    }
    get origin() {
      this.#origin ??= getOrigin(this.hit.address);
      return this.#origin;
    }
    get spoken() {
      this.#spoken ??= readLanguages(this.hit);
      return this.#spoken;
    }
  }

  return {
    toScan(hit) {
      const agent = getAgent(hit.headers['user-agent'] ?? '');
      const counting = countScan(hit, agent.automated);
      if (counting !== 'counted') return counting;
      writeScan(hit, agent, getOrigin(hit.address), null);
      const { added } = readLanguages(hit);
      bytes.set(added, scan.length1);
      scan.length = scan.length1 + added.length;
      return scan;
    },

    createScanner: hit => new Scanner(hit),

    toRoutedScan(scanner, { idBytes }) {
      const { hit, agent, origin, spoken, knownVisitor } = scanner as Scanner;
      const counting = countScan(hit, agent.automated);
      if (counting !== 'counted') return counting;
      writeScan(hit, agent, origin, knownVisitor);
      scan.length = writeRoutedFields(bytes, scan.length1, idBytes, hit.placement, spoken.added);
      return scan;
    },
  };
}

/** Most links have no query, and creating this takes longer than reading it. */
const noParams = new URLSearchParams();

/** Everything parsed from a user agent, cached together: the same few thousand keep coming back. */
type Agent = {
  readonly automated: AutomatedAgent | null;
  readonly device: Device;
  readonly browser: Browser;
  readonly liveEnums: number;
  readonly testEnums: number;
  readonly bytes: Uint8Array;
};

function readAgent(userAgent: string): Agent {
  const [device, browser] = [detectDevice(userAgent), detectBrowser(userAgent)];
  return {
    automated: detectAutomatedAgent(userAgent),
    device,
    browser,
    liveEnums: packEnums('live', device, browser),
    testEnums: packEnums('test', device, browser),
    bytes: userAgentBytes(userAgent),
  };
}

/** Everything derived from an address: the location, also encoded, and the block by which its visitors are told apart. */
type Origin = { readonly place: GeoLocation; readonly location: Uint8Array; readonly block: string };

function readOrigin(geoip: GeoIp, address: string): Origin {
  const place = geoip.locate(address);
  const { country, region, city } = place;
  return { place, location: encodeTexts(country, region, city), block: addressBlock(address) };
}

/** What is derived from an Accept-Language header: the added fields of a scan without a route, encoded, for one. */
type Languages = {
  readonly preferred: readonly string[];
  readonly added: Uint8Array;
};

function readLanguage(acceptLanguage: string): Languages {
  const language = preferredLanguage(acceptLanguage, name => (name === '*' ? null : name)) ?? '';
  return {
    preferred: preferredLanguages(acceptLanguage),
    added: encodeAddedFields({ ...defaultFields, language }),
  };
}

type SaltedWindow = { readonly name: Uint8Array; readonly salt: Salt };

/** The window of a scan, its name encoded, and the salt of its visitors. */
function createSaltedWindows(kind: WindowKind, salts: Pick<Salts, 'of'>, onVisitorWithoutSalt = () => {}) {
  let window = windowAt(0, kind);
  let name = encodeTexts(window.name);
  let ownSalt: Salt | null = null;
  return {
    at(atMs: number): SaltedWindow {
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
