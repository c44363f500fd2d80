import { Alert, Button, FileButton, Group, Stack, Table, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { QrCode } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { importText } from '../../strings/import.ts';
import { placementsText as text } from '../../strings/placements.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { codeQuery } from '../codes/queries.ts';
import { readFile } from '../import/read-file.ts';
import { itemsOf, type PlacementRow, placementRows, roomFault, withRefusals } from './placement-rows.ts';

const words = text.import;

/** Reads placements from a file and shows them before they are added. */
export function ImportPlacements({ code }: { readonly code: QrCode }) {
  const take = async (file: File | null) => {
    if (!file) return;
    const sheet = await readFile(file);
    const refusal = typeof sheet === 'string' ? sheet : null;
    const taken = code.placements.map(({ key }) => key);
    const rows = typeof sheet === 'string' ? [] : placementRows(sheet.rows, taken);
    modals.open({
      title: refusal ? importText.refused.title : words.title(rows.length),
      size: 'lg',
      children: refusal ? <Text>{refusal}</Text> : <Preview code={code} rows={rows} />,
    });
  };
  return (
    <FileButton
      onChange={file => void take(file)}
      accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
      inputProps={{ 'aria-label': words.choose }}
    >
      {props => (
        <Button variant="default" {...props}>
          {words.choose}
        </Button>
      )}
    </FileButton>
  );
}

function Preview({ code, rows }: { readonly code: QrCode; readonly rows: readonly PlacementRow[] }) {
  const mode = useMode();
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: () =>
      call('bulkCreatePlacements', { params: { id: code.id }, body: { items: itemsOf(rows) } }),
    onSuccess: async ({ created }) => {
      modals.closeAll();
      notifyDone(words.added(created));
      await client.invalidateQueries({ queryKey: codeQuery(mode, code.id).queryKey });
    },
  });
  const shown = withRefusals(rows, add.error);
  const faulty = shown.filter(({ fault }) => fault !== null).length;
  const room = roomFault(rows, code.placements.length);
  return (
    <Stack>
      {room || faulty > 0 ? (
        <Alert color="red" role="alert">
          {room ?? words.faulty(faulty)}
        </Alert>
      ) : (
        add.error && <Problem error={add.error} title={words.notAdded} />
      )}
      <WideTable label={words.title(rows.length)} minWidth={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{importText.rows.number}</Table.Th>
            <Table.Th>{text.name}</Table.Th>
            <Table.Th>{text.key}</Table.Th>
            <Table.Th>{text.note}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ number, key, name, note, fault }) => (
            <Table.Tr key={number}>
              <Table.Td>{number}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {name}
                {fault && (
                  <Text size="xs" c="var(--mantine-color-error)">
                    {fault}
                  </Text>
                )}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{key}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{note}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      <Group justify="flex-end">
        <Button
          onClick={() => add.mutate()}
          loading={add.isPending}
          disabled={faulty > 0 || room !== null || rows.length === 0}
        >
          {words.add(rows.length)}
        </Button>
      </Group>
    </Stack>
  );
}
