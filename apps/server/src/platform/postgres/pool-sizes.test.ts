import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serverRoles } from '../../roles/server-role.ts';
import { connectionsByRole } from './pool-sizes.ts';

test('the page on scaling has the connections of each role', () => {
  const page = readFileSync(new URL('../../../../../docs/self-hosting/scaling.md', import.meta.url), 'utf8');
  const connections = connectionsByRole({
    databasePoolSize: 10,
    authSecret: 'set',
    clickhouseUrl: 'http://clickhouse',
  });
  const table = Object.fromEntries(
    [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, role, count]) => [role, Number(count)]),
  );
  expect(table).toEqual(connections);
  expect(Object.keys(connections)).toEqual(serverRoles);
});
