import { fill } from './fill.ts';

/** Every text about the places where a code is printed. */
export const placementsText = {
  title: 'Placements',
  hint: 'Track each place you print this code separately. Each place gets its own link to the same destination.',
  empty: {
    title: 'Where do you print this code?',
    body: 'Add a window, a till or table 12. Each place gets its own QR code, so you can see which one people scan.',
  },
  name: 'Place',
  namePlaceholder: 'Shop window',
  link: 'Link',
  key: 'Link ending',
  keyHint: (link: string) => fill('Printed as {link}. It cannot be changed later.', { link }),
  keyEmpty: 'Made from the name. Change it if you like.',
  longer: 'This link is longer than 32 characters, so its QR code has smaller dots.',
  note: 'Note',
  noteHint: 'Only you see it.',
  keyFault: 'Use 1 to 24 letters, digits or -',
  keyTaken: 'Another place already has this ending',
  nameFault: 'Enter a name for the place',
  add: 'Add placement',
  added: (name: string) => fill('“{name}” added.', { name }),
  failed: 'The placement was not changed',
  columns: { scans: 'Scans', visitors: 'Visitors', actions: 'Actions' },
  period: 'Period of the figures',
  periods: { '30d': '30 days', all: 'All time' },
  order: 'Sort by',
  orders: { added: 'Order added', scans: 'Most scans', name: 'Name' },
  search: 'Search placements',
  noMatch: 'No placements match.',
  pages: 'placements',
  without: 'No placement',
  deleted: (key: string) => fill('{key} (removed)', { key }),
  scansOf: (scans: number, name: string) =>
    fill({ one: '{count} scan of {name}', other: '{count} scans of {name}' }, { count: scans, name }),
  figuresFailed: 'Figures could not be loaded',
  copyLink: 'Copy link',
  moreFor: (name: string) => fill('More actions for {name}', { name }),
  download: 'Download',
  downloadOf: (name: string) => fill('Download the code for {name}', { name }),
  edit: 'Rename',
  editTitle: (name: string) => fill('Rename “{name}”', { name }),
  saved: 'Placement saved.',
  remove: 'Remove',
  removed: (name: string) => fill('“{name}” removed. Codes printed with its link keep working.', { name }),
  restored: (name: string) => fill('“{name}” is back.', { name }),
  print: 'Print labels',
  save: 'Download as CSV',
  import: {
    choose: 'Import from CSV',
    title: (count: number) =>
      fill({ one: '{count} placement in this file', other: '{count} placements in this file' }, { count }),
    add: (count: number) =>
      fill({ one: 'Add {count} placement', other: 'Add {count} placements' }, { count }),
    added: (count: number) =>
      fill({ one: '{count} placement added.', other: '{count} placements added.' }, { count }),
    notAdded: 'No placement was added',
    faulty: (count: number) =>
      fill(
        {
          one: '{count} row has a problem. Fix it in your file, then choose the file again.',
          other: '{count} rows have problems. Fix them in your file, then choose the file again.',
        },
        { count },
      ),
    faults: {
      longName: 'The name is longer than 80 characters.',
      longNote: 'The note is longer than 500 characters.',
      taken: 'Another place already has this ending.',
      same: (row: number) => fill('Same ending as row {row}', { row }),
      room: (most: number, room: number) =>
        fill('A code can have up to {most} placements. You can add {room} more.', { most, room }),
    },
  },
} as const;
