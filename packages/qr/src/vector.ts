export { renderEps } from './eps.ts';
export { blackBelow, type InkMode, inkModes } from './ink.ts';
export { largestBleedMm, paperWidthMm, pointsPerMm } from './page-size.ts';
export { createPdfPage, type PdfPage, renderPdf } from './pdf.ts';
export { createPdfFile } from './pdf-file.ts';
