type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** The pixels of a picture at another size: each is the mean of the area that it stands for, weighted by how opaque it is. */
export function resample({ width, height, data }: Pixels, toWidth: number, toHeight: number): Uint8Array {
  const shown = new Uint8Array(toWidth * toHeight * 4);
  const columns = spansOf(width, toWidth);
  const rows = spansOf(height, toHeight);
  for (let y = 0; y < toHeight; y++) {
    for (let x = 0; x < toWidth; x++) {
      let [red, green, blue, opacity, area] = [0, 0, 0, 0, 0];
      for (const [row, rowPart] of rows[y]!) {
        for (const [column, columnPart] of columns[x]!) {
          const from = (row * width + column) * 4;
          const part = rowPart * columnPart;
          const weight = part * data[from + 3]!;
          red += data[from]! * weight;
          green += data[from + 1]! * weight;
          blue += data[from + 2]! * weight;
          opacity += weight;
          area += part;
        }
      }
      if (opacity === 0) continue;
      const to = (y * toWidth + x) * 4;
      shown[to] = Math.round(red / opacity);
      shown[to + 1] = Math.round(green / opacity);
      shown[to + 2] = Math.round(blue / opacity);
      shown[to + 3] = Math.round(opacity / area);
    }
  }
  return shown;
}

/** For each new place the old ones that it covers, with how much of each; at a larger size a mixture of the nearest two. */
function spansOf(from: number, to: number): (readonly [at: number, part: number])[][] {
  const scale = from / to;
  return Array.from({ length: to }, (_, at) => {
    const reach = Math.max(1, scale) / 2;
    const centre = (at + 0.5) * scale;
    const [start, end] = [centre - reach, centre + reach];
    const parts: [number, number][] = [];
    for (let place = Math.floor(start); place < end; place++) {
      const part = Math.min(place + 1, end) - Math.max(place, start);
      if (part > 1e-9 && place >= 0 && place < from) parts.push([place, part]);
    }
    return parts;
  });
}
