import { type FormRulesRecord, useForm } from '@mantine/form';
import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { useEffect, useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { commonText } from '../../strings/common.ts';
import { useNotSaved } from '../../ui/problem.tsx';
import { useUnsavedWork } from '../../ui/unsaved-work.ts';
import { Conflict } from './conflict.ts';
import { ConflictAlert } from './conflict-alert.tsx';
import { useUpdateCode } from './use-update-code.tsx';

type Fields<Values> = {
  readonly [Name in keyof Values]: { readonly label: string; readonly show: (value: Values[Name]) => string };
};

type Parts<Values> = {
  /** The fields under the names that the API has for them. */
  readonly fields: Fields<Values>;
  readonly toValues: (code: QrCode) => Values;
  /** What differs. Only that is sent. */
  readonly toChange: (values: Values, base: QrCode) => UpdateQrCode;
  readonly validate: FormRulesRecord<Values, Values>;
};

/**
 * A form for some fields of a code. What is changed elsewhere appears at once while nothing is typed; after that the form keeps
 * what it began with, and asks where somebody else has saved the same field.
 */
export function useCodeForm<Values extends Record<string, unknown>>(
  code: QrCode,
  { fields, toValues, toChange, validate }: Parts<Values>,
) {
  const [base, setBase] = useState(code);
  /** The fields for which a choice is due; the base has the values of somebody else then. */
  const [clashing, setClashing] = useState<readonly string[]>([]);
  const form = useForm<Values>({ initialValues: toValues(code), validate });
  const { change, isPending } = useUpdateCode(code);
  const notSaved = useNotSaved(commonText.problem.notSaved);
  useUnsavedWork(form.isDirty());
  const names = Object.keys(fields) as (keyof Values & string)[];

  const begin = (from: QrCode, kept: readonly string[] = [], open: readonly string[] = []) => {
    const values = form.getValues();
    setBase(from);
    setClashing(open);
    form.setInitialValues(toValues(from));
    form.setValues({ ...toValues(from), ...Object.fromEntries(kept.map(name => [name, values[name]])) });
  };
  useEffect(() => {
    if (code !== base && code.revision >= base.revision && !form.isDirty()) begin(code);
  });
  const typed = () => names.filter(name => form.isDirty(name));

  const send = (values: Values) =>
    change(
      toChange(values, base),
      (error, again) => {
        if (error instanceof Conflict) {
          begin(error.latest, typed(), error.fields);
          return;
        }
        const faults = fieldErrors(error, names);
        form.setErrors(faults);
        if (Object.keys(faults).length === 0) notSaved.notify(error, again);
      },
      {
        base,
        // What is typed while it is being saved stays.
        onDone: after => begin(after, form.getValues() === values ? [] : typed()),
      },
    );
  const theirs = toValues(base);

  return {
    form,
    isPending,
    canSave: form.isDirty() && clashing.length === 0,
    save: form.onSubmit(values => {
      if (clashing.length === 0) send(values);
    }),
    discard: () => {
      form.reset();
      setClashing([]);
      notSaved.forget();
    },
    conflict: clashing.length > 0 && (
      <ConflictAlert
        clashes={names
          .filter(name => clashing.includes(name))
          .map(name => ({
            label: fields[name].label,
            mine: fields[name].show(form.values[name]),
            theirs: fields[name].show(theirs[name]),
          }))}
        isPending={isPending}
        onKeep={form.onSubmit(send)}
        onTake={() =>
          begin(
            base,
            typed().filter(name => !clashing.includes(name)),
          )
        }
      />
    ),
  };
}
