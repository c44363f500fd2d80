import type { QrCode, RuleBody, UpdateQrCode } from '@signpost/contract';
import { codesText } from '../../strings/codes.ts';

const text = codesText.changes;

/** What an edit can change. */
export type Changeable = Pick<
  QrCode,
  'id' | 'name' | 'destination_url' | 'status' | 'archived' | 'tags' | 'note' | 'external_id' | 'metadata'
> &
  Partial<Pick<QrCode, (typeof scheduled)[number] | 'rules'>>;

/** What is taken back by its former value. */
const scheduled = ['starts_at', 'expires_at', 'max_scans', 'fallback_url'] as const;

/** The edit that takes another one back; null where none can, since a published code does not become a draft again. */
export function inverseOf(
  before: Changeable,
  {
    name,
    destination_url,
    active,
    archived,
    tags,
    note,
    external_id,
    metadata,
    rules,
    ...rest
  }: UpdateQrCode,
): UpdateQrCode | null {
  if (active !== undefined && before.status === 'draft') return null;
  if (rules !== undefined && before.rules === undefined) return null;
  return {
    ...(name === undefined ? {} : { name: before.name }),
    ...(destination_url === undefined ? {} : { destination_url: before.destination_url }),
    ...(active === undefined ? {} : { active: before.status === 'active' }),
    ...(archived === undefined ? {} : { archived: before.archived }),
    ...(tags === undefined ? {} : { tags: before.tags }),
    ...(note === undefined ? {} : { note: before.note }),
    ...(external_id === undefined ? {} : { external_id: before.external_id }),
    ...(metadata === undefined ? {} : { metadata: metadataBefore(before.metadata, metadata) }),
    ...(rules === undefined ? {} : { rules: before.rules as RuleBody[] }),
    ...Object.fromEntries(
      scheduled.flatMap(field => (rest[field] === undefined ? [] : [[field, before[field] ?? null]])),
    ),
  };
}

/** A change of metadata merges, so keys that it adds have to be taken out again. */
const metadataBefore = (
  before: Changeable['metadata'],
  change: NonNullable<UpdateQrCode['metadata']> | null,
): NonNullable<UpdateQrCode['metadata']> =>
  change === null ? before : Object.fromEntries(Object.keys(change).map(key => [key, before[key] ?? null]));

/** What an edit has done, in a sentence. */
export function describeChange(
  before: Pick<Changeable, 'status'>,
  wanted: UpdateQrCode,
  availability: QrCode['availability']['state'],
): string {
  const { name, destination_url, active, archived } = wanted;
  if (active === false) return text.paused;
  if (archived !== undefined) return archived ? text.archived : text.unarchived;
  if (availability === 'suspended') return text.suspended;
  if (availability === 'held') return text.held;
  if (active === true) return before.status === 'draft' ? text.published : text.resumed;
  const fields = Object.entries(wanted).filter(([, value]) => value !== undefined);
  if (fields.length !== 1) return text.saved;
  if (name !== undefined) return text.renamed;
  if (wanted.rules !== undefined) return text.rules;
  return destination_url === undefined ? text.saved : text.moved;
}
