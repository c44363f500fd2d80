import { createTestDatabase, databaseEnv } from '@signpost/testing/database.ts';
import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { requireScanStore } from './scan-store.ts';

test('a process that is set up for another store than the one with the scans does not start', async () => {
  const env = {
    ...databaseEnv(await createTestDatabase()),
    PUBLIC_URL: 'https://api.example',
    SHORT_BASE_URL: 'https://sign.example',
  };
  const [postgres, clickhouse] = ['', 'http://127.0.0.1:9'].map(CLICKHOUSE_URL =>
    readConfig({ ...env, CLICKHOUSE_URL }),
  );
  await Promise.all([1, 2, 3].map(() => requireScanStore(postgres!)));
  await expect(requireScanStore(clickhouse!)).rejects.toThrow('in PostgreSQL. Remove CLICKHOUSE_URL');
  await requireScanStore(postgres!);
});
