import { ciScale } from '@signpost/testing/ci-scale.ts';
import { createSoloFixture, type SoloFixture } from '@signpost/testing/solo.ts';
import { afterAll, beforeAll, test } from 'vitest';
import { expectAgreement } from './agreement.ts';

/** As many as the test of several processes for the full test; MODEL_RUNS=500. */
const runs = Number(process.env.MODEL_RUNS ?? ciScale(10, 5));

let solo: SoloFixture;
let url: string;

beforeAll(async () => {
  solo = await createSoloFixture({ TRUSTED_PROXIES: '127.0.0.1' });
  await solo.fixture.plan('model', 1_000_000, null);
  url = (await solo.fixture.server({}, 'solo')).url;
});
afterAll(() => solo.close());

test('three clients at once on one process with PostgreSQL alone: whatever they do, the service and the model agree', async () => {
  await expectAgreement({ fixture: solo.fixture, apiUrls: [url, url], edgeUrls: [url] }, runs);
}, 3_600_000);
