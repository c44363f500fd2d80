import { Center } from '@mantine/core';
import { shellText } from '../../strings/shell.ts';
import { Empty } from '../../ui/empty.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { Sentence } from '../../ui/sentence.tsx';

export function NotFound() {
  return (
    <Center mih="60vh" component="main">
      <Empty title={shellText.notFound.title} order={1}>
        <Sentence
          text={shellText.notFound.text}
          parts={{
            link: (
              <LinkAnchor to="/codes" underline="always">
                {shellText.notFound.codes}
              </LinkAnchor>
            ),
          }}
        />
      </Empty>
    </Center>
  );
}
