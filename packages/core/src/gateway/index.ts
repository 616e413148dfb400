/**
 * Client of the gateway that carries classic property-management interfaces over HTTPS.
 *
 * Import path: `@innkeep/core/gateway`. The only module that pulls in an XML reader.
 *
 * @module
 */
export {
  type ExtensibleBody,
  type FormBodyOptions,
  type FormFields,
  formBody,
  type GatewayBody,
  xmlDocument,
} from './bodies.ts';
export { createGatewayClient, type GatewayClient } from './gateway-client.ts';
export { type GatewayReply, readGatewayReply } from './gateway-reply.ts';
export {
  createGatewayTransport,
  type GatewayCallOptions,
  type GatewayClientOptions,
  type GatewayTransport,
} from './gateway-transport.ts';
export type { KeepAlive } from './messages/keep-alive.ts';
export type { RoomRequest } from './messages/room-request.ts';
export { XmlNode } from './xml-reader.ts';
export type { XmlContent, XmlMembers } from './xml-writer.ts';
