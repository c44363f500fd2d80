import type { Mode } from '../../../kernel/caller.ts';
import type { Uuid } from '../../../kernel/ids.ts';

/** A filtered list of codes that a person has given a name. */
export type SavedView = { readonly id: Uuid; readonly name: string; readonly query: string };

/** Whose views: those of a person in one account and mode. */
export type ViewOwner = { readonly userId: Uuid; readonly accountId: Uuid; readonly mode: Mode };

/** More than these no navigation can show. */
export const maxViews = 50;
