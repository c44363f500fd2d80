import { Alert, Group, Radio } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Tag } from '@signpost/contract';
import { tagColors } from '@signpost/contract/values.ts';
import { IconArrowMerge } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { tagsText } from '../../strings/tags.ts';
import { NameForm } from '../../ui/name-form.tsx';
import { notifyDone } from '../../ui/problem.tsx';
import { useForgetTags } from './queries.ts';
import { TagDot } from './tag-chip.tsx';
import { foldTag, tagFault } from './tag-name.ts';

const text = tagsText.editing;

type Props = { readonly tag: Tag; readonly all: readonly Tag[] };

export const openEditTag = (props: Props) =>
  modals.open({ title: text.title(props.tag.name), children: <EditTag {...props} /> });

/** Name and colour. A name that another tag has merges the two, which is said before. */
function EditTag({ tag, all }: Props) {
  const [name, setName] = useState(tag.name);
  const [color, setColor] = useState(tag.color);
  const forget = useForgetTags();
  const other = all.find(one => foldTag(one.name) === foldTag(name) && one.name !== tag.name);
  const save = useMutation({
    mutationFn: () =>
      call('updateTag', {
        params: { name: tag.name },
        body: {
          ...(name.trim() === tag.name ? {} : { name: name.trim() }),
          // A merge keeps the colour of the tag that stays.
          ...(color === tag.color || other ? {} : { color }),
        },
      }),
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(other ? text.merged(other.name) : text.saved);
      await forget();
    },
  });
  const fault = tagFault(name);
  return (
    <NameForm
      label={text.name}
      name={name}
      onName={setName}
      fault={fault}
      save={save}
      failed={text.failed}
      submit={other ? text.merge(other.name) : text.save}
      isDisabled={name.trim() === tag.name && color === tag.color}
    >
      {other ? (
        <Alert color="orange" icon={<IconArrowMerge aria-hidden />}>
          {text.mergeHint(other.name, other.qr_codes)}
        </Alert>
      ) : (
        <Radio.Group label={text.color} value={color} onChange={value => setColor(value as Tag['color'])}>
          <Group gap="sm" mt={6}>
            {tagColors.map(value => (
              <Radio
                key={value}
                value={value}
                label={
                  <span style={{ display: 'inline-flex', gap: 6, alignItems: 'center' }}>
                    <TagDot color={value} />
                    {tagsText.colors[value]}
                  </span>
                }
              />
            ))}
          </Group>
        </Radio.Group>
      )}
    </NameForm>
  );
}
