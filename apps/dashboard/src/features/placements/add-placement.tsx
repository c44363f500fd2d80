import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { QrCode } from '@signpost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { placementsText as text } from '../../strings/placements.ts';
import { shownUrl } from '../../ui/format.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { freeKey, isKey } from './placement-rows.ts';
import classes from './placements.module.css';
import { useReloadCode } from './use-reload-code.ts';

/** A link of at most this many characters takes no more modules than before. */
const freeLength = 32;

/** The ending of the link follows the name until somebody writes one. */
export function AddPlacement({ code }: { readonly code: QrCode }) {
  const reload = useReloadCode(code.id);
  const taken = useMemo(() => new Set(code.placements.map(({ key }) => key)), [code.placements]);
  const [isOwnKey, setOwnKey] = useState(false);
  const form = useForm({
    initialValues: { key: '', name: '' },
    validate: {
      name: value => (value.trim() === '' ? text.nameFault : null),
      key: (value, { name }) => {
        if (name.trim() === '' && value === '') return null;
        return isKey(value) ? (taken.has(value) ? text.keyTaken : null) : text.keyFault;
      },
    },
  });
  const add = useMutation({
    mutationFn: (body: { key: string; name: string }) =>
      call('createPlacement', { params: { id: code.id }, body }),
    onSuccess: async added => {
      notifyDone(text.added(added.name));
      form.reset();
      setOwnKey(false);
      // The next name may be the same: its ending is another one, also while the code is still read again.
      await reload(added);
    },
    onError: error => {
      const faults = fieldErrors(error, ['key', 'name']);
      form.setErrors(faults);
      if (Object.keys(faults).length === 0) notifyProblem(error, text.failed);
    },
  });
  const { key } = form.values;
  const link = `${code.short_url}.${key}`;
  const isLonger = key !== '' && link.length > freeLength && code.short_url.length <= freeLength;
  return (
    <form
      onSubmit={form.onSubmit(({ name, ...rest }) => add.mutate({ ...rest, name: name.trim() }))}
      noValidate
    >
      <Stack gap="xs">
        <div className={classes.add}>
          <TextInput
            label={text.name}
            placeholder={text.namePlaceholder}
            maxLength={80}
            autoComplete="off"
            {...form.getInputProps('name')}
            onChange={event => {
              const name = event.currentTarget.value;
              form.setFieldValue('name', name);
              if (!isOwnKey) form.setFieldValue('key', freeKey(name, taken));
            }}
          />
          <TextInput
            label={text.key}
            description={key === '' ? text.keyEmpty : text.keyHint(shownUrl(link))}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={24}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('key')}
            onChange={event => {
              const typed = event.currentTarget.value.toLowerCase();
              setOwnKey(typed !== '');
              form.setFieldValue('key', typed);
            }}
          />
          <Group>
            <Button type="submit" leftSection={<IconPlus size={16} aria-hidden />} loading={add.isPending}>
              {text.add}
            </Button>
          </Group>
        </div>
        {isLonger && (
          <Text size="xs" c="dimmed">
            {text.longer}
          </Text>
        )}
      </Stack>
    </form>
  );
}
