import { fill } from './fill.ts';

/** Every text about tags, for people. */
export const tagsText = {
  title: 'Tags',
  label: 'Your tags',
  field: 'Tags',
  fieldHint: 'Press Enter after each tag.',
  fieldPlaceholder: 'Add a tag',
  notLoaded: 'Your tags could not be loaded. You can still type new ones.',
  tooMany: (most: number) => fill('A code can have up to {most} tags', { most }),
  list: (name: string) => fill('Tags of {name}', { name }),
  more: (value: number) => fill('+{value}', { value }),

  columns: { tag: 'Tag', codes: 'Codes', scans: 'Scans', actions: 'Actions' },
  search: 'Search tags',
  noMatch: 'No tags match',
  showAll: 'Show all tags',
  pages: 'tags',
  codes: (count: number) => fill({ one: '{count} code', other: '{count} codes' }, { count }),
  showCodes: (name: string, value: number) =>
    fill(
      { one: 'Show {count} code tagged {name}', other: 'Show {count} codes tagged {name}' },
      { count: value, name },
    ),
  analytics: 'Analytics',
  analyticsOf: (name: string) => fill('Analytics of {name}', { name }),
  moreFor: (name: string) => fill('More actions for {name}', { name }),
  edit: 'Rename or recolour',
  delete: 'Delete',
  empty: {
    title: 'No tags yet',
    body: 'Tags group your codes by place, campaign or customer. Add one to a code, or select several codes in the list and tag them together.',
    action: 'Go to your codes',
  },

  editing: {
    title: (name: string) => fill('Edit “{name}”', { name }),
    name: 'Name',
    color: 'Colour',
    save: 'Save',
    merge: (name: string) => fill('Merge into {name}', { name }),
    mergeHint: (name: string, value: number) =>
      fill(
        {
          one: 'You already have “{name}”, with {count} code. The two become one tag. This can’t be undone.',
          other:
            'You already have “{name}”, with {count} codes. The two become one tag. This can’t be undone.',
        },
        { name, count: value },
      ),
    saved: 'Tag saved.',
    merged: (name: string) => fill('Merged into “{name}”.', { name }),
    failed: 'The tag was not changed',
    faults: {
      empty: 'Enter a name',
      long: 'Use at most 50 characters',
      dots: 'Use something besides dots',
    },
  },

  colors: {
    gray: 'Grey',
    red: 'Red',
    orange: 'Orange',
    yellow: 'Yellow',
    green: 'Green',
    teal: 'Teal',
    blue: 'Blue',
    purple: 'Purple',
  },

  deletion: {
    title: (name: string) => fill('Delete the tag “{name}”?', { name }),
    unused: 'No code uses it.',
    body: (count: number) =>
      fill(
        {
          one: 'It is removed from {count} code. The code keeps working.',
          other: 'It is removed from {count} codes. The codes keep working.',
        },
        { count },
      ),
    confirm: 'Delete tag',
    done: (name: string) => fill('Tag “{name}” deleted.', { name }),
    failed: 'The tag was not deleted',
  },
} as const;
