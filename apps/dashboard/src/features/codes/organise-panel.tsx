import { ActionIcon, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import { fieldErrors } from '../../api/field-errors.ts';
import { commonText } from '../../strings/common.ts';
import { organiseText } from '../../strings/organise.ts';
import { Panel } from '../../ui/panel.tsx';
import { useNotSaved } from '../../ui/problem.tsx';
import { useUnsavedWork } from '../../ui/unsaved-work.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { tagFault } from '../tags/tag-name.ts';
import { TagsField } from '../tags/tags-field.tsx';
import { type MetadataRow, maxRows, metadataChange, rowFaults, rowsOf } from './metadata-rows.ts';
import classes from './organise-panel.module.css';
import { useUpdateCode } from './use-update-code.tsx';

const text = organiseText.panel;
const fields = ['tags', 'note', 'external_id', 'metadata'] as const;

type Values = {
  tags: readonly string[];
  note: string;
  external_id: string;
  metadata: readonly MetadataRow[];
};

/** Starts over when what it shows was changed elsewhere, and only then: nothing that was typed is lost for another reason. */
export function OrganisePanel({ code }: { readonly code: QrCode }) {
  const { tags, note, external_id, metadata } = code;
  return <OrganiseForm key={JSON.stringify([tags, note, external_id, metadata])} code={code} />;
}

/** Tags, note, external id and metadata. Only what differs is sent. */
function OrganiseForm({ code }: { readonly code: QrCode }) {
  const { change, isPending } = useUpdateCode(code);
  const refusal = useRefusal();
  const notSaved = useNotSaved(commonText.problem.notSaved);
  const form = useForm<Values>({
    initialValues: {
      tags: code.tags,
      note: code.note ?? '',
      external_id: code.external_id ?? '',
      metadata: rowsOf(code.metadata),
    },
    validate: {
      tags: value => value.map(tagFault).find(fault => fault !== null) ?? null,
      note: value => ([...value].length > 2000 ? text.faults.note : null),
      external_id: value => ([...value].length > 255 ? text.faults.externalId : null),
      metadata: rows => (rowFaults(rows).some(({ key, value }) => key || value) ? text.faults.key : null),
    },
  });
  useUnsavedWork(form.isDirty());
  const locked = refusal ? { readOnly: true, variant: 'filled' } : {};
  const save = form.onSubmit(values =>
    change(changesOf(code, values), (error, again) => {
      const faults = fieldErrors(error, fields);
      form.setErrors(faults);
      if (Object.keys(faults).length === 0) notSaved.notify(error, again);
    }),
  );
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
          {form.isDirty() && (
            <Group justify="flex-end">
              <Button
                variant="default"
                onClick={() => {
                  form.reset();
                  notSaved.forget();
                }}
              >
                {text.discard}
              </Button>
              <Button type="submit" loading={isPending}>
                {text.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Panel>
  );
}

function changesOf(code: QrCode, { tags, note, external_id, metadata }: Values): UpdateQrCode {
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
