// Apart from the rest of the package: captions need the outlines of the letters.
export { captionLetters, captionPath, type LabelParts, labelParts } from './label.ts';
export { type LabelSheet, labelPlace, labelSheetOf, sheetFault } from './label-sheet.ts';
