import { expect, test } from 'vitest';
import { ownPools } from '../../platform/postgres/pool-sizes.ts';
import { shareSizes } from './share-sizes.ts';

test('in PostgreSQL one account leaves a connection to other queries, and all queries leave some to exports', () => {
  for (const queriesPerAccount of [1, 4, 100]) {
    const { queries } = shareSizes({ exportsPerAccount: 2, queriesPerAccount, clickhouseUrl: '' });
    expect(queries.perAccount).toBeLessThan(queries.perProcess);
    expect(queries.perProcess).toBeLessThan(ownPools.analytics);
  }
});

test('in ClickHouse an account has what the setting says', () => {
  const settings = { exportsPerAccount: 2, queriesPerAccount: 4, clickhouseUrl: 'http://clickhouse' };
  expect(shareSizes(settings).queries).toEqual({ perAccount: 4, perProcess: 16 });
});
