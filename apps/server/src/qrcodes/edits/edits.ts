import type { Operator, Via } from '../../kernel/caller.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { CodeRules } from '../../rules/code-rules.ts';
import { presentRouting } from '../../rules/wire.ts';
import type { Metadata, QrCode } from '../qr-code.ts';

/** One change of a code, and who made it. */
export type Edit = {
  readonly id: Uuid;
  readonly at: Date;
  readonly by: { readonly kind: 'user' | 'key' | 'operator' | 'unknown'; readonly name: string };
  readonly field: 'created' | Change['field'];
  readonly from: string | null;
  readonly to: string | null;
};

export type Change = {
  readonly field:
    | 'name'
    | 'destination_url'
    | 'status'
    | 'archived'
    | 'tags'
    | 'note'
    | 'external_id'
    | 'metadata'
    | 'rules'
    | 'fallback_url'
    | 'starts_at'
    | 'expires_at'
    | 'max_scans'
    | 'forward_query'
    | 'append_query';
  readonly from: string;
  readonly to: string;
};

/** Characters of rules in the history of a code; beyond that the oldest go first. */
const maxRuleHistory = 1024 * 1024;

/** A program may change a code every second for years; people read the latest changes. */
const maxEdits = 1000;

function changesBetween(before: QrCode, after: QrCode): Change[] {
  const fields: Change[] = [
    { field: 'name', from: before.name, to: after.name },
    { field: 'destination_url', from: before.destinationUrl, to: after.destinationUrl },
    { field: 'status', from: before.status, to: after.status },
    { field: 'archived', from: before.archived ? 'true' : '', to: after.archived ? 'true' : '' },
    { field: 'tags', from: before.tags.join(', '), to: after.tags.join(', ') },
    { field: 'note', from: before.note ?? '', to: after.note ?? '' },
    { field: 'external_id', from: before.externalId ?? '', to: after.externalId ?? '' },
    ...metadataChange(before.metadata, after.metadata),
    ...(before.routing === after.routing ? [] : routingChanges(before.routing, after.routing)),
  ];
  return fields.filter(({ from, to }) => from !== to);
}

/** As the API shows it, so that a client can restore the previous rules. */
function routingChanges(before: CodeRules, after: CodeRules): Change[] {
  const [from, to] = [presentRouting(before), presentRouting(after)];
  const json = (value: object) => (Object.keys(value).length === 0 ? '' : JSON.stringify(value));
  const text = (value: unknown) => (value === null || value === false ? '' : String(value));
  return [
    { field: 'rules', from: json(from.rules), to: json(to.rules) },
    ...(['fallback_url', 'starts_at', 'expires_at', 'max_scans', 'forward_query'] as const).map(field => ({
      field,
      from: text(from[field]),
      to: text(to[field]),
    })),
    { field: 'append_query', from: json(from.append_query), to: json(to.append_query) },
  ];
}

/** Metadata may be large, and programs may change it often: the history holds the keys that changed, and not all of them. */
const maxMetadataLength = 2000;

function metadataChange(before: Metadata, after: Metadata): Change[] {
  const keys = Object.keys({ ...before, ...after }).filter(key => before[key] !== after[key]);
  const changed = (metadata: Metadata) => {
    const entries = keys.flatMap(key => (metadata[key] === undefined ? [] : [[key, metadata[key]]]));
    const text = entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries));
    return text.length > maxMetadataLength ? `${text.slice(0, maxMetadataLength).toWellFormed()}…` : text;
  };
  const [from, to] = [changed(before), changed(after)];
  return keys.length === 0 ? [] : [{ field: 'metadata', from, to }];
}

/** Writes changes in the transaction that makes them, and deletes the oldest past the limit. */
export function createEditRecorder(ids: Ids, via: Via | Operator) {
  const recordAll = createEditsRecorder(ids, via);
  return (tx: Database, before: QrCode, after: QrCode): Promise<void> => recordAll(tx, [[before, after]]);
}

/** The same for several codes that change at once. */
export function createEditsRecorder(ids: Ids, via: Via | Operator) {
  return async (
    tx: Database,
    pairs: readonly (readonly [before: QrCode, after: QrCode])[],
  ): Promise<void> => {
    const changes = pairs.flatMap(([before, after]) =>
      changesBetween(before, after).map(change => ({ ...change, code: after })),
    );
    if (changes.length === 0) return;
    await tx.query(insertEdits, [
      changes.map(({ code }) => code.id),
      changes[0]!.code.updatedAt,
      via.kind,
      via.id,
      changes.map(() => ids.next()),
      changes.map(({ field }) => field),
      changes.map(({ from }) => from),
      changes.map(({ to }) => to),
    ]);
    await tx.query(pruneEdits, [[...new Set(changes.map(({ code }) => code.id))], maxEdits]);
    const ruled = changes.filter(({ field }) => field === 'rules').map(({ code }) => code.id);
    if (ruled.length > 0) await tx.query(pruneRules, [ruled, maxRuleHistory]);
  };
}

export async function eraseEdits(tx: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  await tx.query(deleteEdits, [qrCodeIds]);
}

/** Codes whose edits one statement reads, and edits that it deletes at most. */
const deletedCodes = 50;
const deletedEdits = 5000;

/** Deletes the edits of codes that are about to be deleted, however many they have. */
export async function deleteEditsInSteps(db: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  for (let from = 0; from < qrCodeIds.length; from += deletedCodes) {
    const ids = qrCodeIds.slice(from, from + deletedCodes);
    let deleted = deletedEdits;
    while (deleted === deletedEdits) deleted = (await db.query(deleteSomeEdits, [ids, deletedEdits])).length;
  }
}

/** Newest first; the last is the creation of the code. */
export async function listEdits(db: Database, qrCodeId: Uuid, page: Page): Promise<Paged<Edit>> {
  const rows = await db.query<EditRow>(selectEdits, [qrCodeId, toOffset(page), page.limit]);
  const [counted] = await db.query<{ count: number }>(countEdits, [qrCodeId]);
  return { items: rows.map(toEdit), page, total: (counted?.count ?? 0) + 1 };
}

const insertEdits = sql(
  'insert-edits',
  `insert into code_edits (id, qr_code_id, at, by_kind, by_id, field, before, after)
   select edit.id, edit.code, $2, $3, $4, edit.field, edit.before, edit.after
     from unnest($1::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[])
            as edit (code, id, field, before, after)`,
);

const pruneEdits = sql(
  'prune-edits',
  `delete from code_edits e
    using unnest($1::uuid[]) as code (id)
     join lateral (select id from code_edits where qr_code_id = code.id order by id desc offset $2 limit 1)
       as newest_to_delete on true
    where e.qr_code_id = code.id and e.id <= newest_to_delete.id`,
);

const pruneRules = sql(
  'prune-edits-of-rules',
  `delete from code_edits where id = any(array(
     select id from (select id, sum(length(before) + length(after)) over (partition by qr_code_id order by id desc) as held
                       from code_edits where qr_code_id = any($1::uuid[]) and field = 'rules') sized
      where held > $2))`,
);

const deleteEdits = sql('delete-edits', 'delete from code_edits where qr_code_id = any($1::uuid[])');

const deleteSomeEdits = sql(
  'delete-some-edits',
  `delete from code_edits where id = any(array(
     select id from code_edits where qr_code_id = any($1::uuid[]) limit $2)) returning 1`,
);

const countEdits = sql('count-edits', 'select count(*) from code_edits where qr_code_id = $1');

const selectEdits = sql(
  'select-edits',
  `with edits as (
     select id, at, by_kind, by_id, field, before, after, 0 as rank from code_edits where qr_code_id = $1
      union all
     select id, created_at, case made_by when 'api' then 'key' else 'user' end, made_by_id, 'created', null, null, 1
       from qr_codes where id = $1
   ), page as (
     select * from edits order by rank, id desc offset $2 limit $3
   )
   select page.*, u.name as user_name, k.name as key_name, k.hint
     from page
     left join members m on page.by_kind = 'user' and m.user_id = page.by_id
      and m.account_id = (select account_id from qr_codes where id = $1)
     left join auth_users u on u.id = m.user_id
     left join api_keys k on page.by_kind = 'key' and k.id = page.by_id
    order by rank, page.id desc`,
);

type EditRow = {
  id: Uuid;
  at: Date;
  by_kind: 'user' | 'key' | 'operator';
  by_id: Uuid | null;
  field: Edit['field'];
  before: string | null;
  after: string | null;
  user_name: string | null;
  key_name: string | null;
  hint: string | null;
};

const toEdit = (row: EditRow): Edit => ({
  id: row.id,
  at: row.at,
  by: toAuthor(row),
  field: row.field,
  from: row.before,
  to: row.after,
});

/** Somebody who is not in the account any more is not named: the people who see the history may not know them. */
function toAuthor({ by_kind, by_id, user_name, key_name, hint }: EditRow): Edit['by'] {
  if (by_kind === 'user' && by_id !== null) return { kind: 'user', name: user_name ?? 'A person who left' };
  if (by_kind === 'key' && key_name !== null) return { kind: 'key', name: `${key_name} (…${hint})`.trim() };
  if (by_kind === 'operator') return { kind: 'operator', name: 'The operator of the service' };
  return { kind: 'unknown', name: '' };
}
