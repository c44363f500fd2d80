type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** The pixels of a picture at another size: each is the mean of the area that it stands for, weighted by how opaque it is. */
export function resample({ width, height, data }: Pixels, toWidth: number, toHeight: number): Uint8Array {
  const weighted = new Float32Array(width * height * 4);
  for (let at = 0; at < weighted.length; at += 4) {
    const opacity = data[at + 3]!;
    weighted[at] = data[at]! * opacity;
    weighted[at + 1] = data[at + 1]! * opacity;
    weighted[at + 2] = data[at + 2]! * opacity;
    weighted[at + 3] = opacity;
  }
  const narrow = narrowed(weighted, width, height, toWidth);
  const low = lowered(narrow, height, toWidth, toHeight);
  const shown = new Uint8Array(toWidth * toHeight * 4);
  for (let at = 0; at < shown.length; at += 4) {
    const opacity = low[at + 3]!;
    if (opacity === 0) continue;
    shown[at] = Math.round(low[at]! / opacity);
    shown[at + 1] = Math.round(low[at + 1]! / opacity);
    shown[at + 2] = Math.round(low[at + 2]! / opacity);
    shown[at + 3] = Math.round(opacity);
  }
  return shown;
}

/** Every row at another width. */
function narrowed(values: Float32Array, width: number, height: number, toWidth: number): Float32Array {
  const result = new Float32Array(toWidth * height * 4);
  const spans = spansOf(width, toWidth);
  for (let y = 0, to = 0; y < height; y++) {
    for (const { first, parts } of spans) {
      let from = (y * width + first) * 4;
      let [red, green, blue, opacity] = [0, 0, 0, 0];
      for (let at = 0; at < parts.length; at++, from += 4) {
        const part = parts[at]!;
        red += values[from]! * part;
        green += values[from + 1]! * part;
        blue += values[from + 2]! * part;
        opacity += values[from + 3]! * part;
      }
      result[to++] = red;
      result[to++] = green;
      result[to++] = blue;
      result[to++] = opacity;
    }
  }
  return result;
}

/** Every column at another height. */
function lowered(values: Float32Array, height: number, width: number, toHeight: number): Float32Array {
  const rowLength = width * 4;
  const result = new Float32Array(toHeight * rowLength);
  for (const [y, { first, parts }] of spansOf(height, toHeight).entries()) {
    const to = y * rowLength;
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!;
      const from = (first + at) * rowLength;
      for (let x = 0; x < rowLength; x++) result[to + x]! += values[from + x]! * part;
    }
  }
  return result;
}

/** For each new place the old ones that it covers, with the part of each; at a larger size a mixture of the nearest two. */
function spansOf(from: number, to: number): { readonly first: number; readonly parts: Float32Array }[] {
  const scale = from / to;
  const reach = Math.max(1, scale) / 2;
  return Array.from({ length: to }, (_, place) => {
    const [start, end] = [
      Math.max(0, (place + 0.5) * scale - reach),
      Math.min(from, (place + 0.5) * scale + reach),
    ];
    const first = Math.floor(start);
    const parts = Float32Array.from(
      { length: Math.ceil(end) - first },
      (_, at) => (Math.min(first + at + 1, end) - Math.max(first + at, start)) / (end - start),
    );
    return { first, parts };
  });
}
