/** Every text about tags, for people. */
const count = (value: number) => new Intl.NumberFormat('en').format(value);
const codes = (value: number) => (value === 1 ? '1 code' : `${count(value)} codes`);

export const tagsText = {
  title: 'Tags',
  label: 'Your tags',
  field: 'Tags',
  fieldHint: 'Press Enter after each tag.',
  fieldPlaceholder: 'Add a tag',
  notLoaded: 'Your tags could not be loaded. You can still type new ones.',
  tooMany: (most: number) => `A code can have up to ${most} tags`,
  list: (name: string) => `Tags of ${name}`,
  more: (value: number) => `+${value}`,
  moreOf: (names: readonly string[]) => names.join(', '),

  columns: { tag: 'Tag', codes: 'Codes', scans: 'Scans', actions: 'Actions' },
  search: 'Search tags',
  noMatch: 'No tags match',
  showAll: 'Show all tags',
  pages: 'tags',
  codes,
  showCodes: (name: string, value: number) => `Show ${codes(value)} tagged ${name}`,
  analytics: 'Analytics',
  analyticsOf: (name: string) => `Analytics of ${name}`,
  moreFor: (name: string) => `More actions for ${name}`,
  edit: 'Rename or recolour',
  delete: 'Delete',
  empty: {
    title: 'No tags yet',
    body: 'Tags group your codes by place, campaign or customer. Add one to a code, or select several codes in the list and tag them together.',
    action: 'Go to your codes',
  },

  editing: {
    title: (name: string) => `Edit “${name}”`,
    name: 'Name',
    color: 'Colour',
    save: 'Save',
    merge: (name: string) => `Merge into ${name}`,
    mergeHint: (name: string, value: number) =>
      `You already have “${name}”, with ${codes(value)}. The two become one tag. This can’t be undone.`,
    saved: 'Tag saved.',
    merged: (name: string) => `Merged into “${name}”.`,
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
    title: (name: string) => `Delete the tag “${name}”?`,
    body: (value: number) =>
      value === 0
        ? 'No code has it.'
        : `It is removed from ${codes(value)}. The codes stay and keep working.`,
    confirm: 'Delete tag',
    done: (name: string) => `Tag “${name}” deleted.`,
    failed: 'The tag was not deleted',
  },
};
