import { formatDate } from '../../ui/format.ts';
import type { Period } from './periods.ts';

/** A period as people read it: one day, or two with a dash. Its end may be a moment. */
export function periodName({ start, end }: Period): string {
  const [first, last] = [start, end].map(day => formatDate(day.length > 10 ? day : `${day}T00:00:00`));
  return first === last ? first! : `${first} – ${last}`;
}
