/** What the proxy refuses wherever somebody types: its rule, in the few lines that a short text takes. */
import { isIssued, passesLuhn } from '@innkeep/core/values';

const UUID = /[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/gi;
const GROUPS = /\d+(?:[\s\p{Cf}\p{Pd}\u2212]\d+)*/gu;

/** Whether a text holds a number that a card network issues, alone or in groups. Those of a UUID are none. */
export function holdsCard(text: string): boolean {
  const plain = text
    .replace(UUID, '/')
    .replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => `${digit.charCodeAt(0) & 15}`);
  return (plain.match(GROUPS) ?? []).some((run) => {
    const groups = run.split(/\D/);
    return groups.some((_, from) => {
      let digits = '';
      return groups.slice(from).some((group) => {
        digits += group;
        return isIssued(digits) && passesLuhn(digits);
      });
    });
  });
}
