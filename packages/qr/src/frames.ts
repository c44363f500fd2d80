// Apart from the rest of the package, since the outlines of the letters are larger than all of it.
export { type Frame, frameOf, frameTypes, longestFrameText } from './frame.ts';
export { missingLetter } from './text.ts';
