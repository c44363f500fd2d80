import { getKeySpace, toLinkKey } from '../../kernel/addresses/link-key.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql, unprepared } from '../../platform/postgres/postgres.ts';
import { foldTag } from '../tags/tag.ts';
import { findTags } from '../tags/tag-statements.ts';
import { findUnmarked } from '../targets/blocked-hosts.ts';
import { availabilityConditions } from './availability-conditions.ts';
import type { CodeFilter, Direction, ListOwner } from './filter.ts';

/** Which of the matches: in which direction, from where, and how many at most. */
export type Slice = {
  readonly direction: Direction;
  /** Codes with lower numbers only. */
  readonly below?: number | undefined;
  /** Codes with higher numbers only. */
  readonly above?: number | undefined;
  readonly limit: number;
};

/** SQL that selects the id and number of codes, with its values. */
export type Selection = { readonly text: string; readonly values: readonly unknown[] };

/** A filter with what has to be looked up before codes can be selected by it. */
export type Resolved = Omit<CodeFilter, 'tags'> & {
  readonly owner: ListOwner;
  /** The tag with the fewest codes first. */
  readonly tagIds: readonly Uuid[];
  /** The numbers between which the codes of the period lie. */
  readonly fromNumber: number | null;
  readonly belowNumber: number | null;
  /** Blocked hosts of which some codes are not marked as suspended yet. Read only for a filter by availability. */
  readonly unmarkedHosts: readonly string[];
};

/** Null where no code can match: a tag does not exist, or the period is after the last code. */
export async function resolveFilter(
  db: Database,
  owner: ListOwner,
  { tags = [], ...filter }: CodeFilter,
): Promise<Resolved | null> {
  const { accountId, mode } = owner;
  const folded = [...new Set(tags.map(foldTag))];
  const rows =
    folded.length === 0
      ? []
      : await db.query<{ id: Uuid; codes: number }>(findTags, [accountId, mode, folded]);
  if (rows.length < folded.length) return null;
  const firstSince = async (at: Date | undefined) => {
    if (at === undefined) return null;
    const [row] = await db.query<{ number: number }>(firstNumberSince, [accountId, mode, at]);
    return row?.number ?? null;
  };
  const fromNumber = await firstSince(filter.createdFrom);
  if (filter.createdFrom !== undefined && fromNumber === null) return null;
  return {
    ...filter,
    owner,
    tagIds: rows.toSorted((a, b) => a.codes - b.codes).map(({ id }) => id),
    fromNumber,
    belowNumber: await firstSince(filter.createdBefore),
    unmarkedHosts: filter.availability ? await findUnmarked(db) : [],
  };
}

/** Numbers and times have one order, so a period is a range of numbers. */
const firstNumberSince = sql(
  'first-number-since',
  `select number from qr_codes
    where account_id = $1 and mode = $2 and status <> 'deleted' and created_at >= $3
    order by created_at, number limit 1`,
);

/** What is searched, as the index has it. */
const searchedText = "lower(c.name || ' ' || c.short_code || ' ' || left(c.destination_url, 200))";

/** Every code that matches, without a search text and metadata. Codes of a tag are walked in its own order. */
export function selectMatches(filter: Resolved, slice: Slice): Selection {
  const { put, values } = startValues(filter);
  return { text: matchesSql(filter, slice, put), values };
}

/** Codes with a search text, metadata or both among the newest `scanned`, or the oldest. */
export function selectNear(
  filter: Resolved,
  pattern: string | null,
  slice: Slice,
  scanned: number,
): Selection {
  const { put, values } = startValues(filter);
  const texts = pattern && `, ${searchedText} as searched, lower(c.external_id) as external_id`;
  const hasMetadata = ['true', ...metadataConditions(filter, put)].join(' and ');
  const read = `, ${hasMetadata} as has_metadata${texts ?? ''}`;
  const near = matchesSql(filter, { ...slice, limit: scanned }, put, read);
  const hasText = pattern && ` and (searched like ${put(pattern)} or external_id like ${put(pattern)})`;
  const text = `select id, number, (select count(*) from near) as scanned from near
    where has_metadata${hasText ?? ''}
    order by number ${slice.direction} limit ${put(slice.limit)}`;
  return { text: `with near as materialized (${near}) ${text}`, values };
}

/** Codes with a search text, metadata or both, by the indexes of all codes. */
export function selectByIndex(filter: Resolved, pattern: string | null, slice: Slice): Selection {
  const { put, values } = startValues(filter);
  const conditions = [
    ofOwner,
    ...listConditions(filter, slice, 'c.number', put),
    ...tagConditions(filter, put),
    ...metadataConditions(filter, put),
  ];
  // By number + 0: otherwise the planner would walk the codes by number instead of using the search index.
  const by = (...condition: string[]) =>
    `(select c.id, c.number from qr_codes c where ${[...conditions, ...condition].join(' and ')}
       order by c.number + 0 ${slice.direction} limit ${put(slice.limit)})`;
  if (pattern === null) return { text: by(), values };
  const byText = by(`${searchedText} like ${put(pattern)}`);
  const byExternalId = by(`c.external_id is not null and lower(c.external_id) like ${put(pattern)}`);
  return { text: `${byText} union ${byExternalId}`, values };
}

/** Codes that have one of these tags. */
export function selectByTags(filter: Resolved, tagIds: readonly Uuid[], slice: Slice): Selection {
  const { put, values } = startValues(filter);
  const conditions = [
    ofOwner,
    ...listConditions(filter, slice, 't.number', put),
    ...tagConditions(filter, put),
    ...metadataConditions(filter, put),
  ];
  const text = `select found.id, found.number from unnest(${put(tagIds)}::uuid[]) as tag (id)
     cross join lateral (
       select c.id, t.number from code_tags t join qr_codes c on c.id = t.qr_code_id
        where t.tag_id = tag.id and ${conditions.join(' and ')}
        order by t.number ${slice.direction} limit ${put(slice.limit)}) found`;
  return { text, values };
}

/** Matches as rows. */
export const runSelection = (db: Database, { text, values }: Selection) =>
  db.query<{ id: Uuid; number: number; scanned?: number }>(unprepared(text), values);

type Put = (value: unknown) => string;

/** $1 and $2 are the owner's; each further value gets the next number. */
function startValues({ owner }: Resolved) {
  const values: unknown[] = [owner.accountId, owner.mode];
  const put: Put = value => `$${values.push(value)}`;
  return { put, values };
}

const ofOwner = `c.account_id = $1 and c.mode = $2 and c.status <> 'deleted'`;

/** `read` are further columns of the code. */
function matchesSql(filter: Resolved, slice: Slice, put: Put, read = ''): string {
  const [rarest, ...others] = filter.tagIds;
  const number = rarest === undefined ? 'c.number' : 't.number';
  const range = listRangeConditions(filter, slice, number, put);
  const properties = listPropertyConditions(filter, put);
  const end = `order by ${number} ${slice.direction} limit ${put(slice.limit)}`;
  if (rarest === undefined) {
    const where = [ofOwner, ...range, ...properties].join(' and ');
    return `select c.id, c.number${read} from qr_codes c where ${where} ${end}`;
  }
  const joins = others.map(
    (id, n) => `join code_tags t${n} on t${n}.tag_id = ${put(id)} and t${n}.number = t.number`,
  );
  // The tag is the owner's, and a deleted code has none: the code itself is read only where something else is asked of it.
  const isRead = properties.length > 0 || read !== '';
  const code = isRead ? [codeOfTag(filter)] : ownerOnly;
  const where = [`t.tag_id = ${put(rarest)}`, ...range, ...properties].join(' and ');
  return `select t.qr_code_id as id, t.number${read} from code_tags t ${[...joins, ...code].join(' ')} where ${where} ${end}`;
}

/**
 * Where codes have nothing that an index would find them by, they are looked up one after the other along the tag. The planner
 * would rather read all of that status.
 */
function codeOfTag({ ids, domain, host, externalId, shortCode }: Resolved): string {
  const isIndexed = [ids, domain, host, externalId, shortCode].some(value => value !== undefined);
  if (isIndexed) return `join qr_codes c on c.id = t.qr_code_id and ${ofOwner}`;
  return `cross join lateral (select * from qr_codes c where c.id = t.qr_code_id and ${ofOwner} limit 1) c`;
}

/** PostgreSQL wants every value to be used. */
const ownerOnly = ['join (select $1::uuid as account_id, $2::mode as mode) owner on true'];

const listConditions = (filter: Resolved, slice: Slice, number: string, put: Put) => [
  ...listRangeConditions(filter, slice, number, put),
  ...listPropertyConditions(filter, put),
];

function listRangeConditions(
  { fromNumber, belowNumber }: Resolved,
  { below, above }: Slice,
  number: string,
  put: Put,
): string[] {
  const bounds = [belowNumber, below].filter(bound => bound !== null && bound !== undefined);
  return [
    ...(fromNumber === null ? [] : [`${number} >= ${put(fromNumber)}::bigint`]),
    ...bounds.map(bound => `${number} < ${put(bound)}::bigint`),
    ...(above === undefined ? [] : [`${number} > ${put(above)}::bigint`]),
  ];
}

function listPropertyConditions(filter: Resolved, put: Put): string[] {
  const { owner, status, archived, ids, domain, host, externalId, shortCode, createdFrom, createdBefore } =
    filter;
  return [
    ...(status === undefined ? [] : [`c.status = ${put(status)}::qr_code_status`]),
    ...(archived === undefined ? [] : [`c.archived = ${archived}`]),
    ...(ids === undefined ? [] : [`c.id = any(${put(ids)}::uuid[])`]),
    ...(domain === undefined ? [] : [`c.domain = ${put(domain)}`]),
    ...(host === undefined ? [] : [`c.host = ${put(host)}`]),
    ...(externalId === undefined ? [] : [`c.external_id = ${put(externalId)} and c.external_id is not null`]),
    ...(shortCode === undefined ? [] : [isNamed(getKeySpace(owner), shortCode, put)]),
    ...availabilityConditions(filter, put),
    ...(createdFrom === undefined ? [] : [`c.created_at >= ${put(createdFrom)}`]),
    ...(createdBefore === undefined ? [] : [`c.created_at < ${put(createdBefore)}`]),
  ];
}

/** On the host of the service, or on any domain of the account. */
const isNamed = (keySpace: string, shortCode: string, put: Put): string =>
  `link_key = any(${put([toLinkKey({ keySpace, shortCode })])}::text[] || array(
     select 'd/' || tag || '/' || ${put(shortCode.toLowerCase())}::text from domains where account_id = $1))`;

const tagConditions = ({ tagIds }: Resolved, put: Put) =>
  tagIds.map(id => `exists (select from code_tags x where x.qr_code_id = c.id and x.tag_id = ${put(id)})`);

/** The first condition is that of the index. */
const metadataConditions = ({ metadata = [] }: Resolved, put: Put): readonly string[] =>
  metadata.length === 0
    ? []
    : [
        "c.metadata <> '{}'",
        ...metadata.map(([key, text]) => `c.metadata @> ${put(JSON.stringify({ [key]: text }))}::jsonb`),
      ];
