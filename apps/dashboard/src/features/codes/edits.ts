import type { Edit } from '@signpost/contract';

/** What a change was, as a heading. */
export function describeEdit({ field, to }: Pick<Edit, 'field' | 'to'>): string {
  switch (field) {
    case 'created':
      return 'Created';
    case 'name':
      return 'Name changed';
    case 'destination_url':
      return 'Destination changed';
    case 'status':
      return to === 'active' ? 'Made active' : to === 'paused' ? 'Paused' : 'Status changed';
  }
}

/** Only a destination is taken back, and only where that would change something. */
export const isUndoable = (edit: Pick<Edit, 'field' | 'from'>, destination: string): boolean =>
  edit.field === 'destination_url' && edit.from !== null && edit.from !== destination;
