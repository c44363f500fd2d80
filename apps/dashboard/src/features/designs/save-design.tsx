import { Checkbox } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Style } from '@signpost/qr';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { currentMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { designsText } from '../../strings/designs.ts';
import { NameForm } from '../../ui/name-form.tsx';
import { notifyDone } from '../../ui/problem.tsx';
import { useForgetDesigns } from './queries.ts';

const text = designsText.save;
const maxLength = 100;

export const openSaveDesign = (style: Style) =>
  modals.open({ title: text.title, children: <SaveDesign style={style} /> });

/** A name for the style at hand. */
function SaveDesign({ style }: { readonly style: Style }) {
  const [name, setName] = useState('');
  const [isDefault, setDefault] = useState(false);
  const forget = useForgetDesigns(currentMode());
  const save = useMutation({
    mutationFn: () => call('createDesign', { body: { name: name.trim(), style, is_default: isDefault } }),
    onSuccess: async () => {
      await forget();
      notifyDone(text.done(name.trim()));
      modals.closeAll();
    },
  });
  return (
    <NameForm
      label={text.name}
      placeholder={text.namePlaceholder}
      name={name}
      onName={setName}
      fault={name.trim() === '' ? text.noName : name.length > maxLength ? text.longName : null}
      save={save}
      failed={text.failed}
      submit={text.submit}
    >
      <Checkbox
        label={text.isDefault}
        checked={isDefault}
        onChange={event => setDefault(event.currentTarget.checked)}
      />
    </NameForm>
  );
}
