import { Group, Text, Tooltip } from '@mantine/core';
import { geoEqualEarth, geoPath } from 'd3-geo';
import { type CSSProperties, useState } from 'react';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import world from 'world-atlas/countries-110m.json';
import { countryName, formatNumber } from '../../ui/format.ts';
import { alpha2Of } from './countries.ts';
import classes from './world-map.module.css';

type Props = { readonly countries: readonly { readonly country: string; readonly scans: number }[] };

const width = 800;
const height = 390;
const topology = world as unknown as Topology<{ countries: GeometryCollection }>;
/** Antarctica takes a sixth of the picture, and nobody scans there. */
const antarctica = '010';
const shapes = feature(topology, topology.objects.countries).features.filter(({ id }) => id !== antarctica);
const projection = geoEqualEarth().fitSize([width, height], { type: 'FeatureCollection', features: shapes });
const draw = geoPath(projection).digits(1);
const outlines = shapes.map(shape => ({ country: alpha2Of(String(shape.id)), path: draw(shape) ?? '' }));

/** Where the scans came from: the darker a country, the more. The table beside it holds the same in numbers. */
export function WorldMap({ countries }: Props) {
  const [hovered, setHovered] = useState<string | null>(null);
  const scans = new Map(countries.map(entry => [entry.country, entry.scans]));
  const most = Math.max(1, ...scans.values());
  const label = hovered
    ? `${countryName(hovered)}: ${formatNumber(scans.get(hovered) ?? 0)} scans`
    : 'Point at a country';
  return (
    <div>
      <Tooltip.Floating label={label} disabled={!hovered}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          className={classes.map}
          role="img"
          aria-label="Map of the world, countries with more scans are darker"
          onPointerLeave={() => setHovered(null)}
        >
          {outlines.map(({ country, path }) => (
            <path
              key={path}
              d={path}
              className={classes.country}
              style={{ '--share': shareOf(scans.get(country ?? ''), most) } as CSSProperties}
              onPointerEnter={() => setHovered(country ?? null)}
            />
          ))}
        </svg>
      </Tooltip.Floating>
      <Group gap="xs" justify="flex-end" className="figures">
        <Text size="xs" c="dimmed">
          0
        </Text>
        <div className={classes.scale} />
        <Text size="xs" c="dimmed">
          {formatNumber(most)} scans
        </Text>
      </Group>
    </div>
  );
}

/** By the square root, so that the second country is still seen beside a first that has most. */
const shareOf = (scans: number | undefined, most: number): string =>
  scans ? `${Math.round(15 + 85 * Math.sqrt(scans / most))}%` : '0%';
