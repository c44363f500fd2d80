import { fill } from './fill.ts';

/** Every text that people see on the pages about codes. */
export const codesText = {
  title: 'Codes',
  newCode: 'New code',
  importCodes: 'Import',
  cancel: 'Cancel',
  useApi: 'Use the API',
  curlCommand: 'curl command',
  imageOf: (name: string) => fill('QR code of {name}', { name }),

  list: {
    label: 'Your codes',
    search: 'Search codes',
    searchHint: 'Search codes',
    filter: 'Filter',
    filterWith: (count: number) => fill('Filter ({count})', { count }),
    status: 'Status',
    allStatuses: 'All statuses',
    statuses: { active: 'Active', paused: 'Paused', draft: 'Draft' },
    archived: 'Archived',
    order: 'Sort by',
    orders: { created: 'Newest first', scans: 'Most scans', name: 'Name' },
    columns: {
      name: 'Name',
      link: 'Short link',
      trend: 'Last 14 days',
      scans: 'Scans',
      created: 'Created',
      actions: 'Actions',
    },
    sortBy: { name: 'Sort by name', scans: 'Sort by most scans', created: 'Sort by newest' },
    noMatch: 'No codes match',
    noMatchHint: 'Search covers names, destinations and short links.',
    showAll: 'Show all codes',
    total: (count: number) => fill({ one: '{count} code', other: '{count} codes' }, { count }),
    scans: (count: number) => fill({ one: '{count} scan', other: '{count} scans' }, { count }),
    rules: (count: number) => fill({ one: '{count} rule', other: '{count} rules' }, { count }),
    createdOn: (date: string) => fill('Created {date}', { date }),
    pages: 'codes',
    trendOf: (count: number) =>
      fill(
        { one: '{count} scan in the last 14 days', other: '{count} scans in the last 14 days' },
        { count },
      ),
    allArchived: {
      title: 'All your codes are archived',
      body: 'They keep working.',
      show: 'Show archived codes',
    },
    noCodes: 'No codes yet',
    first: {
      title: 'Create your first code',
      body: 'All you need is a name and a destination. You can change the destination at any time. The printed code stays the same.',
    },
  },

  actions: {
    download: 'Download',
    copyLink: 'Copy link',
    more: 'More actions',
    moreFor: (name: string) => fill('More actions for {name}', { name }),
    duplicate: 'Duplicate',
    print: 'Print labels',
    pause: 'Pause',
    resume: 'Resume',
    publish: 'Publish',
    archive: 'Archive',
    unarchive: 'Unarchive',
    delete: 'Delete',
  },

  copied: 'Link copied.',
  copyFailed: (url: string) => fill('Your browser blocked copying. The link is {url}', { url }),

  page: {
    leadsTo: (destination: string) => fill('→\u00a0{destination}', { destination }),
    tabs: {
      overview: 'Overview',
      rules: 'Rules',
      placements: 'Placements',
      analytics: 'Analytics',
      history: 'History',
    },
    details: 'Details',
    image: 'QR code',
    shortLink: 'Short link',
    theShortLink: 'short link',
    dates: (created: string, changed: string) =>
      fill('Created {created} · Last changed {changed}', { created, changed }),
    missing: {
      title: 'Code not found',
      headings: {
        live: 'You have no live code with this address',
        test: 'You have no test code with this address',
      },
      bodies: {
        live: 'It may have been deleted, or it is a test code. Switch to test mode to see those.',
        test: 'It may have been deleted, or it is a live code. Switch to live mode to see those.',
      },
    },
  },

  scans: {
    title: 'Scans',
    total: 'Scans',
    unique: 'Unique',
    latest: 'Latest scans',
    lastMonth: (count: number) =>
      fill({ one: '{count} scan in 30 days', other: '{count} scans in 30 days' }, { count }),
    onDay: (count: number, day: string) =>
      fill({ one: '{day}: {count} scan', other: '{day}: {count} scans' }, { count, day }),
    toAnalytics: 'See analytics',
    waiting: 'Waiting for your first scan',
    waitingHint: 'Scan the code with a phone, or {link}. New scans appear here automatically.',
    openLink: 'open the short link',
    draft: 'This code is a draft',
    draftHint: 'Its short link does not work yet. Publish the code before you print it.',
    paused: 'This code is paused',
    pausedHint: 'People who scan it see a page that says so. Scans are not counted.',
    suspended: 'No scans while the code is suspended',
    suspendedHint: 'Scans count again once it is released.',
    held: 'No scans until you confirm your e-mail address',
    heldHint: 'After that, new scans appear here automatically.',
  },

  form: {
    details: 'Details',
    design: 'Design',
    designHint: 'You can’t change the design after you create the code.',
    preview: 'Preview',
    previewOf: 'Preview of the code',
    previewNote: 'The pattern of dots changes with the link. The design stays.',
    name: 'Name',
    nameHint: 'Only you see it.',
    namePlaceholder: 'Spring menu',
    destination: 'Destination',
    destinationHint: 'Where people go when they scan. You can change it at any time.',
    destinationPlaceholder: 'example.com/menu/spring',
    ending: 'Custom link ending (optional)',
    endingPlaceholder: 'spring-menu',
    reclaimHint:
      'You deleted a code with this ending. If you use it again, its printed copies lead to the new code. Earlier scans stay deleted.',
    reclaim: 'Use it again',
    create: 'Create code',
    saveDraft: 'Save as draft',
    save: 'Save',
    discard: 'Discard changes',
    notCreated: 'The code was not created',
    noRoom: 'The logo does not fit. Choose a smaller logo or a shorter link ending.',
    unreadable: 'No scanner can read these colours. Choose colours that are further apart.',
    editHint: 'Scans go to the new destination as soon as you save. The printed code stays the same.',
    editHintSuspended: 'You can save now. Scans go there once the code is released.',
    copyOf: (name: string) => fill('Copy of {name}', { name }),
    faults: {
      name: 'Enter a name',
      destination: 'Enter a destination',
      reclaimable: 'You have used this ending before',
      scheme: 'Start with https:// or http://. Only web addresses work.',
      address: 'Enter a complete web address',
      ending: (least: number, most: number) =>
        fill('Use {least} to {most} letters, digits, - or _. Start and end with a letter or digit.', {
          least,
          most,
        }),
    },
  },

  campaign: {
    title: 'Campaign parameters',
    inUse: (count: number) => fill('Campaign parameters ({count})', { count }),
    hint: 'Added to the destination, so your web analytics can tell where visits come from.',
    fields: {
      utm_source: { label: 'Source', placeholder: 'poster' },
      utm_medium: { label: 'Medium', placeholder: 'qr' },
      utm_campaign: { label: 'Campaign', placeholder: 'spring' },
      utm_term: { label: 'Term', placeholder: '' },
      utm_content: { label: 'Content', placeholder: 'table-4' },
    },
  },

  address: {
    private: 'Phones outside your network can’t open this code',
    insecure: 'This code opens without https',
    privateHint: (base: string) =>
      fill(
        'Short links start with {base}, an address that only works on this machine or network. Set up a public https address before you print.',
        { base },
      ),
    insecureHint: (base: string) =>
      fill(
        'Short links start with {base}. Some phones warn people before they open it. Set up https before you print.',
        { base },
      ),
  },

  changes: {
    paused: 'Code paused.',
    resumed: 'Code resumed.',
    published: 'Code published. It works from now on.',
    archived: 'Code archived. It keeps working, and lists leave it out.',
    unarchived: 'Code unarchived. It is in your lists again.',
    renamed: 'Code renamed.',
    moved: 'Destination changed.',
    rules: 'Rules saved.',
    saved: 'Changes saved.',
    undone: 'Change undone.',
    undo: 'Undo',
    otherMode: {
      live: 'Switch to live mode to undo this change.',
      test: 'Switch to test mode to undo this change.',
    },
    suspended: 'Saved. Scans go there once the code is released.',
    held: 'Saved. The code works once you confirm your e-mail address.',
    failed: 'The code was not changed',
  },

  conflict: {
    title: 'Changed elsewhere meanwhile',
    text: 'In another tab or by somebody else, since you opened it. Choose what stays.',
    refused: 'Somebody else has changed the same thing since then, and it was not overwritten.',
    mine: 'Yours',
    theirs: 'Saved now',
    nothing: 'Empty',
    keep: 'Keep mine',
    take: 'Take theirs',
  },

  deletion: {
    title: 'Delete this code permanently?',
    body: (count: number) =>
      fill(
        {
          one: 'Its short link stops working immediately, and its {count} scan is erased.',
          other: 'Its short link stops working immediately, and its {count} scans are erased.',
        },
        { count },
      ),
    live: 'Printed copies stop working. Only your account can use its short link again, for a new code.',
    test: 'You can use its short link again in test mode.',
    instead: 'To stop it for a while, pause it instead. To clear it out of your lists, archive it.',
    type: 'Type {name} to confirm',
    confirm: 'Delete permanently',
    done: (name: string) => fill('“{name}” deleted.', { name }),
    failed: 'The code was not deleted',
  },

  history: {
    title: 'History',
    created: 'Created',
    renamed: 'Name changed',
    moved: 'Destination changed',
    activated: 'Activated',
    paused: 'Paused',
    status: 'Status changed',
    archived: 'Archived',
    unarchived: 'Unarchived',
    tags: 'Tags changed',
    note: 'Note changed',
    externalId: 'External ID changed',
    metadata: 'Metadata changed',
    rules: 'Rules changed',
    fallback: 'Destination while inactive changed',
    startsAt: 'Start changed',
    expiresAt: 'End changed',
    maxScans: 'Scan limit changed',
    query: 'Query parameters changed',
    from: 'From',
    to: 'To',
    by: (name: string, date: string) => fill('{name}, {date}', { name, date }),
    older: (count: number) =>
      fill('These are the newest {count} changes. Older ones are kept but not shown.', { count }),
    restore: 'Restore this destination',
    restoreThis: (destination: string) => fill('Restore this destination: {destination}', { destination }),
    restoreTitle: 'Restore this destination?',
    restoreBody: 'Scans will go to {earlier} instead of {current}.',
    restoreConfirm: 'Restore',
  },

  health: {
    new: 'New',
    unscanned: 'Not scanned',
    declining: 'Declining',
    dormant: 'Dormant',
    reasons: {
      new: 'Created in the last 7 days.',
      unscanned: (created: string) => fill('No scans since it was created on {created}.', { created }),
      declining: (count: number, before: number) =>
        fill(
          {
            one: '{count} scan in the last 7 days, {before} in the 7 days before.',
            other: '{count} scans in the last 7 days, {before} in the 7 days before.',
          },
          { count, before },
        ),
      dormant: 'No scans in the last 14 days.',
    },
  },

  downloadNotLoaded: 'The download dialog could not be loaded',
} as const;
