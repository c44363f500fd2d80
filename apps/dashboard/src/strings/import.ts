/** Every text of the import, for people. */
const count = (value: number) => new Intl.NumberFormat('en').format(value);
const codes = (value: number) => (value === 1 ? '1 code' : `${count(value)} codes`);
const rows = (value: number) => (value === 1 ? '1 row' : `${count(value)} rows`);

export const importText = {
  title: 'Import codes',

  start: {
    drop: 'Drop a CSV file here',
    choose: 'Choose a file',
    limits: (most: number) => `Up to ${count(most)} rows and 5 MB.`,
    known: 'Exports from Bitly, Dub, Shlink and Kutt work as they are.',
    example: 'Download an example',
    exampleName: 'example-codes.csv',
    paste: 'Or paste rows from a spreadsheet',
    pasteHint: 'Name and destination, one code a row. Column titles are optional.',
    pastePlaceholder: 'Spring menu\thttps://example.com/menu/spring',
    use: 'Check these rows',
  },

  refused: {
    title: 'This file can’t be imported',
    empty: 'There are no rows in it.',
    too_many_rows: (most: number) =>
      `It has more than ${count(most)} rows. Split it into smaller files and import them one after another.`,
    tooLarge: 'It is larger than 5 MB. Split it into smaller files and import them one after another.',
    workbook:
      'This is a spreadsheet file. In your spreadsheet app, save it as CSV, or copy the cells and paste them here.',
    unreadable: 'Your browser could not read it. Choose the file again.',
    noDestinations: 'Choose the column that holds the destinations.',
  },

  columns: {
    title: 'Columns',
    from: (service: string) => `This looks like an export from ${service}.`,
    name: 'Name',
    destination: 'Destination',
    ending: 'Link ending',
    tags: 'Tags',
    externalId: 'External ID',
    note: 'Note',
    metadata: 'Other columns to keep',
    metadataHint: 'Each becomes a detail of the code, under the name of its column.',
    metadataPlaceholder: 'Choose columns',
    none: 'Not in this file',
    numbered: (number: number) => `Column ${number}`,
    headings: 'The first row holds column titles',
  },

  rows: {
    title: 'Rows',
    number: 'Row',
    name: 'Name',
    destination: 'Destination',
    ending: 'Link ending',
    remove: 'Remove',
    cell: (field: string, row: number) => `${field}, row ${row}`,
    removeRow: (row: number) => `Remove row ${row}`,
    generated: 'Generated',
    externalId: (id: string) => `External ID ${id}`,
    note: 'With a note',
    onlyFaulty: 'Show only rows to fix',
    toFix: (value: number) => (value === 1 ? '1 problem to fix' : `${count(value)} problems to fix`),
    allGood: 'All rows are ready',
    count: rows,
    brokenQuotes:
      'A quotation mark in this file is never closed, so each line was read on its own. Check the cells before you create the codes.',
    allMended: 'All of these rows are fixed.',
    showAll: 'Show all rows',
    page: (page: number) => `Page ${page} of the rows`,
    pageControl: (control: string) => `${control} page of the rows`,
  },

  faults: {
    sameEnding: (row: number) => `Row ${row} has the same link ending`,
    spaces: 'A web address has no spaces. Write a space as %20',
    longAddress: 'This address is longer than 4,096 characters',
    longName: 'Use at most 255 characters',
    takenEnding: 'This link ending is taken. Choose another, or leave it empty',
    reservedEnding: 'This link ending is reserved. Choose another, or leave it empty',
    sameExternalId: (row: number) => `Row ${row} has the same external ID`,
    takenExternalId: 'Another code has this external ID',
    manyTags: (most: number) => `It has more than ${most} tags`,
    badTag: (name: string) => `“${name}” can’t be a tag. Use at most 50 characters`,
    longExternalId: 'Its external ID is longer than 255 characters',
    longNote: 'Its note is longer than 2,000 characters',
    manyDetails: (most: number) => `It has more than ${most} details`,
    badDetail: (name: string) => `“${name}” can’t name a detail. Use letters, digits, _ . or -`,
    longDetail: (name: string) => `“${name}” is longer than 500 characters`,
    withPassword: (service: string) =>
      `Protected by a password at ${service}. Here it would open for everyone. Edit this row to import it, or remove it.`,
    switchedOff: (service: string) => `Switched off at ${service}. Edit this row to import it, or remove it.`,
  },

  design: {
    title: 'Design',
    description: 'One design for all codes. It is fixed once you create them.',
    preview: 'Preview of the first code',
    poor: 'This design will often not scan. Choose a darker dot colour on a light background.',
    noRoom: 'Some links are too long for this logo. Choose a smaller logo or shorter link endings.',
    unreadable: 'No scanner can read this design. Choose colours that are further apart.',
  },

  create: {
    ready: (value: number) => (value === 0 ? 'No codes are ready' : `${codes(value)} ready`),
    button: (value: number) => (value === 0 ? 'Create codes' : `Create ${codes(value)}`),
    room: (room: number) =>
      room === 0
        ? 'You have no room for more codes. Delete codes that you no longer need, or ask the operator of this server for more.'
        : `You have room for ${codes(room)} more. Remove some rows, or ask the operator of this server for more.`,
    cancel: 'Start over',
    cancelTitle: 'Start over?',
    cancelBody: 'The rows and your changes to them are discarded. Codes that were created stay.',
    keep: 'Keep working',
  },

  run: {
    progress: (done: number, total: number) => `${count(done)} of ${codes(total)} sent`,
    checking: (done: number, total: number) => `${count(done)} of ${rows(total)} checked`,
    checkedBody:
      'Nothing was created yet. Each reason is in its row. Fix these rows, or create the others without them.',
    stop: 'Stop',
    stopping: 'Stopping after this batch…',
    waiting: (seconds: number) =>
      `You have created as many codes as one minute allows. Continuing in ${seconds} s…`,
    retry: 'Retry',
    interrupted: 'The import was interrupted',
    interruptedBody: (done: number) =>
      `${codes(done)} sent so far. Retry continues from there. No code is created twice.`,
    offline: 'You are offline.',
    otherMode: (mode: string) => `This import belongs to ${mode} mode. Switch back to continue.`,
    refused: 'No more codes were created',
    returned: (value: number) =>
      value === 1 ? '1 row needs another look' : `${count(value)} rows need another look`,
    returnedBody: 'Each reason is in its cell. Fix the cells and create these codes too.',
  },

  results: {
    title: (value: number) => `${codes(value)} created`,
    format: 'Format',
    images: 'Download images (ZIP)',
    imagesProgress: (done: number, total: number) => `Drawing ${count(done)} of ${count(total)} images`,
    imagesFailed: 'The images were not downloaded',
    hint: 'SVG stays sharp at any size: choose it for print.',
    table: 'Download CSV with links',
    toCodes: 'Go to your codes',
    more: 'Import another file',
    zipName: 'qr-codes.zip',
    csvName: 'qr-codes.csv',
    csvColumns: ['id', 'short_url', 'image_url', 'image_file', 'error'] as const,
  },
};
