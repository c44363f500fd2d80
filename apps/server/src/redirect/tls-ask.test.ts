import { beforeEach, describe, expect, test } from 'vitest';
import type { StoredDomain } from './changes/stops/stop.ts';
import { createHosts } from './hosts.ts';
import { createStops, type Stops } from './links/stops.ts';
import { createTlsAsk } from './tls-ask.ts';

const brand: StoredDomain = {
  account: 'a',
  space: 'd/bcdfghjk/',
  active: true,
  root: null,
  notFound: null,
};
let stops: Stops;
beforeEach(() => {
  stops = createStops(async () => ({ version: 0, isComplete: true, changes: [] }));
});

let n = 0;
const setDomain = (host: string, domain: StoredDomain) =>
  stops.apply([{ subject: `domain/${host}`, reason: null, n: ++n, domain }]);

describe('a TLS proxy that asks for a name', () => {
  const createAsk = (isGood: boolean, read = async () => {}) =>
    createTlsAsk(
      createHosts({
        own: ['https://sign.example', 'old.example'],
        domains: stops.domains,
        trust: { isGood: () => isGood, epoch: 1 },
        catchUp: read,
      }),
    );

  test('is told the hosts of the service and active domains, and no others', async () => {
    setDomain('go.brand.example', brand);
    setDomain('was.brand.example', { ...brand, active: false });
    const ask = createAsk(true);
    const names = [
      'sign.example',
      'old.example',
      'go.brand.example',
      'GO.brand.example',
      'was.brand.example',
      '',
    ];
    expect(await Promise.all(names.map(ask))).toEqual([200, 200, 200, 200, 404, 404]);
  });

  test('is limited for unknown names only', async () => {
    setDomain('go.brand.example', brand);
    const ask = createAsk(true);
    const unknown = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(`x${i}.example`)));
    expect(unknown.filter(status => status === 404)).toHaveLength(50);
    expect(unknown.filter(status => status === 429)).toHaveLength(150);
    const known = await Promise.all(Array.from({ length: 200 }, () => ask('go.brand.example')));
    expect(new Set(known)).toEqual(new Set([200]));
  });

  test('is told a domain that was added a moment ago, and what was known last without PostgreSQL', async () => {
    const ask = createAsk(false, async () => setDomain('new.brand.example', brand));
    expect(await ask('new.brand.example')).toBe(200);
    const away = createAsk(false, () => Promise.reject(new Error('away')));
    expect([await away('new.brand.example'), await away('other.example')]).toEqual([200, 404]);
  });
});
