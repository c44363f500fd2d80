import { getHost } from '../../../apps/server/src/kernel/addresses/hosts.ts';
import { listedUrlHash } from '../../../apps/server/src/kernel/addresses/listed-url.ts';
import { type Database, sql } from '../../../apps/server/src/platform/postgres/postgres.ts';

/** Writes the targets of codes that a test inserted by SQL. */
export async function fillTargets(db: Database): Promise<void> {
  const codes = await db.query<{ id: string; destination_url: string }>(selectCodes);
  const urls = codes.map(code => code.destination_url);
  await db.query(insertTargets, [
    codes.map(code => code.id),
    urls,
    urls.map(url => getHost(new URL(url))),
    urls.map(listedUrlHash),
  ]);
}

const selectCodes = sql(
  'test-codes-for-targets',
  `select id, destination_url from qr_codes where status <> 'deleted'`,
);

const insertTargets = sql(
  'test-insert-targets',
  `insert into code_targets (qr_code_id, kind, url, host, url_hash)
   select id, 'default', url, host, hash from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) as t (id, url, host, hash)
   on conflict (qr_code_id) where kind = 'default'
   do update set url = excluded.url, host = excluded.host, url_hash = excluded.url_hash`,
);
