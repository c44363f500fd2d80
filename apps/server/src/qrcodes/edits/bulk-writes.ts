import type { Ids } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { countChanges } from '../code-counts.ts';
import type { Owner, QrCode } from '../qr-code.ts';
import { sameTags } from '../tags/tag.ts';
import { writeTags } from '../tags/tag-writer.ts';
import { toTarget, writeTargets } from '../targets/targets.ts';
import { noteMassChange } from './mass-changes.ts';

type Pair = readonly [before: QrCode, after: QrCode];

/** Writes many changed codes, in a few statements however many they are. Returns them with their tags as they are spelled. */
export async function writeChanges(
  tx: Database,
  owner: Owner,
  ids: Ids,
  pairs: readonly Pair[],
): Promise<readonly Pair[]> {
  if (pairs.length === 0) return [];
  const codes = pairs.map(([, after]) => after);
  const moved = pairs.filter(([before, after]) => before.destinationUrl !== after.destinationUrl);
  await tx.query(updateCodes, [
    codes.map(code => code.id),
    codes.map(code => code.destinationUrl),
    codes.map(code => code.status),
    codes[0]!.updatedAt,
    codes.map(code => toTarget(code.destinationUrl).host),
    codes.map(code => code.note),
    codes.map(code => JSON.stringify(code.metadata)),
    codes.map(code => code.archived),
  ]);
  await writeTargets(
    tx,
    moved.map(([, { id, destinationUrl }]) => ({ id, destination_url: destinationUrl })),
    codes[0]!.updatedAt,
  );
  await noteMassChange(tx, owner, 'destination', moved.length, codes[0]!.updatedAt);
  await countChanges(tx, owner, pairs);
  const retagged = pairs.filter(([before, after]) => !sameTags(before.tags, after.tags));
  const tags = await writeTags(
    tx,
    owner,
    ids,
    retagged.map(([before, after]) => ({ ...after, before: before.tags })),
  );
  return pairs.map(([before, after]) => [before, { ...after, tags: tags.get(after.id) ?? before.tags }]);
}

/** Queues the invalidation of links that lead elsewhere or change their status. */
const updateCodes = sql(
  'update-codes',
  `with wanted as (
     select * from unnest($1::uuid[], $2::text[], $3::text[], $5::text[], $6::text[], $7::text[], $8::boolean[])
                as wanted (id, destination_url, status, host, note, metadata, archived)
   ), old as (
     select c.id, c.destination_url, c.status from qr_codes c where c.id = any($1::uuid[])
   ), changed as (
     update qr_codes c
        set destination_url = wanted.destination_url, status = wanted.status::qr_code_status, updated_at = $4,
            host = wanted.host, note = wanted.note, metadata = wanted.metadata::jsonb, archived = wanted.archived,
            revision = c.revision + 1
       from wanted join old on old.id = wanted.id
      where c.id = wanted.id
     returning c.link_key,
               c.destination_url <> old.destination_url or c.status <> old.status as is_changed
   )
   insert into link_changes (key) select link_key from changed where is_changed`,
);
