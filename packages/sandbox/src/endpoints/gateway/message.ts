import { Refusal } from '../../wire/refusal.ts';
import type { XmlElement } from '../../wire/xml.ts';
import type { World } from '../../world/world.ts';

/** The fields of a gateway body, whichever form it had. */
export type MessageFields = ReadonlyMap<string, string>;

/** One gateway method. */
export interface GatewayMessage {
  readonly body: 'xml' | 'form';
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Children of the answer's root. */
  readonly answer: (world: World, fields: MessageFields) => readonly XmlElement[];
}

/**
 * Checks the names of a body and returns its values by name.
 * @throws Refusal `invalid_request` with the first field that is wrong.
 */
export function toMessageFields(
  message: GatewayMessage,
  {
    sent,
    ignoresUnknownFields,
    also,
  }: {
    readonly sent: readonly (readonly [name: string, value: string])[];
    readonly ignoresUnknownFields: boolean;
    /** A further known name: where the product id is sent. */
    readonly also: string | undefined;
  },
): MessageFields {
  const fields = new Map<string, string>();
  for (const [name, value] of sent) {
    const isKnown = message.required.includes(name) || message.optional.includes(name) || name === also;
    if (!isKnown && !ignoresUnknownFields) {
      throw new Refusal('invalid_request', 'is not a field of this request', name);
    }
    if (fields.has(name)) throw new Refusal('invalid_request', 'appears twice', name);
    fields.set(name, value);
  }
  const missing = message.required.find((name) => (fields.get(name) ?? '') === '');
  if (missing !== undefined) throw new Refusal('invalid_request', 'is missing or empty', missing);
  return fields;
}
