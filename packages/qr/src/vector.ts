export { renderEps } from './eps.ts';
export { type InkMode, inkModes } from './ink.ts';
export { pointsPerMm } from './page-size.ts';
export { createPdfPainter, named, pdfResources, renderPdf } from './pdf.ts';
export { createPdfFile } from './pdf-file.ts';
export { sceneOf } from './scene.ts';
