/** What a call to the property-management gateway is addressed to. */
import * as v from 'valibot';

/** A protocol or a method: what stays one segment of a path. */
const SegmentSchema = v.pipe(
  v.string(),
  v.regex(/^(\.*[A-Za-z0-9_-][A-Za-z0-9._-]*|\.{3,})$/, 'Must be of A-Z a-z 0-9 . _ -'),
);

/** Path of `POST /v1/gateway/{protocol}/{method}`. Body and answer are bytes that nobody reads. */
export const GatewayCallSchema = v.strictObject({
  /** Protocol of the gateway, for instance `RMS`. Letters, digits, dot, underscore, hyphen. */
  protocol: v.pipe(SegmentSchema, v.examples(['RMS'])),
  /** Method of the protocol, for instance `roomreq`. Letters, digits, dot, underscore, hyphen. */
  method: v.pipe(SegmentSchema, v.examples(['keepalivereq'])),
});
