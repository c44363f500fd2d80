import { cornersDotTypes, cornersSquareTypes, dotsTypes, type Style } from '../../src/style.ts';

/** The 36 ways in which the three shape words can be put together. */
export const shapes: readonly Required<Pick<Style, 'dotsType' | 'cornersSquareType' | 'cornersDotType'>>[] =
  dotsTypes.flatMap(dotsType =>
    cornersSquareTypes.flatMap(cornersSquareType =>
      cornersDotTypes.map(cornersDotType => ({ dotsType, cornersSquareType, cornersDotType })),
    ),
  );

/** Short links of the lengths that make a difference: one that fits at H, and the longest of two matrices at Q. */
export const links = [
  'https://sgnp.st/k7m2q9xw',
  'https://qr.example.org/k7m2q9xwz',
  'https://go.example-museum.org/spring-exhibit25',
] as const;

/** The link that most tests draw. */
export const link = links[1];

/** Three colours on a ground, as a brand would choose them. */
export const threeColors = {
  dotsColor: '#1A3A8A',
  cornersSquareColor: '#B01010',
  cornersDotColor: '#106010',
} as const;
