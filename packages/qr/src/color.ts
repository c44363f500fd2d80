/** The three bytes of `#RRGGBB`. */
export function channelsOf(color: string): readonly [red: number, green: number, blue: number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Luma of a colour (Rec. 601 on the sRGB bytes), 0 to 255. */
export function luma(color: string): number {
  const [red, green, blue] = channelsOf(color);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Mixes on the sRGB bytes as they are, which is what browsers do at the edge of a shape. */
export function mix(from: string, to: string, share: number): string {
  const start = channelsOf(from);
  const end = channelsOf(to);
  const mixed = start.map((value, at) => Math.round(value + (end[at]! - value) * share));
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}
