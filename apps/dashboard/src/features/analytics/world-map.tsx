import { Button, Group, Text, Tooltip } from '@mantine/core';
import { geoPath } from 'd3-geo';
import { type CSSProperties, useMemo, useState } from 'react';
import { analyticsText } from '../../strings/analytics.ts';
import { countryName } from '../../ui/format.ts';
import type { Filters } from './filters.ts';
import { countriesInView, mapSize, projectionFor, shapes } from './map-shapes.ts';
import { scanCount } from './scan-count.ts';
import classes from './world-map.module.css';

type Props = {
  readonly countries: readonly { readonly country: string; readonly scans: number }[];
  readonly onFilter: (filters: Filters) => void;
};

const text = analyticsText.map;
const { width, height } = mapSize;
const largestPx = 26;

/** Where the scans came from. Scans are located to a country on the map; the lists beside it name the cities. */
export function WorldMap({ countries, onFilter }: Props) {
  const [hovered, setHovered] = useState<string | null>(null);
  const [isWhole, setWhole] = useState(false);
  const scans = new Map(countries.map(entry => [entry.country, entry.scans]));
  const most = Math.max(1, ...scans.values());
  const inView = isWhole ? '' : countriesInView(countries).join(' ');
  const { projection, outlines } = useMemo(() => drawMap(inView.split(' ')), [inView]);
  const label = hovered ? text.country(countryName(hovered), scanCount(scans.get(hovered) ?? 0)) : '';
  const bubbles = shapes.flatMap(({ country, centre }) => {
    const [x, y] = projection([...centre])!;
    const isInView = x >= 0 && y >= 0 && x <= width && y <= height;
    return isInView && country !== undefined && scans.has(country)
      ? [{ country, x, y, scans: scans.get(country)! }]
      : [];
  });
  const elsewhere = countries
    .filter(({ country }) => !bubbles.some(bubble => bubble.country === country))
    .reduce((sum, entry) => sum + entry.scans, 0);
  const choose = (country: string | undefined) => {
    if (country !== undefined && scans.has(country)) onFilter({ country });
  };
  return (
    <div>
      <Tooltip.Floating label={label} disabled={!hovered}>
        {/* biome-ignore lint/a11y/useSemanticElements: a picture whose parts are buttons is no set of fields. */}
        <svg
          viewBox={`0 0 ${width} ${height}`}
          className={classes.map}
          role="group"
          aria-label={text.label}
          onPointerLeave={() => setHovered(null)}
        >
          {outlines.map(({ country, path }, at) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the circle of the country is the button.
            <path
              // biome-ignore lint/suspicious/noArrayIndexKey: the countries of the map never change places.
              key={at}
              d={path}
              className={classes.country}
              data-country={country}
              data-scans={scans.get(country ?? '')}
              style={{ '--share': shareOf(scans.get(country ?? ''), most) } as CSSProperties}
              onPointerEnter={() => setHovered(country ?? null)}
              onClick={() => choose(country)}
            />
          ))}
          {bubbles
            .toSorted((a, b) => b.scans - a.scans)
            .map(bubble => (
              // biome-ignore lint/a11y/useSemanticElements: there is no button inside a picture.
              <circle
                key={bubble.country}
                cx={bubble.x}
                cy={bubble.y}
                r={4 + (largestPx - 4) * Math.sqrt(bubble.scans / most)}
                className={classes.bubble}
                role="button"
                tabIndex={0}
                aria-label={text.filter(countryName(bubble.country), scanCount(bubble.scans))}
                onPointerEnter={() => setHovered(bubble.country)}
                onClick={() => choose(bubble.country)}
                onKeyDown={event => {
                  if (event.key !== 'Enter' && event.key !== ' ') return;
                  event.preventDefault();
                  choose(bubble.country);
                }}
              />
            ))}
        </svg>
      </Tooltip.Floating>
      <Group gap="xs" justify="space-between">
        <Text size="xs" c="dimmed">
          {elsewhere > 0 ? text.elsewhere(elsewhere) : ''}
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
          {isWhole ? text.near : text.world}
        </Button>
      </Group>
    </div>
  );
}

/** Drawn once for what is in view, not at every move of the pointer. */
function drawMap(countries: readonly string[]) {
  const projection = projectionFor(countries);
  const draw = geoPath(projection).digits(1);
  return {
    projection,
    outlines: shapes.map(({ country, outline }) => ({ country, path: draw(outline) ?? '' })),
  };
}

/** By the square root, so that the second country is still seen beside a first that has most. */
const shareOf = (scans: number | undefined, most: number): string =>
  scans ? `${Math.round(12 + 38 * Math.sqrt(scans / most))}%` : '0%';
