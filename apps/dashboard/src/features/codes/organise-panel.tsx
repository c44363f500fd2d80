import { ActionIcon, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import { organiseText } from '../../strings/organise.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { tagFault } from '../tags/tag-name.ts';
import { TagsField } from '../tags/tags-field.tsx';
import { type MetadataRow, maxRows, metadataChange, rowFaults, rowsOf } from './metadata-rows.ts';
import classes from './organise-panel.module.css';
import { useCodeForm } from './use-code-form.tsx';

const text = organiseText.panel;
type Values = {
  tags: readonly string[];
  note: string;
  external_id: string;
  metadata: readonly MetadataRow[];
};

const show = (value: string) => value;
const parts = {
  fields: {
    tags: { label: text.tags, show: (tags: Values['tags']) => tags.join(', ') },
    note: { label: text.note, show },
    external_id: { label: text.externalId, show },
    metadata: {
      label: text.metadata,
      show: (rows: Values['metadata']) => rows.map(({ key, value }) => text.entry(key, value)).join(', '),
    },
  },
  toValues: ({ tags, note, external_id, metadata }: QrCode): Values => ({
    tags,
    note: note ?? '',
    external_id: external_id ?? '',
    metadata: rowsOf(metadata),
  }),
  toChange: changesOf,
  validate: {
    tags: (value: Values['tags']) => value.map(tagFault).find(fault => fault !== null) ?? null,
    note: (value: string) => ([...value].length > 2000 ? text.faults.note : null),
    external_id: (value: string) => ([...value].length > 255 ? text.faults.externalId : null),
    metadata: (rows: Values['metadata']) =>
      rowFaults(rows).some(({ key, value }) => key || value) ? text.faults.key : null,
  },
};

/** Tags, note, external id and metadata. */
export function OrganisePanel({ code }: { readonly code: QrCode }) {
  const { form, isPending, canSave, save, discard, conflict } = useCodeForm(code, parts);
  const refusal = useRefusal('qrcodes:write');
  const locked = refusal ? { readOnly: true, variant: 'filled' } : {};
  return (
    <Panel title={text.title}>
      <form onSubmit={save} noValidate>
        <Stack>
          <TagsField
            value={form.values.tags}
            onChange={value => form.setFieldValue('tags', value)}
            error={form.errors.tags}
            readOnly={refusal !== undefined}
          />
          <Textarea
            label={text.note}
            description={text.noteHint}
            autosize
            minRows={2}
            maxRows={8}
            {...locked}
            {...form.getInputProps('note')}
          />
          <Disclosure
            title={text.developers}
            isOpenAtFirst={code.external_id !== null || Object.keys(code.metadata).length > 0}
          >
            <Stack mt="sm">
              <TextInput
                label={text.externalId}
                description={text.externalIdHint}
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                {...locked}
                {...form.getInputProps('external_id')}
              />
              <MetadataFields
                rows={form.values.metadata}
                onChange={rows => form.setFieldValue('metadata', rows)}
                showsFaults={form.errors.metadata !== undefined}
                isLocked={refusal !== undefined}
              />
            </Stack>
          </Disclosure>
          {conflict}
          {form.isDirty() && (
            <Group justify="flex-end">
              <Button variant="default" onClick={discard}>
                {text.discard}
              </Button>
              <Button type="submit" loading={isPending} disabled={!canSave}>
                {text.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Panel>
  );
}

function changesOf({ tags, note, external_id, metadata }: Values, code: QrCode): UpdateQrCode {
  const changed = metadataChange(code.metadata, metadata);
  const isSame = tags.length === code.tags.length && tags.every(tag => code.tags.includes(tag));
  return {
    ...(isSame ? {} : { tags: [...tags] }),
    ...(note === (code.note ?? '') ? {} : { note: note === '' ? null : note }),
    ...(external_id === (code.external_id ?? '')
      ? {}
      : { external_id: external_id === '' ? null : external_id }),
    ...(changed ? { metadata: changed } : {}),
  };
}

type MetadataProps = {
  readonly rows: readonly MetadataRow[];
  readonly onChange: (rows: readonly MetadataRow[]) => void;
  readonly showsFaults: boolean;
  readonly isLocked: boolean;
};

/** Details by name, one a row. */
function MetadataFields({ rows, onChange, showsFaults, isLocked }: MetadataProps) {
  const faults = showsFaults ? rowFaults(rows) : [];
  const set = (number: number, part: Partial<MetadataRow>) =>
    onChange(rows.map(row => (row.number === number ? { ...row, ...part } : row)));
  const next = 1 + Math.max(-1, ...rows.map(({ number }) => number));
  if (rows.length === 0 && isLocked) return null;
  return (
    <fieldset className={classes.details}>
      <legend className={classes.legend}>{text.metadata}</legend>
      <Text size="xs" c="dimmed">
        {text.metadataHint}
      </Text>
      {rows.map(({ number, key, value }, at) => (
        <div key={number} className={classes.row}>
          <TextInput
            aria-label={text.keyOf(at + 1)}
            placeholder={text.key}
            value={key}
            readOnly={isLocked}
            onChange={event => set(number, { key: event.currentTarget.value })}
            error={faults[at]?.key}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
          />
          <TextInput
            aria-label={text.valueOf(at + 1)}
            placeholder={text.value}
            value={value}
            readOnly={isLocked}
            onChange={event => set(number, { value: event.currentTarget.value })}
            error={faults[at]?.value}
            autoComplete="off"
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            disabled={isLocked}
            aria-label={text.removeKey(at + 1)}
            onClick={() => onChange(rows.filter(row => row.number !== number))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {!isLocked && rows.length < maxRows && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...rows, { number: next, key: '', value: '' }])}
          style={{ alignSelf: 'flex-start' }}
        >
          {text.addKey}
        </Button>
      )}
    </fieldset>
  );
}
