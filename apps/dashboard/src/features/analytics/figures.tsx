import { Paper, SimpleGrid, Text } from '@mantine/core';
import { formatNumber } from '../../ui/format.ts';

type Props = { readonly figures: readonly { readonly label: string; readonly value: number }[] };

/** The few numbers that matter most. */
export function Figures({ figures }: Props) {
  return (
    <SimpleGrid cols={{ base: 2, sm: figures.length }} spacing="md" component="dl" m={0} className="figures">
      {figures.map(({ label, value }) => (
        <Paper key={label} withBorder p="md">
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fz={28} fw={680} lh={1.2}>
            {formatNumber(value)}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
