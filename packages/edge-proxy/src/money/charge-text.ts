/** The text that the upstream keeps with a charge: enough to find it by hand when its outcome is unknown. Pure. */

const MAX_CHARACTERS = 100;

/** `<id> <reason> <reference> <text>`, cut at 100 characters and never inside one. */
export function chargeText(charge: {
  readonly id: string;
  readonly reason: string;
  readonly reference: string | null;
  readonly text: string | null;
}): string {
  const parts = [charge.id, charge.reason, charge.reference, charge.text];
  let text = '';
  for (const character of parts.join(' ')) {
    if (text.length + character.length > MAX_CHARACTERS) break;
    text += character;
  }
  return text.trimEnd();
}
