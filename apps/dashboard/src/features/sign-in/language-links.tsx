import { Anchor, Group } from '@mantine/core';
import { languages } from '@signpost/contract/values.ts';
import { switchLanguage } from '../../api/chosen-language.ts';
import { language, languageNames } from '../../strings/language.ts';
import { signInText } from '../../strings/sign-in.ts';

/** Languages by their own names, for somebody who is not signed in. */
export function LanguageLinks() {
  return (
    <Group component="nav" aria-label={signInText.language} justify="center" gap="md">
      {languages.map(one => (
        <Anchor
          key={one}
          component="button"
          type="button"
          size="sm"
          lang={one}
          {...(one === language ? { c: 'dimmed' } : {})}
          aria-current={one === language}
          onClick={() => switchLanguage(one)}
        >
          {languageNames[one]}
        </Anchor>
      ))}
    </Group>
  );
}
