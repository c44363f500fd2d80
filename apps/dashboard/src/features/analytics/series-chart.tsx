import { Box } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type Ref, useId, useState } from 'react';
import { analyticsText as text } from '../../strings/analytics.ts';
import { formatCompact } from '../../ui/format.ts';
import type { Bucket } from './buckets.ts';
import { type ChartLayout, ghostPath, layOut } from './chart-layout.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import type { Marker } from './markers.ts';
import type { Interval } from './periods.ts';
import { axisLabel } from './series.ts';
import classes from './series-chart.module.css';

type Props = {
  readonly buckets: readonly Bucket[];
  readonly interval: Interval;
  readonly markers: readonly Marker[];
  readonly picture: Ref<SVGSVGElement>;
};

const height = 260;

/** Scans over time, with the visitors among them, the period before, and what was changed meanwhile. */
export function SeriesChart({ buckets, interval, markers, picture }: Props) {
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const layout = layOut(buckets, interval, { width, height });
  const { plot, slot, x } = layout;
  const ghost = ghostPath(buckets, layout);
  const sum = buckets.reduce((total, bucket) => total + bucket.scans, 0);
  const at = pointed !== null && pointed < buckets.length ? pointed : null;
  return (
    <Box ref={ref} className={classes.frame} h={height}>
      {width > 0 && (
        <svg
          ref={picture}
          className={classes.chart}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={text.charts[interval](sum)}
          onPointerMove={event => {
            const { left } = event.currentTarget.getBoundingClientRect();
            const found = Math.floor((event.clientX - left - plot.left) / slot);
            setPointed(found >= 0 && found < buckets.length ? found : null);
          }}
          onPointerLeave={() => setPointed(null)}
        >
          <Axes buckets={buckets} interval={interval} layout={layout} />
          {at !== null && (
            <rect
              className={classes.pointed}
              x={x(at)}
              y={plot.top}
              width={slot}
              height={plot.bottom - plot.top}
            />
          )}
          <Bars buckets={buckets} layout={layout} />
          <path className={classes.halo} d={ghost} />
          <path className={classes.ghost} d={ghost} data-ghost />
          {markers.map(({ id, place }) => (
            <g key={id} data-marker={id}>
              <line className={classes.marker} x1={x(place)} x2={x(place)} y1={plot.top} y2={plot.bottom} />
              <circle className={classes.flag} cx={x(place)} cy={plot.top - 5} r={4} />
            </g>
          ))}
        </svg>
      )}
      {at !== null && (
        <ChartTooltip
          bucket={buckets[at]!}
          interval={interval}
          markers={markers.filter(({ place }) => Math.floor(place) === at)}
          x={x(at + 0.5)}
          width={width}
        />
      )}
    </Box>
  );
}

type PartProps = { readonly buckets: readonly Bucket[]; readonly layout: ChartLayout };

function Axes({ buckets, interval, layout }: PartProps & { readonly interval: Interval }) {
  const { plot, ticks, labels, x, y } = layout;
  return (
    <>
      {ticks.map(tick => (
        <g key={tick} data-tick={tick}>
          <line className={classes.grid} x1={plot.left} x2={plot.right} y1={y(tick)} y2={y(tick)} />
          <text
            className={classes.axis}
            x={plot.left - 8}
            y={y(tick)}
            textAnchor="end"
            dominantBaseline="middle"
          >
            {formatCompact(tick)}
          </text>
        </g>
      ))}
      {labels.map(at => (
        <text
          key={at}
          className={classes.axis}
          x={x(at + 0.5)}
          y={plot.bottom + 18}
          textAnchor={x(at + 0.5) > plot.right - 24 ? 'end' : 'middle'}
          data-label={at}
        >
          {axisLabel(buckets[at]!, interval)}
        </text>
      ))}
    </>
  );
}

function Bars({ buckets, layout }: PartProps) {
  const hatch = useId();
  const { plot, slot, barWidth, x, y } = layout;
  return (
    <>
      <defs>
        <pattern id={hatch} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line className={classes.hatch} x1={0} x2={0} y1={0} y2={6} />
        </pattern>
      </defs>
      {buckets.map(({ date, scans, visitors, state }, at) => {
        const left = x(at) + (slot - barWidth) / 2;
        const bar = (value: number) => ({
          x: left,
          width: barWidth,
          y: y(value),
          height: plot.bottom - y(value),
          rx: Math.min(2, barWidth / 4),
        });
        return (
          <g key={date} data-bucket={date} data-state={state}>
            <rect className={classes.scans} {...bar(scans)} data-scans={scans} />
            <rect className={classes.visitors} {...bar(visitors)} data-visitors={visitors} />
            {state !== 'whole' && scans > 0 && <rect fill={`url(#${hatch})`} {...bar(scans)} data-hatched />}
          </g>
        );
      })}
    </>
  );
}
