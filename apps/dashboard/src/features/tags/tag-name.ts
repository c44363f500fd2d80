import { tagsText } from '../../strings/tags.ts';

const { faults } = tagsText.editing;
const maxLength = 50;

/** What names are compared by: tags that differ only in case are the same tag. */
export const foldTag = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** What is wrong with a name, in words. The server has the last word. */
export function tagFault(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === '') return faults.empty;
  if (/^\.{1,2}$/.test(trimmed)) return faults.dots;
  return [...trimmed].length > maxLength ? faults.long : null;
}
