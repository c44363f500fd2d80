import type { Edit } from '@signpost/contract';
import { codesText } from '../../strings/codes.ts';

const text = codesText.history;

/** What a change was, as a heading. */
export function describeEdit({ field, to }: Pick<Edit, 'field' | 'to'>): string {
  switch (field) {
    case 'created':
      return text.created;
    case 'name':
      return text.renamed;
    case 'destination_url':
      return text.moved;
    case 'status':
      return to === 'active' ? text.activated : to === 'paused' ? text.paused : text.status;
    case 'archived':
      return to === 'true' ? text.archived : text.unarchived;
    case 'tags':
      return text.tags;
    case 'note':
      return text.note;
    case 'external_id':
      return text.externalId;
    case 'metadata':
      return text.metadata;
    case 'rules':
      return text.rules;
    case 'fallback_url':
      return text.fallback;
    case 'starts_at':
      return text.startsAt;
    case 'expires_at':
      return text.expiresAt;
    case 'max_scans':
      return text.maxScans;
    case 'forward_query':
    case 'append_query':
      return text.query;
  }
}

/** Only a destination is restored, and only where that would change something. */
export const isRestorable = (edit: Pick<Edit, 'field' | 'from'>, destination: string): boolean =>
  edit.field === 'destination_url' && edit.from !== null && edit.from !== destination;
