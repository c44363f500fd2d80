import { fill } from './fill.ts';

/** Every text about filters, saved views and work on many codes, for people. */
export const organiseText = {
  filter: {
    title: 'Filter codes',
    tags: 'Tags',
    tagsHint: 'Shows codes that have all of these tags',
    tagsPlaceholder: 'Choose tags',
    noTags: 'No tags yet',
    noTagFound: 'No tag with this name',
    host: 'Destination host',
    hostPlaceholder: 'www.example.com',
    from: 'Created from',
    to: 'Created until',
    apply: 'Show codes',
    clear: 'Clear filters',
    active: 'Active filters',
    chips: {
      search: (value: string) => fill('“{value}”', { value }),
      status: (value: string) => fill('{value}', { value }),
      host: (value: string) => fill('Leads to {value}', { value }),
      from: (date: string) => fill('From {date}', { date }),
      to: (date: string) => fill('Until {date}', { date }),
    },
    remove: (what: string) => fill('Remove filter: {what}', { what }),
  },

  exportList: 'Export CSV',
  exportMatches: 'Export these codes as CSV',
  more: 'More',
  totalCapped: (shown: string) => fill('More than {shown} codes', { shown }),

  selection: {
    label: 'Selected codes',
    selected: (value: number) => fill('{value} selected', { value }),
    all: (value: number) => fill('Select all {value}', { value }),
    allLoading: (done: number, total: number) => fill('Selecting {done} of {total}…', { done, total }),
    allFailed: 'Not all codes were selected',
    most: (most: number) => fill('Up to {most} codes can be selected at a time.', { most }),
    clear: 'Clear selection',
    page: 'Select all codes on this page',
    selectCode: (name: string) => fill('Select {name}', { name }),
    tags: 'Tags',
    pause: 'Pause',
    resume: 'Resume',
    archive: 'Archive',
    unarchive: 'Unarchive',
    destination: 'Change destination',
    print: 'Print labels',
    mostPrinted: (most: number) => fill('Up to {most} codes at a time', { most }),
    replace: 'Find and replace in destinations',
    delete: 'Delete',
    more: 'More actions for the selected codes',
  },

  bulk: {
    cancel: 'Cancel',
    close: 'Close',
    progress: (done: number, total: number) =>
      fill({ one: '{done} of {count} code', other: '{done} of {count} codes' }, { done, count: total }),
    waiting: (seconds: number) =>
      fill('You’ve changed as many codes as you can in a minute. Continuing in {seconds} s…', { seconds }),
    stop: 'Stop',
    stopped: 'Stopped.',
    changed: (value: number) =>
      fill({ one: '{count} code changed.', other: '{count} codes changed.' }, { count: value }),
    deleted: (value: number) =>
      fill({ one: '{count} code deleted.', other: '{count} codes deleted.' }, { count: value }),
    failures: (value: number) =>
      fill(
        { one: '{count} code stays as it was', other: '{count} codes stay as they were' },
        { count: value },
      ),
    failed: 'The codes were not changed',
    partly: (value: number) =>
      fill(
        { one: '{count} code changed before it stopped.', other: '{count} codes changed before it stopped.' },
        { count: value },
      ),
    suspended: 'Your account is suspended.',

    pause: {
      title: (value: number) =>
        fill({ one: 'Pause {count} code?', other: 'Pause {count} codes?' }, { count: value }),
      body: 'People who scan them see a page that says so. You can resume them at any time.',
      submit: (value: number) =>
        fill({ one: 'Pause {count} code', other: 'Pause {count} codes' }, { count: value }),
    },
    resume: {
      title: (value: number) =>
        fill({ one: 'Resume {count} code?', other: 'Resume {count} codes?' }, { count: value }),
      body: 'Paused codes and drafts redirect from then on.',
      submit: (value: number) =>
        fill({ one: 'Resume {count} code', other: 'Resume {count} codes' }, { count: value }),
    },
    archive: {
      title: (value: number) =>
        fill({ one: 'Archive {count} code?', other: 'Archive {count} codes?' }, { count: value }),
      body: 'Lists leave them out. Their links keep working, scans count, and they count as codes of your plan.',
      submit: (value: number) =>
        fill({ one: 'Archive {count} code', other: 'Archive {count} codes' }, { count: value }),
    },
    unarchive: {
      title: (value: number) =>
        fill({ one: 'Unarchive {count} code?', other: 'Unarchive {count} codes?' }, { count: value }),
      body: 'They are in your lists again.',
      submit: (value: number) =>
        fill({ one: 'Unarchive {count} code', other: 'Unarchive {count} codes' }, { count: value }),
    },
    tags: {
      title: (value: number) =>
        fill({ one: 'Change tags of {count} code', other: 'Change tags of {count} codes' }, { count: value }),
      add: 'Add',
      remove: 'Remove',
      removeHint: 'Tags on the selected codes.',
      none: 'None of these codes has a tag.',
      submit: (value: number) =>
        fill({ one: 'Change {count} code', other: 'Change {count} codes' }, { count: value }),
      nothing: 'Choose a tag to add or remove',
    },
    destination: {
      title: (value: number) =>
        fill(
          { one: 'New destination for {count} code', other: 'New destination for {count} codes' },
          { count: value },
        ),
      hint: 'They all lead there as soon as you save. The printed codes stay the same.',
      submit: (value: number) =>
        fill({ one: 'Change {count} code', other: 'Change {count} codes' }, { count: value }),
    },
    replace: {
      title: 'Find and replace in destinations',
      find: 'Find',
      findPlaceholder: 'old.example.com',
      replace: 'Replace with',
      replacePlaceholder: 'new.example.com',
      hint: (value: number) =>
        fill(
          {
            one: 'In the destinations of {count} code. Case-sensitive.',
            other: 'In the destinations of {count} codes. Case-sensitive.',
          },
          { count: value },
        ),
      preview: 'Preview',
      previewOf: 'Preview of the changes',
      matches: (value: number, total: number) =>
        fill(
          {
            one: '{count} destination of {total} would change.',
            other: '{count} destinations of {total} would change.',
          },
          { count: value, total },
        ),
      noMatch: 'None of these destinations contains this text.',
      more: (value: number) => fill('and {value} more', { value }),
      refused: (value: number) =>
        fill(
          { one: '{count} destination can’t change:', other: '{count} destinations can’t change:' },
          { count: value },
        ),
      submit: (value: number) =>
        fill({ one: 'Change {count} destination', other: 'Change {count} destinations' }, { count: value }),
      faults: { empty: 'Enter the text to find' },
      notPreviewed: 'The preview could not be loaded',
    },
    delete: {
      title: (value: number) =>
        fill(
          { one: 'Delete {count} code permanently?', other: 'Delete {count} codes permanently?' },
          { count: value },
        ),
      body: 'Their short links stop working immediately, and their scans are erased.',
      live: 'Printed copies stop working. Only your account can use these short links again, for new codes.',
      test: 'You can use these short links again in test mode.',
      instead: 'To stop them for a while, pause them instead. To clear them out of your lists, archive them.',
      type: 'Type {count} to confirm',
      submit: (value: number) =>
        fill({ one: 'Delete {count} code', other: 'Delete {count} codes' }, { count: value }),
      failed: 'The codes were not deleted',
    },
  },

  panel: {
    title: 'Organise',
    tags: 'Tags',
    note: 'Note',
    noteHint: 'Only you see it.',
    developers: 'For developers',
    externalId: 'External ID',
    externalIdHint: 'This code’s ID in your own system. It appears in URLs, so don’t use personal data.',
    metadata: 'Metadata',
    metadataHint: 'Names and values for programs that use the API.',
    key: 'Name',
    keyOf: (row: number) => fill('Metadata name {row}', { row }),
    value: 'Value',
    valueOf: (row: number) => fill('Metadata value {row}', { row }),
    entry: (key: string, value: string) => fill('{key}: {value}', { key, value }),
    addKey: 'Add metadata',
    removeKey: (row: number) => fill('Remove metadata {row}', { row }),
    save: 'Save',
    discard: 'Discard changes',
    faults: {
      note: 'Use at most 2,000 characters',
      externalId: 'Use at most 255 characters',
      key: 'Use 1 to 40 letters, digits, _ . or -',
      sameKey: 'This name is used twice',
      value: 'Use at most 500 characters',
    },
  },
} as const;
