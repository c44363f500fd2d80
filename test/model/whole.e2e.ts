import { ciScale } from '@signpost/testing/ci-scale.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, test } from 'vitest';
import type { Uuid } from '../../apps/server/src/kernel/ids.ts';
import { openDomains } from '../e2e/domains/changes.ts';
import { expectAgreement } from './agreement.ts';

/** 50 runs by default, fewer in CI; MODEL_RUNS=500 for the full test. */
const runs = Number(process.env.MODEL_RUNS ?? ciScale(50, 15));

let nats: Engine;
let fixture: Fixture;
let apis: TestServer[];
let edges: TestServer[];
let opened: Awaited<ReturnType<typeof openDomains>>;

beforeAll(async () => {
  nats = await startNats();
  fixture = await createFixture({
    NATS_URL: nats.url,
    TRUSTED_PROXIES: '127.0.0.1',
    UNKNOWN_CODES_PER_MINUTE: '100000000',
  });
  await fixture.plan('model', 1_000_000, null);
  apis = [await fixture.server(), await fixture.server()];
  edges = [await fixture.server({}, 'redirect'), await fixture.server({}, 'redirect')];
  await fixture.server({}, 'ingest');
  opened = await openDomains(fixture);
});

afterAll(async () => {
  await opened.close();
  await fixture.close();
  await nats.remove();
});

test('three clients at once on two APIs and two edges: whatever they do, the service and the model agree', async () => {
  const apiUrls = [apis[0]!.url, apis[1]!.url] as const;
  const { domains } = opened;
  const { db } = fixture;
  const addDomain = async (host: string, accountId: Uuid) => {
    const bringBack = () => domains.add(db, host, accountId);
    await bringBack();
    return { host, bringBack, release: () => domains.release(db, host, true) };
  };
  await expectAgreement({ fixture, apiUrls, edgeUrls: edges.map(edge => edge.url), addDomain }, runs);
}, 3_600_000);
