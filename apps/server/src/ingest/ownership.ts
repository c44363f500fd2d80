import { type Database, sql } from '../platform/postgres/postgres.ts';

/** The shards that a process works on, and how many processes of ingest run. */
export type Ownership = { readonly own: readonly number[]; readonly processes: number };

export async function readOwnership(db: Database, owner: string): Promise<Ownership> {
  const [row] = await db.query<Ownership>(findOwnership, [owner]);
  return row!;
}

/** Two announcements and a bit: a process that ended is no longer counted after that. */
const findOwnership = sql(
  'find-shard-ownership',
  `select array(select shard from ingest_positions where owner = $1 order by shard) as own,
          (select count(*) from log_readers where seen_at > now() - interval '12 seconds') as processes`,
);

/** Looks in a row that show the same before shards are given away: a process that has just died still counts as running. */
const patience = 4;
const keepMs = 60_000;

/**
 * Chooses the shards that a process gives up so that each works on its share. One that nobody else takes comes back, and is
 * then kept for a minute.
 */
export function createBalance(nowMs = () => performance.now()) {
  let looks = 0;
  const givenUpMs = new Map<number, number>();
  return {
    surplus({ own, processes }: Ownership, shards: number): readonly number[] {
      const share = Math.ceil(shards / Math.max(1, processes));
      looks = own.length > share ? looks + 1 : 0;
      if (looks < patience) return [];
      looks = 0;
      const chosen = own
        .filter(shard => nowMs() - (givenUpMs.get(shard) ?? Number.NEGATIVE_INFINITY) >= keepMs)
        .slice(0, own.length - share);
      for (const shard of chosen) givenUpMs.set(shard, nowMs());
      return chosen;
    },
  };
}
