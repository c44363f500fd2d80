import { Modal, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { organiseText } from '../../strings/organise.ts';
import { Sentence } from '../../ui/sentence.tsx';
import { destinationFault, withScheme } from '../codes/destination.ts';
import { DestinationField } from '../codes/destination-field.tsx';
import { tagFault } from '../tags/tag-name.ts';
import { TagsField } from '../tags/tags-field.tsx';
import { type BulkDialogProps, BulkForm } from './bulk-form.tsx';
import { ReplaceForm } from './replace-form.tsx';
import { deleteCodes, editCodes } from './send-bulk.ts';

export type BulkAction =
  | 'pause'
  | 'resume'
  | 'archive'
  | 'unarchive'
  | 'tags'
  | 'destination'
  | 'replace'
  | 'delete';

const text = organiseText.bulk;

type Props = BulkDialogProps & { readonly action: BulkAction };

const forms = {
  pause: confirming('pause', { active: false }),
  resume: confirming('resume', { active: true }),
  archive: confirming('archive', { archived: true }),
  unarchive: confirming('unarchive', { archived: false }),
  tags: TagsForm,
  destination: DestinationForm,
  replace: ReplaceForm,
  delete: DeleteForm,
};

/** What is done with the codes that are selected, in a dialog. */
export function BulkDialog({ action, ...props }: Props) {
  const Form = forms[action];
  const { title } = text[action];
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={typeof title === 'string' ? title : title(props.selection.size)}
      size={action === 'replace' ? 'lg' : 'md'}
      closeOnClickOutside={false}
    >
      <Form {...props} />
    </Modal>
  );
}

/** A change without anything to fill in. */
function confirming(
  action: 'pause' | 'resume' | 'archive' | 'unarchive',
  set: Parameters<typeof editCodes>[1],
) {
  return (props: BulkDialogProps) => (
    <BulkForm
      {...props}
      isReady
      submit={text[action].submit(props.selection.size)}
      says={text.changed}
      send={ids => editCodes(ids, set)}
    >
      <Text size="sm">{text[action].body}</Text>
    </BulkForm>
  );
}

function TagsForm(props: BulkDialogProps) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [isTried, setTried] = useState(false);
  const own = [...new Set([...props.selection.values()].flatMap(({ tags }) => tags))].sort();
  const hasChange = added.length + removed.length > 0;
  const set = {
    ...(added.length > 0 ? { tags_add: [...added] } : {}),
    ...(removed.length > 0 ? { tags_remove: [...removed] } : {}),
  };
  return (
    <BulkForm
      {...props}
      isReady={hasChange && added.every(name => tagFault(name) === null)}
      onIncomplete={() => setTried(true)}
      submit={text.tags.submit(props.selection.size)}
      says={text.changed}
      send={ids => editCodes(ids, set)}
    >
      <TagsField
        label={text.tags.add}
        value={added}
        onChange={setAdded}
        error={isTried && !hasChange ? text.tags.nothing : null}
      />
      {own.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.tags.none}
        </Text>
      ) : (
        <TagsField
          label={text.tags.remove}
          description={text.tags.removeHint}
          among={own}
          value={removed}
          onChange={setRemoved}
        />
      )}
    </BulkForm>
  );
}

function DestinationForm(props: BulkDialogProps) {
  const [destination, setDestination] = useState('');
  const [isTried, setTried] = useState(false);
  const fault = destinationFault(destination);
  return (
    <BulkForm
      {...props}
      isReady={fault === null}
      onIncomplete={() => setTried(true)}
      submit={text.destination.submit(props.selection.size)}
      says={text.changed}
      send={ids => editCodes(ids, { destination_url: withScheme(destination) })}
    >
      <DestinationField
        value={destination}
        onChange={setDestination}
        error={isTried ? fault : null}
        description={text.destination.hint}
        required
      />
    </BulkForm>
  );
}

/** Printed codes cannot be called back, so their number has to be typed. */
function DeleteForm(props: BulkDialogProps) {
  const [typed, setTyped] = useState('');
  const mode = useMode();
  const count = String(props.selection.size);
  return (
    <BulkForm
      {...props}
      isReady={typed.trim() === count}
      color="red.8"
      submit={text.delete.submit(props.selection.size)}
      says={text.deleted}
      failed={text.delete.failed}
      send={deleteCodes}
    >
      <Text size="sm">
        {text.delete.body} {text.delete[mode]} {text.delete.instead}
      </Text>
      <TextInput
        label={<Sentence text={text.delete.type} parts={{ count: <b>{count}</b> }} />}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        inputMode="numeric"
        data-autofocus
        autoComplete="off"
      />
    </BulkForm>
  );
}
