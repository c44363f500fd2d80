import type { BrowseItem } from '@signpost/contract';

/** What work on many codes needs to know of each. */
export type Selected = Pick<BrowseItem, 'id' | 'name' | 'destination_url' | 'status' | 'tags'>;

/** The codes that a person has chosen, by their ids, in the order of the list. */
export type Selection = ReadonlyMap<string, Selected>;

export const nothingSelected: Selection = new Map();

/** No more are changed in one go: beyond that, a program does it better. */
export const mostSelected = 5_000;

const toSelected = ({ id, name, destination_url, status, tags }: Selected): Selected => ({
  id,
  name,
  destination_url,
  status,
  tags,
});

/** With these codes added, or taken out. Beyond the limit nothing is added. */
export function withCodes(selection: Selection, codes: readonly Selected[], isChosen: boolean): Selection {
  const next = new Map(selection);
  for (const code of codes) {
    if (!isChosen) next.delete(code.id);
    else if (next.has(code.id) || next.size < mostSelected) next.set(code.id, toSelected(code));
  }
  return next;
}

/** All codes from the one that was chosen last to this one, as a click with Shift asks for. */
export function rangeOf<Code extends { readonly id: string }>(
  codes: readonly Code[],
  from: string | null,
  to: string,
): readonly Code[] {
  const [start, end] = [codes.findIndex(({ id }) => id === from), codes.findIndex(({ id }) => id === to)];
  if (end === -1) return [];
  if (start === -1) return codes.slice(end, end + 1);
  return codes.slice(Math.min(start, end), Math.max(start, end) + 1);
}
