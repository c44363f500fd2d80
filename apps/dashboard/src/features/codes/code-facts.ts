import type { BrowseItem } from '@signpost/contract';

/** What the list and the page of a code both know about it. */
export type CodeFacts = Pick<
  BrowseItem,
  | 'id'
  | 'name'
  | 'destination_url'
  | 'status'
  | 'archived'
  | 'short_url'
  | 'style'
  | 'total_scans'
  | 'tags'
  | 'note'
  | 'external_id'
  | 'metadata'
> & {
  /** Only the page of the code knows them. */
  readonly placements?: readonly {
    readonly key: string;
    readonly name: string;
    readonly short_url: string;
  }[];
};
