import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };

/** The map knows countries by their ISO number, scans by their two letters. */
const byNumber = new Map(
  (codes as readonly (readonly string[])[]).map(([letters, , number]) => [number ?? '', letters ?? '']),
);

/** Lands without a number of their own, as parts of Somalia and Cyprus on the map, have no letters. */
export const alpha2Of = (isoNumber: string): string | undefined => byNumber.get(isoNumber);
