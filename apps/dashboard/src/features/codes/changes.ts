import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { codesText } from '../../strings/codes.ts';

const text = codesText.changes;

/** What an edit can change. */
export type Changeable = Pick<QrCode, 'id' | 'name' | 'destination_url' | 'status'>;

/** The edit that takes another one back; null where none can, since a published code does not become a draft again. */
export function inverseOf(
  before: Changeable,
  { name, destination_url, active }: UpdateQrCode,
): UpdateQrCode | null {
  if (active !== undefined && before.status === 'draft') return null;
  return {
    ...(name === undefined ? {} : { name: before.name }),
    ...(destination_url === undefined ? {} : { destination_url: before.destination_url }),
    ...(active === undefined ? {} : { active: before.status === 'active' }),
  };
}

/** What an edit has done, in a sentence. */
export function describeChange(
  before: Changeable,
  { name, destination_url, active }: UpdateQrCode,
  availability: QrCode['availability']['state'],
): string {
  if (active === false) return text.paused;
  if (availability === 'suspended') return text.suspended;
  if (availability === 'held') return text.held;
  if (active === true) return before.status === 'draft' ? text.published : text.resumed;
  if (name !== undefined && destination_url !== undefined) return text.saved;
  return name === undefined ? text.moved : text.renamed;
}
