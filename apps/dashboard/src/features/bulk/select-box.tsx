import { Checkbox } from '@mantine/core';
import type { BrowseItem } from '@signpost/contract';
import { organiseText } from '../../strings/organise.ts';
import type { SelectionState } from './use-selection.ts';

const text = organiseText.selection;

export type Selecting = { readonly codes: readonly BrowseItem[]; readonly chosen: SelectionState };

/** Chooses a code; with Shift also those between it and the one before. */
export function SelectBox({ code, codes, chosen }: Selecting & { readonly code: BrowseItem }) {
  return (
    <Checkbox
      aria-label={text.selectCode(code.name)}
      checked={chosen.selection.has(code.id)}
      onChange={event =>
        chosen.toggle(codes, code.id, (event.nativeEvent as Partial<MouseEvent>).shiftKey ?? false)
      }
    />
  );
}

/** Chooses all codes of the page, or none of them. */
export function SelectPageBox({ codes, chosen }: Selecting) {
  const count = codes.filter(({ id }) => chosen.selection.has(id)).length;
  return (
    <Checkbox
      aria-label={text.page}
      checked={count > 0 && count === codes.length}
      indeterminate={count > 0 && count < codes.length}
      onChange={() => chosen.togglePage(codes)}
    />
  );
}
