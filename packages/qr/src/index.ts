export { luma } from './color.ts';
export { printedText, toCompact } from './compact.ts';
export {
  type ColorField,
  type Grade,
  type GradeLevel,
  gradeLevels,
  gradeStyle,
  type StyleFinding,
  styleFindings,
  unscannableField,
} from './grade.ts';
export { type Gradient, gradientTypes } from './gradient.ts';
export { isNearlyBlack } from './ink.ts';
export {
  type SheetLayout,
  type SheetLayoutName,
  type SheetPage,
  sheetLayouts,
  sheetPages,
  smallestLabelMm,
} from './label-sheet.ts';
export { largestSizePx, quietModules, smallestSizePx } from './layout.ts';
export {
  type Logo,
  type LogoPlan,
  type LogoShape,
  type LogoSize,
  largestLogoMargin,
  logoBudget,
  logoShapes,
  logoSizes,
} from './logo.ts';
export { largestLogo, logoPlanFor } from './matrix.ts';
export { largestBleedMm, paperWidthMm } from './page-size.ts';
export { type Picture, paint } from './painter.ts';
export { type Deflate, renderPng } from './png.ts';
export { pixelsOf, printRangeMm, renderPrintPng, renderPrintSvg, smallestSafeMm } from './print.ts';
export { fits, type LogoPicture, type SceneOptions, widthInModules } from './scene.ts';
export * from './style.ts';
export { renderSvg } from './svg.ts';
export { rendererVersion } from './version.ts';
