import { fill } from './fill.ts';

/** Every text of the page that prints many codes at once. */
export const printText = {
  title: 'Print',
  what: 'Output',
  whats: { sheet: 'Label sheets', zip: 'Image files' },
  whatHints: {
    sheet: 'A PDF for sheets of adhesive labels.',
    zip: 'One image per code and a table of their links, in a ZIP file.',
  },

  codes: {
    title: 'Codes',
    which: 'Which codes',
    whiches: { matching: 'All that match', chosen: 'Choose codes' },
    match: (value: number) =>
      fill({ one: '{count} code matches.', other: '{count} codes match.' }, { count: value }),
    none: 'No codes match.',
    tooMany: (most: number) =>
      fill('One file holds up to {most} codes. Narrow the search, or choose codes.', { most }),
    chosen: (value: number) =>
      fill({ one: '{count} code chosen.', other: '{count} codes chosen.' }, { count: value }),
    noneChosen: 'Choose at least one code.',
    clear: 'Clear selection',
    all: 'Choose all on this page',
    choose: (name: string) => fill('Choose {name}', { name }),
    pages: 'codes to choose from',
    list: 'Codes to choose from',
    emptyTitle: 'No codes to print yet',
    emptyText: 'Create a code first. Then print it on labels, or download many images at once.',
  },

  sheet: {
    title: 'Labels',
    layout: 'Sheet',
    layouts: {
      'avery-l7160': 'Avery L7160 (A4, 63.5 × 38.1 mm)',
      'avery-5160': 'Avery 5160 (Letter, 2⅝ × 1 in)',
      own: 'Other sheet',
    },
    page: 'Page',
    pages: { a4: 'A4', letter: 'Letter' },
    columns: 'Labels across',
    rows: 'Labels down',
    marginX: 'Left edge of the page to the first label, in mm',
    marginY: 'Top edge of the page to the first label, in mm',
    labelX: 'Label width in mm',
    labelY: 'Label height in mm',
    pitchX: 'Left edge of one label to the next, in mm',
    pitchY: 'Top edge of one label to the next, in mm',
    faults: {
      small: (least: number) => fill('Labels must be at least {least} mm wide and high.', { least }),
      overlap: 'The labels overlap. Make them smaller or move them apart.',
      outside: 'The labels don’t fit on the page.',
      number: 'Fill in every measurement.',
    },
    caption: 'Caption',
    captionHint:
      'Latin, Greek and Cyrillic letters can be printed. A code whose text has others gets its short link.',
    captions: {
      none: 'None',
      name: 'Name of the code',
      short_url: 'Short link',
      external_id: 'External ID',
    },
    copies: 'Labels per code',
    placements: 'One label for each placement',
    copiesRange: (most: number) => fill('Enter 1 to {most}.', { most }),
    tooManyLabels: (labels: string, most: string) =>
      fill('These are {labels} labels. One file has at most {most}: choose fewer codes or copies.', {
        labels,
        most,
      }),
    tooSmall: (mm: string, safe: number) =>
      fill('Codes on these labels are {mm} mm wide. Below {safe} mm many phones can’t read them.', {
        mm,
        safe,
      }),
    noRoom: 'Some codes have links that are too long for the logo in this design.',
  },

  files: {
    title: 'Files',
    format: 'Format',
    formats: { png: 'PNG', svg: 'SVG' },
    size: 'Size in pixels',
    sizeRange: (least: string, most: string) => fill('Enter {least} to {most}.', { least, most }),
  },

  design: 'Design',
  ownDesign: 'Each code’s own design',
  designHint: 'For this file only. The codes keep their designs.',

  preview: 'Preview',
  previewOf: 'The first sheet',
  previewEmpty: 'Choose codes to see the first sheet.',
  labels: (count: number) => fill({ one: '{count} label', other: '{count} labels' }, { count }),
  sheets: (count: number) => fill({ one: '{count} sheet', other: '{count} sheets' }, { count }),
  atLeast: (labelCount: number) =>
    fill(
      {
        one: 'At least {count} label: codes with placements have more.',
        other: 'At least {count} labels: codes with placements have more.',
      },
      { count: labelCount },
    ),
  actualSize: 'Print at 100 % (“actual size”), and try one sheet of plain paper first.',
  fileSummary: (value: number) =>
    fill({ one: '{count} code, one file each.', other: '{count} codes, one file each.' }, { count: value }),
  makeSheet: 'Download PDF',
  makeZip: 'Download ZIP',
  failed: 'The file could not be created',
  sheetName: 'labels.pdf',
  zipName: 'images.zip',

  notCompact: (names: string) =>
    fill('These links can’t be printed as smaller codes, so they get the usual ones: {names}', { names }),
  compare: {
    title: 'Compare both kinds of code',
    description: 'Print this page and scan every code with your phones before you print smaller codes.',
    code: 'Code',
    print: 'Print this page',
    sheet: 'What is printed',
    usual: 'Usual code',
    compact: 'Smaller code',
    dots: (count: number) => fill('{count} × {count} dots', { count }),
    width: (mm: number) => fill('{mm} mm', { mm }),
    imageOf: (kind: string, mm: number) => fill('{kind}, {mm} mm wide', { kind, mm }),
    emptyTitle: 'No code to compare',
    emptyText: 'Create a code whose link has no underscore. Then print it in both kinds.',
  },
} as const;
