import { Sparkline } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Box, VisuallyHidden } from '@mantine/core';
import { formatNumber } from '../../ui/format.ts';

type Props = { readonly scans: readonly number[] };

/** The last 14 days as a line. Whoever cannot see it is told the sum. */
export function ScanSparkline({ scans }: Props) {
  const sum = scans.reduce((total, one) => total + one, 0);
  return (
    <Box w={104}>
      <VisuallyHidden>{formatNumber(sum)} scans</VisuallyHidden>
      <div inert>
        <Sparkline
          w={104}
          h={32}
          data={[...scans]}
          curveType="monotone"
          color="signpost.6"
          fillOpacity={0.18}
          strokeWidth={1.5}
        />
      </div>
    </Box>
  );
}
