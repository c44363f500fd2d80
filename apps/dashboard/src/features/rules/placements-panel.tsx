import { ActionIcon, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { QrCode } from '@signpost/contract';
import { placementKeyPattern } from '@signpost/contract/values.ts';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { rulesText } from '../../strings/rules.ts';
import { shownUrl } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { codeQuery } from '../codes/queries.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { ImportPlacements } from './import-placements.tsx';
import { placementsCsv } from './placement-rows.ts';

const text = rulesText.placements;
/** A link of at most this many characters takes no more modules than before. */
const freeLength = 32;

/** Where a code is printed, each place with its link and its image. */
export function PlacementsPanel({ code }: { readonly code: QrCode }) {
  const mode = useMode();
  const client = useQueryClient();
  const refusal = useRefusal();
  const reload = () => client.invalidateQueries({ queryKey: codeQuery(mode, code.id).queryKey });
  const params = { id: code.id };
  const form = useForm({
    initialValues: { key: '', name: '' },
    validate: {
      key: value => (new RegExp(placementKeyPattern).test(value) ? null : text.keyFault),
      name: value => (value.trim() === '' ? text.nameFault : null),
    },
  });
  const add = useMutation({
    mutationFn: (body: { key: string; name: string }) => call('createPlacement', { params, body }),
    onSuccess: async ({ name }) => {
      notifyDone(text.added(name));
      form.reset();
      await reload();
    },
    onError: error => {
      const faults = fieldErrors(error, ['key', 'name']);
      form.setErrors(faults);
      if (Object.keys(faults).length === 0) notifyProblem(error, text.add);
    },
  });
  const remove = useMutation({
    mutationFn: (key: string) => call('deletePlacement', { params: { ...params, key } }),
    onSuccess: async (_, key) => {
      notifyDone(text.removed(code.placements.find(placement => placement.key === key)?.name ?? key));
      await reload();
    },
    onError: error => notifyProblem(error, text.title),
  });
  const download = useMutation({
    mutationFn: (key: string) => call('downloadQrCode', { params, query: { format: 'svg', placement: key } }),
    onSuccess: (file, key) => saveFile(file as Blob, `${code.short_code}-${key}.svg`),
    onError: error => notifyProblem(error, text.title),
  });
  const link = `${code.short_url}.${form.values.key}`;
  return (
    <Panel title={text.title} description={text.hint}>
      {code.placements.length === 0 ? (
        <Text size="sm">{text.empty}</Text>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text.name}</Table.Th>
              <Table.Th>{text.link}</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {code.placements.map(({ key, name, short_url }) => (
              <Table.Tr key={key}>
                <Table.Td>{name}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{shownUrl(short_url)}</Table.Td>
                <Table.Td>
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    <ActionIcon
                      variant="default"
                      size={36}
                      aria-label={text.download(name)}
                      onClick={() => download.mutate(key)}
                    >
                      <IconDownload size={16} aria-hidden />
                    </ActionIcon>
                    <ActionIcon
                      variant="default"
                      size={36}
                      disabled={refusal !== undefined}
                      aria-label={text.remove(name)}
                      onClick={() => remove.mutate(key)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {!refusal && (
        <form onSubmit={form.onSubmit(values => add.mutate(values))} noValidate>
          <Stack gap="xs">
            <Group align="flex-start" grow>
              <TextInput label={text.name} maxLength={80} {...form.getInputProps('name')} />
              <TextInput
                label={text.key}
                description={text.keyHint}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                maxLength={24}
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                {...form.getInputProps('key')}
              />
            </Group>
            {form.values.key !== '' && link.length > freeLength && code.short_url.length <= freeLength && (
              <Text size="xs" c="dimmed">
                {text.longer}
              </Text>
            )}
            <Group justify="flex-end">
              {code.placements.length > 0 && (
                <Button
                  variant="default"
                  onClick={() => saveFile(csvOf(code), `${code.short_code}-placements.csv`)}
                >
                  {text.save}
                </Button>
              )}
              <ImportPlacements code={code} />
              <Button type="submit" variant="default" loading={add.isPending}>
                {text.add}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Panel>
  );
}

const csvOf = ({ placements }: QrCode) =>
  new Blob([placementsCsv(placements)], { type: 'text/csv;charset=utf-8' });
