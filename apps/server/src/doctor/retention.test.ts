import { expect, test } from 'vitest';
import { assessRetention } from './retention.ts';

test('the doctor says which scans are kept, and warns where older ones stay', () => {
  expect(assessRetention(null, { retainedFrom: null, isLate: false })).toMatchObject({
    state: 'ok',
    found: 'scans are kept until their code is deleted; none was removed so far',
  });
  expect(assessRetention(12, { retainedFrom: '2025-11', isLate: false })).toMatchObject({
    state: 'ok',
    found: 'scans of this month and the 12 before it are kept; those before 2025-11 were removed',
  });
  expect(assessRetention(12, { retainedFrom: null, isLate: true })).toMatchObject({ state: 'warning' });
});
