import { Progress, Stack, Table, Text } from '@mantine/core';
import { formatNumber, formatShare } from '../../ui/format.ts';

export type Bar = { readonly key: string; readonly label: string; readonly scans: number };
type Props = { readonly caption: string; readonly bars: readonly Bar[]; readonly total: number };

/** A ranking: name, number, share, and a bar as long as the share. */
export function BarList({ caption, bars, total }: Props) {
  if (bars.length === 0) return <Text c="dimmed">Nothing in this period.</Text>;
  const most = Math.max(...bars.map(({ scans }) => scans), 1);
  return (
    <Table
      captionSide="top"
      withRowBorders={false}
      verticalSpacing={6}
      horizontalSpacing={0}
      aria-label={caption}
    >
      <Table.Tbody>
        {bars.map(({ key, label, scans }) => (
          <Table.Tr key={key}>
            <Table.Td>
              <Stack gap={4}>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {label}
                </Text>
                <Progress value={(scans / most) * 100} size={6} aria-hidden />
              </Stack>
            </Table.Td>
            <Table.Td w={84} ta="right" valign="top">
              {formatNumber(scans)}
            </Table.Td>
            <Table.Td w={60} ta="right" valign="top" c="dimmed">
              {formatShare(scans, total)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
