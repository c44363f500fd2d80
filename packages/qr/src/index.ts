export { fits } from './drawing.ts';
export { type Grade, type GradeLevel, gradeLevels, gradeStyle, luma, unscannableField } from './grade.ts';
export { largestSizePx, smallestSizePx } from './layout.ts';
export { type Picture, paint } from './painter.ts';
export { type Deflate, renderPng } from './png.ts';
export * from './style.ts';
export { renderSvg } from './svg.ts';
export { rendererVersion } from './version.ts';
