/** A part of a path with absolute places. Arcs have become Bézier curves, which every writer and the painter know. */
export type Segment =
  | { readonly kind: 'move' | 'line'; readonly x: number; readonly y: number }
  | {
      readonly kind: 'curve';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly x: number;
      readonly y: number;
    }
  | { readonly kind: 'close' };

/** Numbers that each command takes. */
const lengths: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, A: 7, Z: 0 };

/** Reads path data as our outlines and fonts write it: every command of SVG but the smooth ones, and arcs of circles only. */
export function segmentsOf(data: string): Segment[] {
  const segments: Segment[] = [];
  const reader = createReader(data);
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const line = (toX: number, toY: number) => {
    [x, y] = [toX, toY];
    segments.push({ kind: 'line', x, y });
  };
  const curve = (x1: number, y1: number, x2: number, y2: number, toX: number, toY: number) => {
    [x, y] = [toX, toY];
    segments.push({ kind: 'curve', x1, y1, x2, y2, x, y });
  };
  for (let command = reader.command(); command !== null; command = reader.command()) {
    const kind = command.toUpperCase();
    const isRelative = command !== kind;
    const [baseX, baseY] = isRelative ? [x, y] : [0, 0];
    if (kind === 'Z') {
      segments.push({ kind: 'close' });
      [x, y] = [startX, startY];
      continue;
    }
    const n = reader.numbers(lengths[kind] ?? 0, kind === 'A');
    switch (kind) {
      case 'M':
        [x, y] = [baseX + n[0]!, baseY + n[1]!];
        [startX, startY] = [x, y];
        segments.push({ kind: 'move', x, y });
        break;
      case 'L':
        line(baseX + n[0]!, baseY + n[1]!);
        break;
      case 'H':
        line(baseX + n[0]!, y);
        break;
      case 'V':
        line(x, baseY + n[0]!);
        break;
      case 'C':
        curve(baseX + n[0]!, baseY + n[1]!, baseX + n[2]!, baseY + n[3]!, baseX + n[4]!, baseY + n[5]!);
        break;
      case 'Q': {
        // A quadratic curve is a cubic one whose handles reach two thirds of the way.
        const [cx, cy, toX, toY] = [baseX + n[0]!, baseY + n[1]!, baseX + n[2]!, baseY + n[3]!];
        const [fromX, fromY] = [x, y];
        const toward = (from: number, to: number) => from + ((to - from) * 2) / 3;
        curve(toward(fromX, cx), toward(fromY, cy), toward(toX, cx), toward(toY, cy), toX, toY);
        break;
      }
      case 'A':
        for (const part of arcParts(x, y, n[0]!, n[3] === 1, n[4] === 1, baseX + n[5]!, baseY + n[6]!))
          curve(...part);
        break;
      default:
        throw new TypeError(`No such command in a path: ${command}`);
    }
  }
  return segments;
}

type CurveArguments = [x1: number, y1: number, x2: number, y2: number, x: number, y: number];

/** An arc of a circle as curves of at most a quarter turn each, which differ from the circle by 0.03 % of its radius. */
function arcParts(
  fromX: number,
  fromY: number,
  radius: number,
  isLarge: boolean,
  isClockwise: boolean,
  toX: number,
  toY: number,
): CurveArguments[] {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const chord = Math.hypot(dx, dy);
  const r = Math.max(radius, chord / 2);
  const height = Math.sqrt(Math.max(0, r * r - (chord / 2) ** 2)) * (isLarge === isClockwise ? -1 : 1);
  const centreX = (fromX + toX) / 2 - (dy / chord) * height;
  const centreY = (fromY + toY) / 2 + (dx / chord) * height;
  const start = Math.atan2(fromY - centreY, fromX - centreX);
  let turn = Math.atan2(toY - centreY, toX - centreX) - start;
  if (isClockwise && turn <= 1e-9) turn += 2 * Math.PI;
  if (!isClockwise && turn >= -1e-9) turn -= 2 * Math.PI;
  const count = Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-6);
  const handle = (4 / 3) * Math.tan(turn / count / 4) * r;
  return Array.from({ length: count }, (_, part) => {
    const [a, b] = [start + (turn * part) / count, start + (turn * (part + 1)) / count];
    const [ax, ay] = [centreX + r * Math.cos(a), centreY + r * Math.sin(a)];
    const isLast = part === count - 1;
    const [bx, by] = isLast ? [toX, toY] : [centreX + r * Math.cos(b), centreY + r * Math.sin(b)];
    return [
      ax - handle * Math.sin(a),
      ay + handle * Math.cos(a),
      bx + handle * Math.sin(b),
      by - handle * Math.cos(b),
      bx,
      by,
    ];
  });
}

/** Reads commands and numbers; a command that is left out repeats the one before it. */
function createReader(data: string) {
  const number = /[\s,]*(-?(?:\d+\.?\d*|\.\d+))/y;
  const flag = /[\s,]*([01])/y;
  const letter = /[\s,]*([A-Za-z])/y;
  let at = 0;
  let last: string | null = null;
  const read = (what: RegExp): string | null => {
    what.lastIndex = at;
    const found = what.exec(data);
    if (!found) return null;
    at = what.lastIndex;
    return found[1]!;
  };
  return {
    command(): string | null {
      const found = read(letter);
      if (found !== null) {
        last = found;
        return found;
      }
      if (data.slice(at).trim() === '') return null;
      // After a move, more places are lines.
      if (last === 'M') last = 'L';
      if (last === 'm') last = 'l';
      return last;
    },
    numbers(count: number, isArc: boolean): number[] {
      return Array.from({ length: count }, (_, index) => {
        const text = read(isArc && (index === 3 || index === 4) ? flag : number);
        if (text === null) throw new TypeError(`A path breaks off at ${at}`);
        return Number(text);
      });
    },
  };
}
