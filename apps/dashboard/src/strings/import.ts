import { fill } from './fill.ts';

/** Every text of the import, for people. */
export const importText = {
  title: 'Import codes',

  start: {
    drop: 'Drop a CSV file here',
    choose: 'Choose a file',
    limits: (most: number) => fill('Up to {most} rows and 5 MB.', { most }),
    known: 'Exports from Bitly, Dub, Shlink and Kutt work as they are.',
    example: 'Download an example',
    exampleName: 'example-codes.csv',
    paste: 'Or paste rows from a spreadsheet',
    pasteHint: 'Name and destination, one code per row. Column headings are optional.',
    pastePlaceholder: 'Spring menu\texample.com/menu',
    use: 'Check these rows',
  },

  refused: {
    title: 'This file can’t be imported',
    empty: 'There are no rows in it.',
    too_many_rows: (most: number) =>
      fill('It has more than {most} rows. Split it into smaller files and import them one after another.', {
        most,
      }),
    tooLarge: 'It is larger than 5 MB. Split it into smaller files and import them one after another.',
    workbook:
      'This is a spreadsheet file. In your spreadsheet app, save it as CSV, or copy the cells and paste them here.',
    unreadable: 'Your browser could not read it. Choose the file again.',
    noDestinations: 'Choose the column that contains the destinations.',
  },

  columns: {
    title: 'Columns',
    from: (service: string) => fill('This looks like an export from {service}.', { service }),
    name: 'Name',
    destination: 'Destination',
    ending: 'Link ending',
    tags: 'Tags',
    externalId: 'External ID',
    note: 'Note',
    domain: 'Domain',
    metadata: 'Keep as metadata',
    metadataHint: 'The name of each column becomes the name of its metadata.',
    metadataPlaceholder: 'Choose columns',
    none: 'Not in this file',
    numbered: (number: number) => fill('Column {number}', { number }),
    headings: 'The first row contains column headings',
  },

  rows: {
    title: 'Rows',
    number: 'Row',
    name: 'Name',
    destination: 'Destination',
    ending: 'Link ending',
    remove: 'Remove',
    cell: (field: string, row: number) => fill('{field}, row {row}', { field, row }),
    reclaim: 'Use it again',
    reclaimCell: (row: number) => fill('Use it again: row {row}', { row }),
    removeRow: (row: number) => fill('Remove row {row}', { row }),
    generated: 'Generated',
    externalId: (id: string) => fill('External ID {id}', { id }),
    note: 'With a note',
    onlyFaulty: 'Show only rows to fix',
    toFix: (value: number) =>
      fill({ one: '{count} problem to fix', other: '{count} problems to fix' }, { count: value }),
    allGood: 'All rows are ready',
    count: (count: number) => fill({ one: '{count} row', other: '{count} rows' }, { count }),
    brokenQuotes:
      'A quotation mark in this file is never closed, so each line was read on its own. Check the cells before you create the codes.',
    allMended: 'All of these rows are fixed.',
    showAll: 'Show all rows',
    page: (page: number) => fill('Page {page} of the rows', { page }),
    pageControl: (control: string) => fill('{control} page of the rows', { control }),
  },

  faults: {
    sameEnding: (row: number) => fill('Row {row} has the same link ending', { row }),
    spaces: 'A web address has no spaces. Write a space as %20',
    longAddress: 'This address is longer than 4,096 characters',
    longName: 'Use at most 255 characters',
    takenEnding: 'This link ending is taken. Choose another, or leave it empty',
    reclaimableEnding: 'You deleted a code with this ending. Use it again, or choose another',
    reservedEnding: 'This link ending is reserved. Choose another, or leave it empty',
    sameExternalId: (row: number) => fill('Row {row} has the same external ID', { row }),
    takenExternalId: 'Another code has this external ID',
    manyTags: (most: number) => fill('It has more than {most} tags', { most }),
    badTag: (name: string) => fill('“{name}” can’t be a tag. Use at most 50 characters', { name }),
    longExternalId: 'Its external ID is longer than 255 characters',
    longNote: 'Its note is longer than 2,000 characters',
    manyDetails: (most: number) => fill('It has more than {most} metadata entries', { most }),
    badDetail: (name: string) =>
      fill('“{name}” can’t be a metadata name. Use letters, digits, _ . or -', { name }),
    longDetail: (name: string) => fill('“{name}” is longer than 500 characters', { name }),
    withPassword: (service: string) =>
      fill(
        'Protected by a password at {service}. Here it would open for everyone. Edit this row to import it, or remove it.',
        { service },
      ),
    switchedOff: (service: string) =>
      fill('Switched off at {service}. Edit this row to import it, or remove it.', { service }),
  },

  design: {
    title: 'Design',
    description: 'One design for all codes. You can’t change it after you create them.',
    preview: 'Preview of the first code',
    poor: 'This design will often not scan. Choose a darker dot colour on a light background.',
    noRoom: 'Some links are too long for this logo. Choose a smaller logo or shorter link endings.',
    unreadable: 'No scanner can read this design. Choose colours that are further apart.',
  },

  create: {
    noneReady: 'No codes are ready',
    ready: (count: number) => fill({ one: '{count} code ready', other: '{count} codes ready' }, { count }),
    none: 'Create codes',
    button: (count: number) => fill({ one: 'Create {count} code', other: 'Create {count} codes' }, { count }),
    noRoom:
      'You’ve reached your code limit. Delete codes you no longer need, or ask the operator of this server for more.',
    room: (count: number) =>
      fill(
        {
          one: 'You can create {count} more code. Remove some rows, or ask the operator of this server for more.',
          other:
            'You can create {count} more codes. Remove some rows, or ask the operator of this server for more.',
        },
        { count },
      ),
    cancel: 'Start over',
    cancelTitle: 'Start over?',
    cancelBody: 'You’ll lose these rows and your changes to them. Codes already created stay.',
    keep: 'Keep editing',
  },

  run: {
    progress: (done: number, total: number) =>
      fill(
        { one: '{done} of {count} code sent', other: '{done} of {count} codes sent' },
        { done, count: total },
      ),
    checking: (done: number, total: number) =>
      fill(
        { one: '{done} of {count} row checked', other: '{done} of {count} rows checked' },
        { done, count: total },
      ),
    checkedBody:
      'Nothing was created yet. Each reason is in its row. Fix these rows, or create the others without them.',
    stop: 'Stop',
    stopping: 'Stopping after this batch…',
    waiting: (seconds: number) =>
      fill('You’ve created as many codes as you can in a minute. Continuing in {seconds} s…', { seconds }),
    retry: 'Retry',
    interrupted: 'The import was interrupted',
    interruptedBody: (done: number) =>
      fill(
        {
          one: '{count} code sent so far. Retry continues from there. No code is created twice.',
          other: '{count} codes sent so far. Retry continues from there. No code is created twice.',
        },
        { count: done },
      ),
    offline: 'You’re offline.',
    otherMode: {
      live: 'This import belongs to live mode. Switch back to continue.',
      test: 'This import belongs to test mode. Switch back to continue.',
    },
    refused: 'No more codes were created',
    returned: (value: number) =>
      fill(
        { one: '{count} row needs another look', other: '{count} rows need another look' },
        { count: value },
      ),
    returnedBody: 'Each reason is in its cell. Fix the cells and create these codes too.',
  },

  results: {
    title: (value: number) =>
      fill({ one: '{count} code created', other: '{count} codes created' }, { count: value }),
    format: 'Format',
    images: 'Download images (ZIP)',
    imagesProgress: (done: number, total: number) =>
      fill('Drawing {done} of {total} images', { done, total }),
    imagesFailed: 'The images were not downloaded',
    hint: 'SVG stays sharp at any size: choose it for print.',
    table: 'Download CSV with links',
    toCodes: 'Go to your codes',
    more: 'Import another file',
    zipName: 'qr-codes.zip',
    csvName: 'qr-codes.csv',
    csvColumns: ['id', 'short_url', 'image_url', 'image_file', 'error'] as const,
  },
} as const;
