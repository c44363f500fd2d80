import type { QrCode } from '@signpost/contract';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { storeScans } from '@signpost/testing/store-scans.ts';
import { eraseDue } from '../../apps/server/src/ingest/erasure/erasure.ts';
import { formatId, parseId } from '../../apps/server/src/kernel/ids.ts';
import type { ClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { createReadPool } from '../../apps/server/src/platform/postgres/reading/read-pool.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';
import type { StoreName } from '../../apps/server/src/scans/stores/claim.ts';
import { createClickHouseMonths } from '../../apps/server/src/scans/stores/clickhouse/clickhouse-months.ts';
import { createClickHouseRows } from '../../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';
import type { MonthStore } from '../../apps/server/src/scans/stores/month-storage.ts';
import { createPostgresMonths } from '../../apps/server/src/scans/stores/postgres/postgres-months.ts';
import { createPostgresRows } from '../../apps/server/src/scans/stores/postgres/postgres-rows.ts';
import type { RowStore } from '../../apps/server/src/scans/stores/row-storage.ts';

export type DatasetCode = {
  readonly id: string;
  readonly accountId: string;
  readonly wireId: string;
  /** Where its rules lead, those of today first; the last one is gone. */
  readonly targets: readonly DatasetTarget[];
};

export type DatasetTarget = {
  readonly id: string;
  readonly ruleId: string;
  readonly label: string;
  readonly url: string;
  readonly isGone: boolean;
};

/** The keys that codes of a dataset have had; the last one is gone. */
export const placementKeys = ['window', 'till', 'gone'] as const;

const rules = [
  { to: [{ url: 'https://example.com/a', label: 'A' }, { url: 'https://example.com/b' }] },
  { to: [{ url: 'https://example.com/old', label: 'Old' }] },
];

/** The API with a store of its own, and a way to store scans in it. */
export type Dataset = {
  readonly api: TestApi;
  readonly engine: Engine;
  readonly clickhouse: ClickHouse;
  readonly rows: RowStore;
  readonly months: MonthStore;
  readonly store: StoreName;
  account(codes: number): Promise<{ readonly key: string; readonly codes: readonly DatasetCode[] }>;
  /** The name of a code at its creation. */
  nameOf(id: string): string;
  /** Stores scans by ingest, in several groups and thus several parts; resolves when they are stored. */
  add(scans: readonly Scan[]): Promise<void>;
  /** Deletes a code with the API and waits until its scans are erased. */
  erase(id: string, key: string): Promise<void>;
  /** The same, stopped after the first rows where the store erases some at a time; elsewhere before it begins. */
  beginErasing(id: string, key: string): Promise<void>;
  close(): Promise<void>;
};

const targetsOf = ({ id, to }: QrCode['rules'][number], index: number): DatasetTarget[] =>
  to.map(target => ({
    id: parseId('tgt', target.id)!,
    ruleId: parseId('rul', id)!,
    label: target.label,
    url: target.url,
    isGone: index > 0,
  }));

/** Few enough that an erasure of the scans of one code takes several steps, and a build of roll-ups several parts. */
const rowsPerStep = 10;

/**
 * `postgres` stores scans in the database of the API, and `postgres with roll-ups` builds the roll-ups of all codes and
 * accounts when a third of their scans are stored.
 */
export async function createDataset(
  env: Record<string, string> = {},
  kind: StoreName | 'postgres with roll-ups' = 'clickhouse',
): Promise<Dataset> {
  const store = kind === 'clickhouse' ? 'clickhouse' : 'postgres';
  const { engine, clickhouse } = await startMigratedClickHouse();
  const api = await createTestApi({ CLICKHOUSE_URL: store === 'postgres' ? '' : engine.url, ...env });
  const { db } = api.api;
  const rows = store === 'postgres' ? createPostgresRows(db, rowsPerStep) : createClickHouseRows(clickhouse);
  const pool = createReadPool({ ...api.config, databasePoolSize: 1 }, () => undefined);
  const months = store === 'postgres' ? createPostgresMonths(db, pool) : createClickHouseMonths(clickhouse);
  const names = new Map<string, string>();
  let created = 0;
  return {
    api,
    engine,
    clickhouse,
    rows,
    months,
    store,
    nameOf: id => names.get(id) ?? '',
    async account(count) {
      const account = await api.account();
      const items = Array.from({ length: count }, () => ({
        name: `Code ${created++}`,
        destination_url: 'https://example.com',
        rules,
      }));
      const { body } = await api.call({
        method: 'POST',
        url: '/v1/qrcodes/bulk',
        key: account.live,
        body: { items },
      });
      const codes = body.data.map(({ qr_code }: { qr_code: QrCode }) => {
        const id = parseId('qr', qr_code.id)!;
        names.set(id, qr_code.name);
        return { id, accountId: account.id, wireId: qr_code.id, targets: qr_code.rules.flatMap(targetsOf) };
      });
      const send = (method: 'POST' | 'PATCH' | 'DELETE', url: string, sent?: object) =>
        api.call({ method, url, key: account.live, ...(sent ? { body: sent } : {}) });
      for (const { qr_code: code } of body.data as { qr_code: QrCode }[]) {
        const url = `/v1/qrcodes/${code.id}`;
        await send('PATCH', url, { rules: [code.rules[0]] });
        for (const key of placementKeys) await send('POST', `${url}/placements`, { key, name: `At ${key}` });
        await send('DELETE', `${url}/placements/gone`);
      }
      return { key: account.live, codes };
    },
    async add(scans) {
      const first = kind === 'postgres with roll-ups' ? Math.ceil(scans.length / 3) : 0;
      if (first > 0) await storeScans(api, rows, scans.slice(0, first));
      if (first > 0 && rows.stores === 'with_counts') await rows.rollUp(1);
      await storeScans(api, rows, scans.slice(first));
    },
    async beginErasing(id, key) {
      await api.call({ method: 'DELETE', url: `/v1/qrcodes/${formatId('qr', id)}`, key });
      if (rows.stores === 'after_counts') return;
      const [account] = await db.query<{ id: string }>(ownerOf, [id]);
      let steps = 0;
      const stop = new AbortController();
      const renew = async () => {
        if (steps++ === 1) stop.abort();
        stop.signal.throwIfAborted();
      };
      await rows.erase([account!.id], [id], renew, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) throw error;
      });
    },
    async erase(id, key) {
      await api.call({ method: 'DELETE', url: `/v1/qrcodes/${formatId('qr', id)}`, key });
      await eraseDue(db, rows);
    },
    async close() {
      await pool.close();
      await api.close();
      await clickhouse.close();
      await engine.remove();
    },
  };
}

const ownerOf = sql('dataset-owner', 'select account_id as id from erasures where qr_code_id = $1');
