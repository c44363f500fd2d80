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
  }
}

/** Only a destination is restored, and only where that would change something. */
export const isRestorable = (edit: Pick<Edit, 'field' | 'from'>, destination: string): boolean =>
  edit.field === 'destination_url' && edit.from !== null && edit.from !== destination;
