import { luma } from './color.ts';
import type { Box, FrameDrawing, OutlineShape } from './scene.ts';
import { checkedStyle, isColor, type Style } from './style.ts';
import { capHeight, missingLetter, textPath, textWidth } from './text.ts';

/** A label around a code that says what scanning it brings; the words are those of the API. */
export type Frame = {
  readonly type: FrameType;
  readonly text: string;
  /** Of the label; left out, that of the corners. */
  readonly color?: string | undefined;
};

export const frameTypes = ['label-below', 'label-above', 'bubble', 'card'] as const;
type FrameType = (typeof frameTypes)[number];

export const longestFrameText = 40;

/** The frame of a code in a style. It never reaches into the box that it is given: the code with its quiet zone. */
export function frameOf(frame: Frame, style: Style): (code: Box) => FrameDrawing {
  const { backgroundColor, cornersSquareColor } = checkedStyle(style);
  const color = frame.color ?? cornersSquareColor;
  if (!isColor(color)) throw new TypeError('The color of a frame is not of the form #RRGGBB');
  if (missingLetter(frame.text) !== null)
    throw new TypeError('The text of a frame has letters that are missing');
  const ink = readableOn(color, backgroundColor);
  return code => layouts[frame.type](code, { text: frame.text, color, ink, paper: backgroundColor });
}

type Look = { readonly text: string; readonly color: string; readonly ink: string; readonly paper: string };

/** Measures as parts of the width of the code with its quiet zone. */
const [labelHeight, rim, corner] = [0.17, 0.04, 0.045];

const layouts: Readonly<Record<FrameType, (code: Box, look: Look) => FrameDrawing>> = {
  'label-below': (code, look) => {
    const [height, edge] = [labelHeight * code.width, rim * code.width];
    const plate = { x: code.x + edge, y: code.y + code.height, width: code.width - 2 * edge, height };
    return { bounds: { ...code, height: code.height + height + edge }, shapes: labelled(plate, look) };
  },
  'label-above': (code, look) => {
    const [height, edge] = [labelHeight * code.width, rim * code.width];
    const plate = { x: code.x + edge, y: code.y - height, width: code.width - 2 * edge, height };
    const bounds = { ...code, y: code.y - height - edge, height: code.height + height + edge };
    return { bounds, shapes: labelled(plate, look) };
  },
  bubble: (code, look) => {
    const [height, edge, tip] = [labelHeight * code.width, rim * code.width, 0.05 * code.width];
    const bottom = code.y + code.height;
    const plate = { x: code.x + edge, y: bottom + tip, width: code.width - 2 * edge, height };
    const middle = code.x + code.width / 2;
    // From the tip down to the label, a little into it, so that no line shows between them.
    const pointer = `M${middle} ${bottom}L${middle + tip} ${bottom + tip * 1.2}L${middle - tip} ${bottom + tip * 1.2}Z`;
    return {
      bounds: { ...code, height: code.height + tip + height + edge },
      shapes: [outline(pointer, look.color), ...labelled(plate, look)],
    };
  },
  card: (code, look) => {
    const [height, edge, radius] = [labelHeight * code.width, rim * code.width, corner * code.width];
    // So much larger that its round corners do not cut into the quiet zone.
    const room = radius * (1 - Math.SQRT1_2);
    const inner = grown(code, room);
    const bounds = grown(inner, edge);
    const band = { x: inner.x, y: inner.y + inner.height, width: inner.width, height };
    const whole = { ...bounds, height: bounds.height - edge + height };
    return {
      bounds: whole,
      shapes: [
        outline(roundedPath(whole, radius + edge / 2), look.color),
        outline(roundedPath(inner, radius), look.paper),
        outline(wordsIn(band, look.text), look.ink),
      ],
    };
  },
};

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

const outline = (path: string, fill: string): OutlineShape => ({ kind: 'outline', path, fill });

const labelled = (plate: Box, { text, color, ink }: Look): OutlineShape[] => [
  outline(roundedPath(plate, corner * plate.width), color),
  outline(wordsIn(plate, text), ink),
];

/** A text in the middle of a box: as large as its height allows, smaller where it would be too wide. */
function wordsIn({ x, y, width, height }: Box, text: string): string {
  const size = Math.min(0.56 * height, (0.9 * width) / Math.max(textWidth(text), 0.01));
  return textPath(text, {
    x: x + (width - textWidth(text) * size) / 2,
    y: y + (height + capHeight * size) / 2,
    size,
  });
}

function roundedPath({ x, y, width, height }: Box, radius: number): string {
  const [w, h] = [short(width - 2 * radius), short(height - 2 * radius)];
  const r = short(radius);
  const turn = (dx: number, dy: number) => `a${r} ${r} 0 01${dx} ${dy}`;
  return `M${short(x + radius)} ${short(y)}h${w}${turn(r, r)}v${h}${turn(-r, r)}h${-w}${turn(-r, -r)}v${-h}${turn(r, -r)}z`;
}

const short = (value: number) => Math.round(value * 1000) / 1000;

/** The background where it can be read on a colour, else black or white, whichever differs more. */
function readableOn(color: string, background: string): string {
  const distance = (other: string) => Math.abs(luma(other) - luma(color));
  if (distance(background) >= 110) return background;
  return distance('#FFFFFF') >= distance('#000000') ? '#FFFFFF' : '#000000';
}
