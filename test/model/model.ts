/** A model of the service from outside: what one client expects of its codes. */
export type Model = {
  readonly codes: Code[];
  /** Whether its domain was released: the codes on it answer 404 until it returns. */
  isReleased: boolean;
};

export type Code = {
  readonly id: string;
  /** Of its short link. */
  readonly path: string;
  /** Null: the host of the service. */
  readonly domain: string | null;
  name: string;
  destination: string;
  status: 'active' | 'paused' | 'draft' | 'deleted';
  /** The scans that were answered with a redirect and count. */
  readonly scans: Visitor[];
};

/** Who scans: address and user agent identify the visitor. */
export type Visitor = { readonly address: string; readonly agent: Agent };

export type Agent = { readonly device: string; readonly browser: string; readonly text: string };

export const agents: readonly Agent[] = [
  {
    device: 'ios',
    browser: 'safari',
    text: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  },
  {
    device: 'android',
    browser: 'chrome',
    text: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36',
  },
  {
    device: 'desktop',
    browser: 'firefox',
    text: 'Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0',
  },
  { device: 'other', browser: 'other', text: 'curl/8.5.0' },
];

/** Addresses without a location, so that the country is always unknown. */
export const addresses = ['10.0.0.1', '10.0.0.2', '192.168.7.9', 'fd00::1', 'fd00::2', 'fd00:1::1'] as const;

/** Two addresses of one IPv6 /64 are one household. */
const household = (address: string) =>
  address.startsWith('fd00::') ? 'fd00::/64' : address.startsWith('fd00:1::') ? 'fd00:1::/64' : address;

export const uniquesOf = (scans: readonly Visitor[]) =>
  new Set(scans.map(({ address, agent }) => `${household(address)} ${agent.text}`)).size;

/** How often each value occurs, including those that never do. */
export function countBy(scans: readonly Visitor[], kind: 'device' | 'browser'): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { agent } of scans) counts[agent[kind]] = (counts[agent[kind]] ?? 0) + 1;
  return counts;
}

export const living = (codes: readonly Code[]) => codes.filter(code => code.status !== 'deleted');

/** The expected response of a code's short link. */
export function answerOf(code: Code, { isReleased }: Pick<Model, 'isReleased'>): string {
  if (code.domain !== null && isReleased) return '404';
  switch (code.status) {
    case 'active':
      return `302 ${code.destination}`;
    case 'deleted':
      return '410';
    default:
      return '404';
  }
}
