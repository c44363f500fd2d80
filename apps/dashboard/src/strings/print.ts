/** Every text of the page that prints many codes at once. */
const count = (value: number) => new Intl.NumberFormat('en').format(value);
const codes = (value: number) => (value === 1 ? '1 code' : `${count(value)} codes`);
const labels = (value: number) => (value === 1 ? '1 label' : `${count(value)} labels`);
const sheets = (value: number) => (value === 1 ? '1 sheet' : `${count(value)} sheets`);

export const printText = {
  title: 'Print',
  what: 'What to make',
  whats: { sheet: 'Label sheets', zip: 'Image files' },
  whatHints: {
    sheet: 'A PDF for sheets of adhesive labels.',
    zip: 'One image per code and a table of their links, in a ZIP file.',
  },

  codes: {
    title: 'Codes',
    which: 'Which codes',
    whiches: { matching: 'All that match', chosen: 'Choose codes' },
    match: (value: number) => `${codes(value)} match.`,
    none: 'No codes match.',
    tooMany: (most: number) =>
      `At most ${codes(most)} fit into one file. Narrow the search, or choose codes.`,
    chosen: (value: number) => `${codes(value)} chosen.`,
    noneChosen: 'Choose at least one code.',
    clear: 'Clear choice',
    all: 'Choose all on this page',
    choose: (name: string) => `Choose ${name}`,
    pages: 'codes to choose from',
    list: 'Codes to choose from',
    emptyTitle: 'No codes to print yet',
    emptyText: 'Make a code first. Then print it on labels, or download many images at once.',
  },

  sheet: {
    title: 'Labels',
    layout: 'Sheet',
    layouts: {
      'avery-l7160': 'Avery L7160 · A4, 3 × 7 labels of 63.5 × 38.1 mm',
      'avery-5160': 'Avery 5160 · Letter, 3 × 10 labels of 2⅝ × 1 in',
      own: 'Other sheet: enter its measures',
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
      small: (least: number) => `Labels must be at least ${least} mm wide and high.`,
      overlap: 'The labels overlap. Make them smaller, or further apart.',
      outside: 'The labels do not fit onto the page.',
      number: 'Fill in every measure.',
    },
    caption: 'Caption',
    captions: {
      none: 'None',
      name: 'Name of the code',
      short_url: 'Short link',
      external_id: 'Your own ID',
    },
    copies: 'Labels of each code',
    placements: 'A label for each placement of a code',
    copiesRange: (most: number) => `Enter 1 to ${most}.`,
    tooManyLabels: (labels: string, most: string) =>
      `These are ${labels} labels. One file has at most ${most}: choose fewer codes or copies.`,
    tooSmall: (mm: string, safe: number) =>
      `Codes on these labels are ${mm} mm wide. Below ${safe} mm many phones can’t read them.`,
    noRoom: 'The links of some codes are too long for the logo of this design.',
  },

  files: {
    title: 'Files',
    format: 'Format',
    formats: { png: 'PNG', svg: 'SVG' },
    size: 'Size in pixels',
    sizeRange: (least: string, most: string) => `Enter ${least} to ${most}.`,
  },

  design: 'Design',
  ownDesign: 'Each code’s own design',
  designHint: 'For this file only. The codes keep their designs.',

  preview: 'Preview',
  previewOf: 'The first sheet',
  previewEmpty: 'Choose codes to see the first sheet.',
  summary: (labelCount: number, sheetCount: number) => `${labels(labelCount)} on ${sheets(sheetCount)}.`,
  atLeast: (labelCount: number) => `At least ${labels(labelCount)}: codes with placements have more.`,
  actualSize: 'Print at 100 % (“actual size”), and try one sheet of plain paper first.',
  fileSummary: (value: number) => `${codes(value)}, one file each.`,
  makeSheet: 'Download PDF',
  makeZip: 'Download ZIP',
  failed: 'The file could not be made',
  sheetName: 'labels.pdf',
  zipName: 'images.zip',
};
