import { expect, test } from 'vitest';
import { connectionsByRole } from '../platform/postgres/pool-sizes.ts';
import { assessConnections } from './connections.ts';

const needs = connectionsByRole({
  databasePoolSize: 10,
  authSecret: 'set',
  clickhouseUrl: 'http://clickhouse',
});

test('connections are compared with the need of one process of each role, and the finding says what each further process adds', () => {
  const { state, found } = assessConnections({ max: 97, used: 12 }, needs);
  expect(state).toBe('ok');
  expect(found).toContain('one process of each role opens up to 52 (15 for each api, 15 for each redirect');
  expect(assessConnections({ max: 51, used: 12 }, needs).state).toBe('warning');
  expect(assessConnections({ max: 97, used: 90 }, needs).state).toBe('warning');
});
