export { findExpected, isSameLink } from './print-check/expected.ts';
export { toPhoto } from './print-check/photo.ts';
export { checkPrint, judge, least, mostInkSpread, type PrintCheck } from './print-check/print-check.ts';
