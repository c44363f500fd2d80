import { Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Placement } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { commonText } from '../../strings/common.ts';
import { placementsText as text } from '../../strings/placements.ts';
import { NameForm } from '../../ui/name-form.tsx';
import { notifyDone } from '../../ui/problem.tsx';
import { useReloadCode } from './use-reload-code.ts';

type Props = { readonly id: string; readonly placement: Placement };

export const openEditPlacement = (props: Props) =>
  modals.open({ title: text.editTitle(props.placement.name), children: <EditPlacement {...props} /> });

/** Name and note. The ending is printed and stays. */
function EditPlacement({ id, placement }: Props) {
  const [name, setName] = useState(placement.name);
  const [note, setNote] = useState(placement.note ?? '');
  const reload = useReloadCode(id);
  const save = useMutation({
    mutationFn: () =>
      call('updatePlacement', {
        params: { id, key: placement.key },
        body: { name: name.trim(), note: note.trim() === '' ? null : note.trim() },
      }),
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(text.saved);
      await reload();
    },
  });
  return (
    <NameForm
      label={text.name}
      name={name}
      onName={setName}
      fault={name.trim() === '' ? text.nameFault : [...name].length > 80 ? text.import.faults.longName : null}
      save={save}
      failed={text.failed}
      submit={commonText.save}
      isDisabled={name.trim() === placement.name && note.trim() === (placement.note ?? '')}
    >
      <Textarea
        label={text.note}
        description={text.noteHint}
        maxLength={500}
        autosize
        minRows={2}
        value={note}
        onChange={event => setNote(event.currentTarget.value)}
      />
    </NameForm>
  );
}
