import {
  type ExtendedFeature,
  type GeoProjection,
  geoArea,
  geoCentroid,
  geoDistance,
  geoEqualEarth,
} from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' };
import { alpha2Of } from './countries.ts';

/** A country of the map: its outline, and its largest piece, which is where one looks for it. */
type Shape = {
  readonly country: string | undefined;
  readonly outline: ExtendedFeature;
  readonly mainland: ExtendedFeature;
  readonly centre: readonly [number, number];
};

export const mapSize = { width: 800, height: 400 } as const;

const topology = atlas as unknown as Topology<{ countries: GeometryCollection }>;
/** Antarctica takes a sixth of the picture, and nobody scans there. */
const antarctica = '010';

export const shapes: readonly Shape[] = feature(topology, topology.objects.countries)
  .features.filter(({ id }) => id !== antarctica)
  .map(outline => {
    const mainland = largestPiece(outline as ExtendedFeature);
    return {
      country: alpha2Of(String(outline.id)),
      outline: outline as ExtendedFeature,
      mainland,
      centre: geoCentroid(mainland),
    };
  });

/** France is more than its mainland: a map that must show Guiana too would not be zoomed at all. */
function largestPiece(land: ExtendedFeature): ExtendedFeature {
  if (land.geometry?.type !== 'MultiPolygon') return land;
  const pieces = land.geometry.coordinates.map(
    (coordinates): ExtendedFeature => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates },
    }),
  );
  return pieces.toSorted((a, b) => geoArea(b) - geoArea(a))[0]!;
}

function collection(of: readonly Shape[]) {
  return { type: 'FeatureCollection' as const, features: of.map(({ mainland }) => mainland) };
}

/** Fitting takes a while, and the world stays as it is. */
const world = geoEqualEarth().fitSize([mapSize.width, mapSize.height], collection(shapes));

/** One small country does not fill the map: its neighbours say where it is. */
const mostZoom = 6;
const paddingPx = 24;

/** Few scans from far away do not zoom the map out: less than a tenth, more than 4,500 km from where most are. */
const fewShare = 0.1;
const farRadians = 0.7;

/** The countries that the map shows as large as it can; they come most scans first. */
export function countriesInView(
  countries: readonly { readonly country: string; readonly scans: number }[],
): readonly string[] {
  const known = countries.flatMap(({ country, scans }) => {
    const shape = shapes.find(one => one.country === country);
    return shape ? [{ country, scans, centre: shape.centre }] : [];
  });
  const total = known.reduce((sum, { scans }) => sum + scans, 0);
  return known
    .filter(
      ({ scans, centre }) =>
        scans >= total * fewShare || geoDistance([...centre], [...known[0]!.centre]) < farRadians,
    )
    .map(({ country }) => country);
}

/** The world, or the part of it with these countries. */
export function projectionFor(countries: readonly string[]): GeoProjection {
  const wanted = shapes.filter(({ country }) => country !== undefined && countries.includes(country));
  if (wanted.length === 0) return world;
  const { width, height } = mapSize;
  const near = geoEqualEarth().fitExtent(
    [
      [paddingPx, paddingPx],
      [width - paddingPx, height - paddingPx],
    ],
    collection(wanted),
  );
  const zoom = near.scale() / world.scale();
  if (zoom <= 1) return world;
  if (zoom <= mostZoom) return near;
  // Less scale around the same middle.
  const middle = near.invert!([width / 2, height / 2])!;
  near.scale(world.scale() * mostZoom).translate([0, 0]);
  const [x, y] = near(middle)!;
  return near.translate([width / 2 - x, height / 2 - y]);
}
