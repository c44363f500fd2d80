import type { BrowseItem } from '@signpost/contract';
import { useRef, useState } from 'react';
import type { CodesFilters } from '../codes/codes-search.ts';
import { nothingSelected, rangeOf, type Selection, withCodes } from './selection.ts';

/** What was chosen in a list. Another page keeps it; another filter begins a new one. */
export function useSelection(filters: CodesFilters) {
  const key = JSON.stringify(filters);
  const [state, setState] = useState({ key, selection: nothingSelected });
  const last = useRef<string | null>(null);
  const selection = state.key === key ? state.selection : nothingSelected;
  const set = (next: Selection) => setState({ key, selection: next });
  return {
    selection,
    set,
    clear: () => set(nothingSelected),
    /** With Shift, everything between this and the one before. */
    toggle(codes: readonly BrowseItem[], id: string, isRange: boolean): void {
      const isChosen = !selection.has(id);
      set(withCodes(selection, rangeOf(codes, isRange ? last.current : null, id), isChosen));
      last.current = id;
    },
    togglePage(codes: readonly BrowseItem[]): void {
      set(withCodes(selection, codes, !codes.every(({ id }) => selection.has(id))));
    },
  };
}

export type SelectionState = ReturnType<typeof useSelection>;
