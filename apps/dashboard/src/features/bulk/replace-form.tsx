import { Alert, Box, Button, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { organiseText } from '../../strings/organise.ts';
import { Problem } from '../../ui/problem.tsx';
import { type BulkDialogProps, BulkForm, FailureList } from './bulk-form.tsx';
import classes from './replace-form.module.css';
import type { Failure } from './run-bulk.ts';
import type { Selection } from './selection.ts';
import { editCodes, failuresIn } from './send-bulk.ts';

const text = organiseText.bulk.replace;
const [mostPerCall, mostShown] = [500, 100];

type Change = { readonly id: string; readonly name: string; readonly before: string; readonly after: string };

/** What would happen, as the server says it. */
type Preview = { readonly changes: readonly Change[]; readonly failures: readonly Failure[] };

/** Replaces a text in destinations. Nothing is changed before a person has seen what would. */
export function ReplaceForm(props: BulkDialogProps) {
  const { selection } = props;
  const [find, setFind] = useState('');
  const [replace, setReplace] = useState('');
  const [isTried, setTried] = useState(false);
  const destination_replace = { find, replace };
  const preview = useMutation({ mutationFn: () => previewOf(selection, destination_replace) });
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value);
    preview.reset();
  };
  const show = () => {
    setTried(true);
    if (find !== '' && !preview.isPending) preview.mutate();
  };
  const { changes = [], failures = [] } = preview.data ?? {};
  return (
    <BulkForm
      {...props}
      ids={changes.map(({ id }) => id)}
      isReady={changes.length > 0}
      onIncomplete={show}
      submit={preview.data && changes.length > 0 ? text.submit(changes.length) : text.preview}
      says={organiseText.bulk.changed}
      send={ids => editCodes(ids, { destination_replace })}
    >
      <Text size="sm" c="dimmed">
        {text.hint(selection.size)}
      </Text>
      <TextInput
        label={text.find}
        placeholder={text.findPlaceholder}
        value={find}
        onChange={event => edit(setFind)(event.currentTarget.value)}
        error={isTried && find === '' ? text.faults.empty : null}
        maxLength={500}
        data-autofocus
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <TextInput
        label={text.replace}
        placeholder={text.replacePlaceholder}
        value={replace}
        onChange={event => edit(setReplace)(event.currentTarget.value)}
        maxLength={500}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      {preview.error ? <Problem error={preview.error} title={text.notPreviewed} /> : null}
      {preview.data && (
        <Stack gap="sm">
          <Text size="sm" role="status" fw={500}>
            {changes.length === 0 && failures.length === 0
              ? text.noMatch
              : text.matches(changes.length, selection.size)}
          </Text>
          {changes.length > 0 && <Changes changes={changes} find={find} replace={replace} />}
          {failures.length > 0 && (
            <Alert
              color="yellow"
              icon={<IconAlertTriangle aria-hidden />}
              title={text.refused(failures.length)}
            >
              <FailureList failures={failures} selection={selection} />
            </Alert>
          )}
        </Stack>
      )}
      {preview.isPending && (
        <Group justify="center">
          <Button variant="transparent" loading aria-label={text.previewOf} />
        </Group>
      )}
    </BulkForm>
  );
}

type ChangesProps = {
  readonly changes: readonly Change[];
  readonly find: string;
  readonly replace: string;
};

function Changes({ changes, find, replace }: ChangesProps) {
  return (
    <ScrollArea.Autosize mah={260} type="auto" viewportProps={{ tabIndex: 0 }} className={classes.frame}>
      <ul className={classes.list} aria-label={text.previewOf}>
        {changes.slice(0, mostShown).map(({ id, name, before, after }) => (
          <li key={id} className={classes.item}>
            <Text size="sm" fw={500} lineClamp={1}>
              {name}
            </Text>
            <Text size="xs" component="del" className={classes.before}>
              <Marked text={before} part={find} />
            </Text>
            <Text size="xs" component="ins" className={classes.after}>
              <Marked text={after} part={replace} />
            </Text>
          </li>
        ))}
      </ul>
      {changes.length > mostShown && (
        <Box p="xs">
          <Text size="xs" c="dimmed">
            {text.more(changes.length - mostShown)}
          </Text>
        </Box>
      )}
    </ScrollArea.Autosize>
  );
}

/** The parts of a text that are meant, marked. */
function Marked({ text: whole, part }: { readonly text: string; readonly part: string }) {
  if (part === '') return whole;
  return whole.split(part).flatMap((piece, at) =>
    at === 0
      ? [piece]
      : [
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name.
          <mark key={at} className={classes.mark}>
            {part}
          </mark>,
          piece,
        ],
  );
}

/** Asks the server in a dry run: it also knows what it would refuse. */
async function previewOf(
  selection: Selection,
  destination_replace: { readonly find: string; readonly replace: string },
): Promise<Preview> {
  const affected = [...selection.values()].filter(code =>
    code.destination_url.includes(destination_replace.find),
  );
  const changes: Change[] = [];
  const failures: Failure[] = [];
  for (let at = 0; at < affected.length; at += mostPerCall) {
    const ids = affected.slice(at, at + mostPerCall).map(({ id }) => id);
    const { data } = await call('bulkEditQrCodes', {
      body: { ids, set: { destination_replace }, dry_run: true },
    });
    failures.push(...failuresIn(data));
    for (const item of data) {
      if (item.status !== 'updated') continue;
      const { id, name, destination_url: after } = item.qr_code;
      const before = selection.get(id)?.destination_url ?? '';
      if (before !== after) changes.push({ id, name, before, after });
    }
  }
  return { changes, failures };
}
