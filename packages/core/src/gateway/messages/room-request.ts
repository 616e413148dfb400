import { requireMembers } from '../../values/check-text.ts';
import { type ExtensibleBody, formBody } from '../bodies.ts';

/** Parameters of a room request. Their meaning is not specified, so they are free strings. */
export interface RoomRequest {
  /** Transaction number. */
  transno: string;
  /** Presumably the room number. */
  roomreq: string;
  /** Items that are joined with semicolons. */
  extraInfo?: readonly string[] | undefined;
  /** The hotel's number in the property-management system. */
  mandator: string;
}

/** Body of a room request. @throws `invalid_input` naming the member @see upstream API, section "Gateway request bodies" */
export function roomRequestBody(message: RoomRequest): ExtensibleBody {
  const { transno, roomreq, extraInfo, mandator } = requireMembers(message, ['transno', 'roomreq', 'mandator']);
  return formBody({ transno, roomreq, extraInfo, mandator });
}
