export { fits } from './drawing.ts';
export {
  type ColorField,
  type Grade,
  type GradeLevel,
  gradeLevels,
  gradeStyle,
  luma,
  type StyleFinding,
  styleFindings,
  unscannableField,
} from './grade.ts';
export { largestSizePx, smallestSizePx } from './layout.ts';
export { type Picture, paint } from './painter.ts';
export { type Deflate, renderPng } from './png.ts';
export { pixelsOf, printRangeMm, renderPrintPng, renderPrintSvg, smallestSafeMm } from './print.ts';
export * from './style.ts';
export { renderSvg } from './svg.ts';
export { rendererVersion } from './version.ts';
