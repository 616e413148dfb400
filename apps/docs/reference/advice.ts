/** What a comment on an error says: its meaning, whether money may have moved, and what to do. */

/** The three things that whoever meets an error wants to know. */
export interface Advice {
  readonly meaning: string;
  readonly money: string;
  readonly remedy: string;
}

/** Splits a comment with a paragraph `Money: …` and a paragraph `What to do: …`; what is not there is empty. */
export function readAdvice(comment: string): Advice {
  const labelled = (label: string): RegExp => new RegExp(`(?:^|\\n)${label}: ([\\s\\S]*?)(?=\\n\\s*\\n|$)`);
  const part = (label: string): string => oneLine(labelled(label).exec(comment)?.[1] ?? '');
  const meaning = comment.replace(labelled('Money'), '').replace(labelled('What to do'), '');
  return { meaning: oneLine(meaning), money: part('Money'), remedy: part('What to do') };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
