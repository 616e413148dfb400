/** What the proxy refuses wherever somebody types: its rule, in the few lines that a short text takes. */
import { passesLuhn } from '@innkeep/core/values';

const UUID = /[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/gi;
const GROUPS = /\d+(?:[\s\u00ad\u2000-\u2015\u202a-\u202e\u2060-\u2069\u2212\ufe58\ufe63\uff0d-]\d+)*/g;

/** Whether a text holds 13 to 19 digits with a valid check digit, alone or in groups. Those of a UUID are none. */
export function holdsCard(text: string): boolean {
  return (text.replace(UUID, '/').match(GROUPS) ?? []).some((run) => {
    const groups = run.split(/\D/);
    const isCard = (from: number, to: number): boolean => {
      const digits = groups.slice(from, to).join('');
      return digits.length > 12 && passesLuhn(digits);
    };
    return groups.some((_, from) => groups.some((_, to) => isCard(from, to + 1)));
  });
}
