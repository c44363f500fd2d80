import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { codesText } from '../../strings/codes.ts';
import { shownUrl } from '../../ui/format.ts';

const { ending, endingPlaceholder } = codesText.form;
/** Of a longer address the end is shown: beside it there must be room to type. */
const mostShown = { narrow: 18, wide: 40 };
const [charPx, paddingPx] = [7.9, 14];

/** The end of the short link, behind the part of it that is given. */
export function EndingField({ base, ...input }: TextInputProps & { readonly base: string }) {
  const isWide = useMediaQuery('(min-width: 36em)', true, { getInitialValueInEffect: false });
  const most = mostShown[isWide ? 'wide' : 'narrow'];
  const whole = `${shownUrl(base)}/`;
  const shown = whole.length > most ? `…${whole.slice(1 - most)}` : whole;
  return (
    <TextInput
      label={ending}
      placeholder={endingPlaceholder}
      autoCapitalize="off"
      spellCheck={false}
      leftSection={
        <Text ff="monospace" fz={13} c="dimmed" title={whole}>
          {shown}
        </Text>
      }
      leftSectionWidth={shown.length * charPx + paddingPx}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      {...input}
    />
  );
}
