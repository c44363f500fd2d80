import { Button, Group, Stack, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type ReactNode, useState } from 'react';
import { commonText } from '../strings/common.ts';
import { Problem } from './problem.tsx';

type Props = {
  readonly label: string;
  readonly description?: string | undefined;
  readonly placeholder?: string;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly fault: string | null;
  readonly save: { readonly mutate: () => void; readonly error: unknown; readonly isPending: boolean };
  /** The title of what went wrong. */
  readonly failed: string;
  readonly submit: string;
  readonly isDisabled?: boolean;
  readonly children?: ReactNode;
};

/** The content of a dialog that gives something its name. */
export function NameForm({
  name,
  onName,
  fault,
  save,
  failed,
  submit,
  isDisabled,
  children,
  ...field
}: Props) {
  const [isTried, setTried] = useState(false);
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (!fault) save.mutate();
      }}
    >
      <Stack>
        <TextInput
          {...field}
          value={name}
          onChange={event => onName(event.currentTarget.value)}
          error={isTried ? fault : null}
          data-autofocus
          autoComplete="off"
        />
        {children}
        {save.error ? <Problem error={save.error} title={failed} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {commonText.cancel}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={isDisabled ?? false}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
