type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** The pixels of a picture at another size: each is the mean of the area that it stands for, weighted by how opaque it is. */
export function resample({ width, height, data }: Pixels, toWidth: number, toHeight: number): Uint8Array {
  const shown = new Uint8Array(toWidth * toHeight * 4);
  const [rows, columns] = [spansOf(height, toHeight), spansOf(width, toWidth)];
  /** The rows that a new one covers, as one row of sums. */
  const sums = new Float64Array(width * 4);
  for (let y = 0; y < toHeight; y++) {
    sums.fill(0);
    for (let at = 0; at < rows.counts[y]!; at++) {
      addRow(sums, data, (rows.firsts[y]! + at) * width * 4, rows.parts[y * rows.most + at]!);
    }
    narrow(sums, columns, shown, y * toWidth * 4);
  }
  return shown;
}

/** Adds a part of a row of pixels, its colours weighted by how opaque they are. */
function addRow(sums: Float64Array, data: Uint8Array, from: number, part: number): void {
  for (let at = 0; at < sums.length; at += 4) {
    const weight = part * data[from + at + 3]!;
    sums[at]! += weight * data[from + at]!;
    sums[at + 1]! += weight * data[from + at + 1]!;
    sums[at + 2]! += weight * data[from + at + 2]!;
    sums[at + 3]! += weight;
  }
}

/** Writes a row of sums as pixels, at another width. */
function narrow(sums: Float64Array, columns: Spans, shown: Uint8Array, start: number): void {
  const { firsts, counts, parts, most } = columns;
  for (let x = 0, to = start; x < firsts.length; x++, to += 4) {
    let from = firsts[x]! * 4;
    let red = 0;
    let green = 0;
    let blue = 0;
    let opacity = 0;
    for (let at = x * most, end = at + counts[x]!; at < end; at++, from += 4) {
      const part = parts[at]!;
      red += sums[from]! * part;
      green += sums[from + 1]! * part;
      blue += sums[from + 2]! * part;
      opacity += sums[from + 3]! * part;
    }
    if (opacity === 0) continue;
    shown[to] = Math.round(red / opacity);
    shown[to + 1] = Math.round(green / opacity);
    shown[to + 2] = Math.round(blue / opacity);
    shown[to + 3] = Math.round(opacity);
  }
}

/** For each new place the old ones that it covers: the first, how many, and the part of each, in a row for each new place. */
type Spans = {
  readonly firsts: Uint32Array;
  readonly counts: Uint32Array;
  readonly parts: Float32Array;
  /** The length of a row of parts. */
  readonly most: number;
};

/** At a larger size a new place is a mixture of the nearest two. */
function spansOf(from: number, to: number): Spans {
  const scale = from / to;
  const reach = Math.max(1, scale) / 2;
  const most = Math.ceil(2 * reach) + 1;
  const [firsts, counts] = [new Uint32Array(to), new Uint32Array(to)];
  const parts = new Float32Array(to * most);
  for (let place = 0; place < to; place++) {
    const start = Math.max(0, (place + 0.5) * scale - reach);
    const end = Math.min(from, (place + 0.5) * scale + reach);
    const first = Math.floor(start);
    firsts[place] = first;
    counts[place] = Math.ceil(end) - first;
    for (let at = 0; at < counts[place]!; at++) {
      parts[place * most + at] =
        (Math.min(first + at + 1, end) - Math.max(first + at, start)) / (end - start);
    }
  }
  return { firsts, counts, parts, most };
}
