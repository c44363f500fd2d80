export { luma } from './color.ts';
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
export { largestSizePx, smallestSizePx } from './layout.ts';
export {
  type Logo,
  type LogoPlan,
  largestLogoMargin,
  logoBudget,
  logoShapes,
  logoSizes,
} from './logo.ts';
export { logoPlanFor } from './matrix.ts';
export { type Picture, paint } from './painter.ts';
export { type Deflate, renderPng } from './png.ts';
export { pixelsOf, printRangeMm, renderPrintPng, renderPrintSvg, smallestSafeMm } from './print.ts';
export { fits, type LogoPicture, type SceneOptions } from './scene.ts';
export * from './style.ts';
export { renderSvg } from './svg.ts';
export { rendererVersion } from './version.ts';
