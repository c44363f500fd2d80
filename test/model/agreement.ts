import { randomUUID } from 'node:crypto';
import { ask } from '@signpost/testing/client.ts';
import type { Fixture } from '@signpost/testing/fixture.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Uuid } from '../../apps/server/src/kernel/ids.ts';
import { type ClientsDomain, commands, compareFigures, type Real } from './commands.ts';
import { type Code, living, type Model } from './model.ts';

const lanes = 5;
const steps = 30;

type Service = {
  readonly fixture: Pick<Fixture, 'account'>;
  /** Two processes, or the same one twice. */
  readonly apiUrls: readonly [string, string];
  readonly edgeUrls: readonly string[];
  /** Adds a domain to an account; left out where none can be added within a moment. */
  readonly addDomain?: (host: string, accountId: Uuid) => Promise<ClientsDomain>;
};

/** Three clients at once do whatever they like; after that the service and the model must agree. */
export async function expectAgreement(
  { fixture, apiUrls, edgeUrls, addDomain }: Service,
  runs: number,
): Promise<void> {
  let executed = 0;
  const clients = fc.tuple(commands(steps), commands(steps), commands(steps));
  const property = fc.asyncProperty(clients, async ([first, second, third]) => {
    const [one, other] = await Promise.all([fixture.account('model'), fixture.account('model')]);
    const add = async () => (await addDomain?.(`${randomUUID()}.brand.example`, one.id)) ?? null;
    const [domain, otherDomain] = [await add(), await add()];
    const reals: Real[] = [
      { apiUrl: apiUrls[0], edgeUrls, key: one.live, strangersKey: other.live, domain },
      // The same account on the other process, and another account at the same time.
      { apiUrl: apiUrls[1], edgeUrls, key: one.live, strangersKey: one.test, domain: otherDomain },
      { apiUrl: apiUrls[1], edgeUrls, key: other.test, strangersKey: other.live, domain: null },
    ];
    const models: Model[] = reals.map(() => ({ codes: [], isReleased: false }));
    await Promise.all(
      [first, second, third].map((commandsOf, n) =>
        fc.asyncModelRun(() => ({ model: models[n]!, real: reals[n]! }), commandsOf),
      ),
    );
    await compareAccount(reals[0]!, [...models[0]!.codes, ...models[1]!.codes]);
    await compareAccount(reals[2]!, models[2]!.codes);
    executed++;
  });
  const each = Math.ceil(runs / lanes);
  await Promise.all(
    Array.from({ length: lanes }, () => fc.assert(property, { numRuns: each, endOnFailure: true })),
  );
  console.log(`model runs ${executed} clients 3 steps ${steps} differences 0`);
  expect(executed).toBeGreaterThanOrEqual(runs);
}

/** The list and the aggregate of an account, after all scans are counted. */
async function compareAccount(real: Real, codes: readonly Code[]): Promise<void> {
  for (const code of codes) await compareFigures(code, real);
  const left = living(codes);
  const read = (path: string) => ask({ url: `${real.apiUrl}/v1${path}`, key: real.key });
  const list = await read('/qrcodes?limit=100');
  expect(list.body.pagination.total).toBe(left.length);
  expect(list.body.data.map((item: { id: string }) => item.id).sort()).toEqual(
    left.map(code => code.id).sort(),
  );
  const paused = await read('/qrcodes?status=paused&limit=100');
  expect(paused.body.pagination.total).toBe(left.filter(code => code.status === 'paused').length);
  const { summary, top_qr_codes: top } = (await read('/analytics/aggregate')).body;
  const scans = left.reduce((sum, code) => sum + code.scans.length, 0);
  expect(summary).toMatchObject({ total_scans: scans, qr_codes: left.length });
  expect(top).toHaveLength(Math.min(10, left.filter(code => code.scans.length > 0).length));
}
