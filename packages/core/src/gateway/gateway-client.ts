import { requireRawBody } from '../values/check-text.ts';
import type { GatewayBody } from './bodies.ts';
import { type GatewayReply, readReply } from './gateway-reply.ts';
import { createGatewayTransport, type GatewayCallOptions, type GatewayClientOptions } from './gateway-transport.ts';
import { type KeepAlive, keepAliveBody } from './messages/keep-alive.ts';
import { type RoomRequest, roomRequestBody } from './messages/room-request.ts';

/** Client of the gateway. */
export interface GatewayClient {
  /**
   * Posts one body. Retry: never; whether a message can be repeated depends on the interface.
   *
   * @param body - from {@link xmlDocument} or {@link formBody}, or raw: `{ contentType, bytes }`, or bytes alone, which go as
   * `application/octet-stream`
   * @throws `gateway_status` for any status but 200; `gateway_error` for a 200 whose document says failure;
   * `xml_refused`, `invalid_response` for a reply that cannot be read; `network`, `timeout`, `invalid_input`;
   * `configuration` when the body has no place for the product id
   * @see upstream API, section "Endpoints"
   */
  send(
    protocol: string,
    method: string,
    body: GatewayBody | Uint8Array<ArrayBuffer>,
    options?: GatewayCallOptions,
  ): Promise<GatewayReply>;
  /** Posts `RMS/keepalivereq` as XML. @throws what `send` throws */
  keepAlive(message: KeepAlive, options?: GatewayCallOptions): Promise<GatewayReply>;
  /** Posts `RMS/roomreq` as form parameters. @throws what `send` throws */
  roomRequest(message: RoomRequest, options?: GatewayCallOptions): Promise<GatewayReply>;
}

/**
 * Makes a client of the gateway that carries classic interfaces over HTTPS.
 *
 * @throws `configuration` with the path of the bad setting
 * @see upstream API, section "Authentication"
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const post = createGatewayTransport(options);

  const send: GatewayClient['send'] = async (protocol, method, body, call) => {
    const sent = body instanceof Uint8Array ? { contentType: 'application/octet-stream', bytes: body } : body;
    const answer = await post(protocol, method, requireRawBody(sent), call);
    return readReply(answer, `The gateway request ${protocol}/${method}`);
  };

  return {
    send,
    keepAlive: async (message, call) => send('RMS', 'keepalivereq', keepAliveBody(message), call),
    roomRequest: async (message, call) => send('RMS', 'roomreq', roomRequestBody(message), call),
  };
}
