/** A QR code as an SVG document. */
import { encode } from 'uqr';

const QUIET_ZONE = 4;

/** Draws a text as one path: black modules on white, with the quiet zone the standard asks for. */
export function qrSvg(text: string): string {
  const code = encode(text, { ecc: 'M', border: QUIET_ZONE });
  let path = '';
  for (const [y, row] of code.data.entries()) {
    for (const [x, isDark] of row.entries()) if (isDark) path += `M${x} ${y}h1v1h-1z`;
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${code.size} ${code.size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${code.size}v${code.size}H0z"/><path d="${path}"/></svg>`
  );
}
