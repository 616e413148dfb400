import { requireMembers } from '../../values/check-text.ts';
import { type ExtensibleBody, xmlDocument } from '../bodies.ts';

/** Elements of a keep-alive. Their meaning is not specified, so they are free strings. */
export interface KeepAlive {
  /** Operation code. */
  OC: string;
  /** Transaction number. */
  TN: string;
  /** Presumably the current date-time. */
  CDT: string;
  /** Status of the caller. */
  status: string;
}

/** Body of a keep-alive. @throws `invalid_input` naming the member @see upstream API, section "Gateway request bodies" */
export function keepAliveBody(message: KeepAlive): ExtensibleBody {
  const { OC, TN, CDT, status } = requireMembers(message, ['OC', 'TN', 'CDT', 'status']);
  return xmlDocument({ OC, TN, CDT, status });
}
