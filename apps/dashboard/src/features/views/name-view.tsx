import { modals } from '@mantine/modals';
import type { SavedView } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { viewsText } from '../../strings/views.ts';
import { NameForm } from '../../ui/name-form.tsx';
import { notifyDone } from '../../ui/problem.tsx';
import { viewsQuery } from './queries.ts';

const text = viewsText;
const maxLength = 60;

type Props = { readonly view: SavedView; readonly query?: undefined } | { readonly query: string };

/** Gives a new view its name, or an old one another. */
export function NameView(props: Props) {
  const view = 'view' in props ? props.view : null;
  const [name, setName] = useState(view?.name ?? '');
  const mode = useMode();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      view
        ? call('updateView', { params: { id: view.id }, body: { name } })
        : call('createView', { body: { name, query: props.query ?? '' } }),
    onSuccess: async saved => {
      modals.closeAll();
      notifyDone(text.saved(saved.name));
      await client.invalidateQueries({ queryKey: viewsQuery(mode).queryKey });
    },
  });
  const fault = name.trim() === '' ? text.faults.empty : name.length > maxLength ? text.faults.long : null;
  return (
    <NameForm
      label={text.name}
      description={view ? undefined : text.saveHint}
      placeholder={text.namePlaceholder}
      name={name}
      onName={setName}
      fault={fault}
      save={save}
      failed={text.failed}
      submit={text.submit}
    />
  );
}
