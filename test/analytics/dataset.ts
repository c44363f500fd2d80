import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { storeScans } from '@signpost/testing/store-scans.ts';
import { eraseDue } from '../../apps/server/src/ingest/erasure/erasure.ts';
import { formatId, parseId } from '../../apps/server/src/kernel/ids.ts';
import type { ClickHouse } from '../../apps/server/src/platform/clickhouse.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';

export type DatasetCode = { readonly id: string; readonly accountId: string; readonly wireId: string };

/** The API with its own ClickHouse, and a way to store scans in it. */
export type Dataset = {
  readonly api: TestApi;
  readonly engine: Engine;
  readonly clickhouse: ClickHouse;
  account(codes: number): Promise<{ readonly key: string; readonly codes: readonly DatasetCode[] }>;
  /** The name of a code at its creation. */
  nameOf(id: string): string;
  /** Stores scans by ingest, in several groups and thus several parts; resolves when ClickHouse has them. */
  store(scans: readonly Scan[]): Promise<void>;
  /** Deletes a code with the API and waits until its scans are erased. */
  erase(id: string, key: string): Promise<void>;
  close(): Promise<void>;
};

export async function createDataset(env: Record<string, string> = {}): Promise<Dataset> {
  const { engine, clickhouse } = await startMigratedClickHouse();
  const api = await createTestApi({ CLICKHOUSE_URL: engine.url, ...env });
  const { db } = api.api;
  const names = new Map<string, string>();
  let created = 0;
  return {
    api,
    engine,
    clickhouse,
    nameOf: id => names.get(id) ?? '',
    async account(count) {
      const account = await api.account();
      const items = Array.from({ length: count }, () => ({
        name: `Code ${created++}`,
        destination_url: 'https://example.com',
      }));
      const { body } = await api.call({
        method: 'POST',
        url: '/v1/qrcodes/bulk',
        key: account.live,
        body: { items },
      });
      const codes = body.data.map(({ qr_code }: { qr_code: { id: string; name: string } }) => {
        const id = parseId('qr', qr_code.id)!;
        names.set(id, qr_code.name);
        return { id, accountId: account.id, wireId: qr_code.id };
      });
      return { key: account.live, codes };
    },
    store: scans => storeScans(api, engine.url, scans),
    async erase(id, key) {
      await api.call({ method: 'DELETE', url: `/v1/qrcodes/${formatId('qr', id)}`, key });
      await eraseDue(db, clickhouse);
    },
    async close() {
      await api.close();
      await clickhouse.close();
      await engine.remove();
    },
  };
}
