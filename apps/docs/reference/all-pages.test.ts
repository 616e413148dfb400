import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseProperty } from '../../../packages/edge-proxy/src/config/properties.ts';
import { ROOT } from '../../../scripts/workspace.ts';
import { type ReferencePage, referencePages } from './all-pages.ts';
import { pageAnchors } from './markdown.ts';

let pages: readonly ReferencePage[] = [];

beforeAll(async () => {
  pages = await referencePages();
}, 120_000);

describe('the reference', () => {
  it('has one page at each address, each with a title and a sentence', () => {
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
    for (const { path, title, description, markdown } of pages) {
      expect(path).toMatch(/^reference(\/[a-z0-9-]+)*$/);
      expect({ path, title }).not.toMatchObject({ title: '' });
      expect({ path, description }).toMatchObject({ description: expect.stringMatching(/^[^\n`]{10,200}$/) });
      expect(markdown).not.toMatch(/^# /m);
    }
  });

  it('has no link that leads nowhere', () => {
    const anchors = new Map(pages.map(({ path, markdown }) => [`${path}.md`, new Set(pageAnchors(markdown))]));
    const broken = pages.flatMap(({ path, markdown }) =>
      linkTargets(markdown).filter((target) => {
        const [file = '', anchor] = target.split('#');
        const known = anchors.get(file === '' ? `${path}.md` : file);
        if (known === undefined) return !existsSync(join(ROOT, 'docs', file));
        return anchor !== undefined && !known.has(anchor);
      }),
    );
    expect(broken).toEqual([]);
  });

  it('has no tag of a comment left in its text', () => {
    for (const { path, markdown } of pages) {
      expect({ path, left: /\{@\w+[^}]*\}|^@\w+/m.exec(markdown)?.[0] }).toEqual({ path, left: undefined });
    }
  });

  it('has nothing in its text that a browser or a typographer would change', () => {
    for (const { path, markdown } of pages) {
      const prose = markdown
        .replaceAll(/^```[\s\S]*?^```$/gm, '')
        .replaceAll(/``.*?``|`[^`\n]*`/g, '')
        .replaceAll(/<a id="[^"]+"><\/a>|^\|[ |-]*\|$/gm, '')
        .replaceAll(/\]\([^)]*\)/g, ']');
      expect({ path, found: /(?<!\\)<[a-zA-Z/!]|--\w|\{@/.exec(prose)?.[0] }).toEqual({ path, found: undefined });
    }
  });

  it('repeats no anchor on a page, so that none of them moves', () => {
    for (const { path, markdown } of pages) {
      const anchors = pageAnchors(markdown);
      // REDACTED and Redacted differ by their capitals alone, and keep their order.
      const moving = anchors.filter(
        (anchor, at) => anchors.indexOf(anchor) !== at || (/-\d$/.test(anchor) && anchor !== 'redacted-1'),
      );
      expect({ path, moving }).toEqual({ path, moving: [] });
    }
  });
});

it('shows a property that the proxy accepts', () => {
  const page = pages.find(({ path }) => path === 'reference/configuration');
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(page?.markdown ?? '') ?? [];
  expect(parseProperty('aurora', text)).toMatchObject({ broken: false, displayName: 'Hotel Aurora' });
});

function linkTargets(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^\w+:/.test(target));
}
