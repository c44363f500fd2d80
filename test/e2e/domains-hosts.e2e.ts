import type { TestAccount } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { type Answer, createWire } from '@signpost/testing/raw-http.ts';
import { runCommand } from '@signpost/testing/server.ts';
import { createSoloFixture } from '@signpost/testing/solo.ts';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';

const requests = ciScale(10_000, 300);
const service = 'sign.service.example';
const [brandHost, otherHost] = ['go.random.example', 'go.elsewhere.example'];
const settings = {
  SHORT_BASE_URL: `https://${service}`,
  PUBLIC_URL: 'https://api.service.example',
  UNKNOWN_CODES_PER_MINUTE: '100000000',
};
/** Where each code leads says whose it is. */
const leads = {
  service: 'https://of-service.example/',
  brand: 'https://of-brand.example/',
  other: 'https://of-other.example/',
};

type Whose = keyof typeof leads;
type Asked = { readonly whose: Whose; readonly host: string | null; readonly isNoise: boolean };

/** Ways to write a name that mean the same. */
const spelled = (name: string) =>
  fc
    .tuple(
      fc.mixedCase(fc.constant(name)),
      fc.constantFrom('', '.'),
      fc.constantFrom('', ':', ':443', ':65535'),
    )
    .map(parts => parts.join(''));

/** Printable, and the bytes above. What Node refuses in a header is not about hosts. */
const noise = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0xff }).map(code => String.fromCharCode(code)),
    maxLength: 80,
  }),
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map(address => `[${address}]:80`),
  fc.constantFrom(
    `x${brandHost}`,
    `${brandHost}.evil.example`,
    `evil@${brandHost}`,
    `${brandHost}/app`,
    '<script>',
    '"><b>',
  ),
  fc.constant(`${'a.'.repeat(3000)}example`),
);

const asked: fc.Arbitrary<Asked> = fc.oneof(
  spelled(brandHost).map(host => ({ whose: 'brand' as const, host, isNoise: false })),
  spelled(otherHost).map(host => ({ whose: 'other' as const, host, isNoise: false })),
  spelled(service).map(host => ({ whose: 'service' as const, host, isNoise: false })),
  fc.constant({ whose: 'service' as const, host: null, isNoise: false }),
  noise.map(host => ({ whose: 'service' as const, host, isNoise: true })),
);

const shared = ['/menu', '/MENU/', '/menu.window', '/menu?x=1', '/menu+'];
const elsewhere = [
  '/app',
  '/app/',
  '/docs',
  '/v1/qrcodes',
  '/v1/domains',
  '/auth/session',
  '/images/x.svg',
  '/report',
  '/healthz',
];
const paths = fc.constantFrom(
  ...shared,
  ...elsewhere,
  '/',
  '/nobody',
  '/t/bcdfghjk/menu',
  '/no/code',
  '/.well-known/security.txt',
);
const methods = fc.constantFrom('GET', 'HEAD');
/** How the host is sent: by its header, in the target, or twice, of which the first counts. */
const forms = fc.constantFrom('header', 'header', 'header', 'target', 'twice');

type Installation = {
  readonly url: string;
  readonly apiUrl: string;
  readonly accounts: readonly [TestAccount, TestAccount];
  admin(...args: string[]): Promise<void>;
};

async function setUp(fixture: Fixture, apiUrl: string, admin: Installation['admin']) {
  const accounts = [await fixture.account('business'), await fixture.account('business')] as const;
  const create = async (key: string, whose: Whose, domain: string | null) => {
    const body = { name: 'Menu', destination_url: leads[whose], short_code: 'menu', domain };
    expect((await ask({ method: 'POST', url: `${apiUrl}/v1/qrcodes`, key, body })).status).toBe(201);
  };
  await create(accounts[0].live, 'service', null);
  for (const [i, [whose, host]] of (
    [
      ['brand', brandHost],
      ['other', otherHost],
    ] as const
  ).entries()) {
    await admin('add-domain', host, '--account', formatId('acct', accounts[i]!.id));
    await create(accounts[i]!.live, whose, host);
    await admin(
      'set-domain',
      host,
      '--root-url',
      `${leads[whose]}root`,
      '--not-found-url',
      `${leads[whose]}lost`,
    );
  }
  return accounts;
}

/** Sends requests with random hosts, and holds each answer against what its host may show. */
async function bombard({ url }: Installation, isReleased: boolean, numRuns: number): Promise<number> {
  const wire = createWire(Number(new URL(url).port));
  let count = 0;
  await fc.assert(
    fc.asyncProperty(asked, paths, methods, forms, async (from, path, method, form) => {
      const isWhole = form === 'target' && from.host !== null && !from.isNoise;
      const target = isWhole ? `http://${from.host}${path}` : path;
      const named = isWhole ? service : from.host;
      const lines = [
        `${method} ${target} HTTP/1.1`,
        ...(named === null ? [] : [`host: ${named}`]),
        ...(form === 'twice' && named !== null ? [`host: ${otherHost}`] : []),
        'accept: text/html',
      ];
      const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
      const answer = await wire.ask({ method, bytes, apart: false, hangUp: false });
      expect(answer, String(answer)).toBeTypeOf('object');
      check(answer as Answer, from, path, isReleased);
      count++;
    }),
    { numRuns },
  );
  wire.close();
  return count;
}

function check(
  { status, headers, body }: Answer,
  { whose, host, isNoise }: Asked,
  path: string,
  isReleased: boolean,
): void {
  const text = `${JSON.stringify(headers)}${body.toString()}`;
  expect(status).toBeLessThan(500);
  if (isNoise && host!.length > 8) expect(text).not.toContain(host);
  for (const other of ['service', 'brand', 'other'] as const)
    if (other !== whose) expect(text).not.toContain(new URL(leads[other]).host);
  if (whose === 'service') return;
  const isOut = whose === 'brand' && isReleased;
  const { location } = headers;
  if (isOut) expect([status, location]).toEqual([404, undefined]);
  else if (path === '/menu+') expect([status, location]).toEqual([200, undefined]);
  else if (shared.includes(path)) expect([status, location]).toEqual([302, leads[whose]]);
  else if (path === '/') expect([status, location]).toEqual([302, `${leads[whose]}root`]);
  else expect([status, location]).toEqual([302, `${leads[whose]}lost`]);
}

/** Also while one of the domains is released, and when it is back. */
async function bombardThrough(installation: Installation): Promise<void> {
  const { admin, accounts } = installation;
  const third = Math.ceil(requests / 3);
  let count = await bombard(installation, false, third);
  await admin('remove-domain', brandHost, '--release');
  count += await bombard(installation, true, third);
  await admin('add-domain', brandHost, '--account', formatId('acct', accounts[0].id));
  count += await bombard(installation, false, third);
  expect(count).toBe(3 * third);
}

describe('with random hosts, nothing fails or is repeated, and a domain shows its own links alone, also after its release:', () => {
  test('a redirect', async () => {
    const fixture = await createFixture(settings);
    onTestFinished(() => fixture.close());
    const [api, redirect] = [await fixture.server(), await fixture.server({}, 'redirect')];
    const admin = async (...args: string[]) => {
      const { code, output } = await runCommand(['admin', ...args], fixture.env);
      expect({ code, output }).toMatchObject({ code: 0 });
    };
    const accounts = await setUp(fixture, api.url, admin);
    await bombardThrough({ url: redirect.url, apiUrl: api.url, accounts, admin });
  });

  test('solo', async () => {
    const { fixture, command, close } = await createSoloFixture(settings);
    onTestFinished(close);
    const { url } = await fixture.server({}, 'solo');
    const admin = async (...args: string[]) => void (await command('admin', ...args));
    const accounts = await setUp(fixture, url, admin);
    await bombardThrough({ url, apiUrl: url, accounts, admin });
  });
});
