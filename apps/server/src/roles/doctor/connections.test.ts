import { expect, test } from 'vitest';
import { connectionsByRole } from '../pool-sizes.ts';
import { judgeConnections } from './connections.ts';

const needs = connectionsByRole({ databasePoolSize: 10, authSecret: 'set' });

test('connections are judged by one process of each role, and what each further one adds is said', () => {
  const { state, found } = judgeConnections({ most: 97, used: 12 }, needs);
  expect(state).toBe('ok');
  expect(found).toContain('one process of each role opens up to 52 (15 for each api, 15 for each redirect');
  expect(judgeConnections({ most: 51, used: 12 }, needs).state).toBe('warning');
  expect(judgeConnections({ most: 97, used: 90 }, needs).state).toBe('warning');
});
