import { Box, VisuallyHidden } from '@mantine/core';
import { codesText } from '../../strings/codes.ts';
import { sparklinePath } from './sparkline-path.ts';

type Props = { readonly scans: readonly number[] };

const [width, height] = [72, 24];

/** The last 14 days as a line, which ends with yesterday: a day that has just begun would look like a fall. The sum has today. */
export function ScanSparkline({ scans }: Props) {
  const sum = scans.reduce((total, one) => total + one, 0);
  const line = sparklinePath(scans.slice(0, -1), width, height);
  return (
    <Box w={width} title={codesText.list.trendOf(sum)} c="var(--mantine-color-signpost-6)">
      <VisuallyHidden>{codesText.list.trendOf(sum)}</VisuallyHidden>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        display="block"
        aria-hidden="true"
      >
        <path d={`${line}V${height}H0Z`} fill="currentColor" fillOpacity={0.18} />
        <path d={line} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinejoin="round" />
      </svg>
    </Box>
  );
}
